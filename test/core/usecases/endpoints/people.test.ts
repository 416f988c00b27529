import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nothingSent } from '../../../../src/core/endpoint/person.js';
import { ReadAlarms } from '../../../../src/core/usecases/alarms/read-alarms.js';
import { PersonRecords } from '../../../../src/core/usecases/endpoints/subscribe-person.js';
import { ALICE } from '../../../support/builders.js';
import { ntfyError } from '../../../support/fake-messengers/fake-ntfy.js';
import { BOT_TOKEN, CHAT, telegramError } from '../../../support/fake-messengers/fake-telegram.js';
import type { Turn } from '../../../support/fake-messengers/stand-in.js';
import { filledLine, PeopleFixture } from './people-fixture.js';

let fixture: PeopleFixture;
beforeEach(async () => {
  fixture = await PeopleFixture.open();
});
afterEach(() => fixture.close());

describe('a person who is subscribed to messages', () => {
  test('is sent nothing before a test message, then everything since registration', async () => {
    const chat = await fixture.chat();
    await fixture.bets('Arsenal');
    await fixture.passes(5);
    expect(fixture.telegram.received).toEqual([]);
    const { webhook } = await fixture.use.ping.execute(chat);
    expect(webhook.state).toBe('active');
    await fixture.passes(5);
    expect(fixture.told).toEqual([filledLine('Arsenal')]);
  });

  test('stays unverified until the bot can deliver a test message', async () => {
    const chat = await fixture.chat({}, BOT_TOKEN, '99');
    const { webhook, answer } = await fixture.use.ping.execute(chat);
    expect(webhook.state).toBe('unverified');
    expect(answer).toMatchObject({ kind: 'failed', said: 'Telegram answered 400: Bad Request: chat not found.' });
    fixture.telegram.allow('99');
    expect((await fixture.use.ping.execute(chat)).webhook.state).toBe('active');
  });

  test('receives title, text and priority through ntfy', async () => {
    const topic = await fixture.topic();
    await fixture.use.ping.execute(topic);
    await fixture.bets('Arsenal');
    await fixture.passes(1);
    await fixture.halts();
    await fixture.passes(5);
    expect(fixture.ntfy.published.slice(1)).toMatchObject([
      { title: 'stakeport', message: filledLine('Arsenal'), priority: 3 },
      { message: 'HALTED, account: enough, by me', priority: 5 },
    ]);
  });

  test('whose address changes needs a new test message, and misses nothing', async () => {
    const chat = await fixture.reader();
    fixture.telegram.allow('77');
    expect((await fixture.use.change.patch(chat, { chatId: '77' }, 'a key')).state).toBe('unverified');
    await fixture.bets('Arsenal');
    await fixture.passes(5);
    expect(fixture.told).toEqual([]);
    await fixture.use.ping.execute(chat);
    await fixture.passes(5);
    expect(fixture.telegram.texts.at(-1)).toEqual({ chat: '77', text: filledLine('Arsenal') });
  });

  test('and is removed during a delivery leaves no record behind', async () => {
    const chat = await fixture.reader();
    await fixture.bets('Arsenal');
    await fixture.use.change.remove(chat);
    // What a round ends with that had begun before.
    const records = new PersonRecords(fixture.ledger);
    const { deliveries } = fixture.ledger.endpoints;
    await records.store(chat, nothingSent(chat));
    expect(await deliveries.progress(ALICE)).toEqual([]);
    await records.giveUp(chat, 1, 'strange', fixture.clock.now());
    expect(await deliveries.list(chat, { limit: 10 })).toEqual([]);
  });

  test('is resent, on request, all after an event but no single one', async () => {
    const chat = await fixture.reader();
    await fixture.bets('Arsenal');
    await fixture.halts();
    await fixture.passes(5);
    const first = fixture.told;
    expect(first).toHaveLength(2);
    await fixture.use.replay.execute(chat, { after: 0 });
    await fixture.passes(5);
    expect(fixture.told).toEqual([...first, ...first]);
    await expect(fixture.use.replay.execute(chat, { seq: 1 })).rejects.toThrow('its seq is for webhooks');
    await expect(fixture.use.change.rotate(chat, null)).rejects.toThrow('Messages to people are not signed');
  });
});

describe('a message that Telegram does not take', () => {
  const LATER: readonly [string, Turn[], number][] = [
    ['429 with a time to wait', [telegramError(429, 'Too Many Requests', { retry_after: 40 })], 40],
    ['500', [telegramError(500, 'Internal Server Error')], 5],
    ['a page of a proxy', [{ status: 502, body: '<html>' }], 5],
    ['a page of a proxy that forbids', [{ status: 403, body: '<html>' }], 5],
    ['silence', ['silence'], 5],
    ['a connection that breaks', ['cut'], 5],
    ['a connection that breaks twice', ['cut', 'cut'], 15],
  ];

  test.each(LATER)('is sent again after %s, not before, and once', async (_, turns, waits) => {
    await fixture.reader();
    await fixture.bets('Arsenal');
    fixture.telegram.next(...turns);
    await fixture.passes(1);
    await fixture.bets('Chelsea');
    await fixture.passes(waits - 1);
    expect(fixture.told).toEqual([]);
    await fixture.passes(10);
    expect(fixture.told).toEqual([`${filledLine('Arsenal')}\n${filledLine('Chelsea')}`]);
  });

  const NEVER = [
    ['blocked', '403: Forbidden: bot was blocked by the user'],
    ['deactivated', '403: Forbidden: user is deactivated'],
    ['kicked', '403: Forbidden: bot was kicked from the supergroup chat'],
  ] as const;

  test.each(NEVER)('because the bot is %s disables, raises an alarm and loses nothing', async (why, said) => {
    const chat = await fixture.reader();
    fixture.telegram.forbid(CHAT, why);
    await fixture.bets('Arsenal');
    await fixture.passes(60);
    expect(fixture.telegram.received).toHaveLength(2);
    expect(await fixture.now(chat)).toMatchObject({ state: 'disabled', disabledBecause: `Telegram answered ${said}.` });
    const [alarm] = await new ReadAlarms(fixture.ledger).execute(ALICE, false);
    expect(alarm).toMatchObject({ kind: 'webhook_disabled', subject: chat.id });
    expect(alarm?.detail).toBe(
      `Webhook ${`${chat.id}`.slice(-8)} to the Telegram chat 4711 is disabled: Telegram answered ${said}.`,
    );
    expect(await fixture.types()).toEqual(expect.arrayContaining(['webhook.disabled', 'alarm.raised']));
    fixture.telegram.allow(CHAT);
    await fixture.use.change.enable(chat);
    await fixture.passes(5);
    expect(fixture.told.join('\n')).toContain(filledLine('Arsenal'));
    expect(await new ReadAlarms(fixture.ledger).execute(ALICE, false)).toEqual([]);
  });

  test('because the group has a new name goes there, which is stored', async () => {
    const chat = await fixture.reader();
    fixture.telegram.migrate(CHAT, -1001234567890123);
    await fixture.bets('Arsenal');
    await fixture.passes(5);
    await fixture.bets('Chelsea');
    await fixture.passes(5);
    expect(fixture.telegram.texts.slice(1)).toEqual([
      { chat: '-1001234567890123', text: filledLine('Arsenal') },
      { chat: '-1001234567890123', text: filledLine('Chelsea') },
    ]);
    expect(fixture.telegram.received.map(({ body }) => String(body['chat_id']))).toEqual([
      CHAT,
      CHAT,
      '-1001234567890123',
      '-1001234567890123',
    ]);
    expect((await fixture.now(chat))?.target).toMatchObject({ chatId: '-1001234567890123' });
    expect((await fixture.types()).filter((type) => type === 'webhook.changed')).toHaveLength(1);
  });

  test('because the group has a new name verifies it when testing', async () => {
    const chat = await fixture.chat();
    fixture.telegram.migrate(CHAT, -100555);
    const { webhook } = await fixture.use.ping.execute(chat);
    expect(webhook).toMatchObject({ state: 'active', target: { chatId: '-100555' } });
  });

  test('because nobody could read it is recorded as skipped, without blocking others', async () => {
    const chat = await fixture.reader();
    fixture.telegram.next(telegramError(400, 'Bad Request: strange'));
    await fixture.bets('Arsenal');
    await fixture.passes(5);
    await fixture.bets('Chelsea');
    await fixture.passes(5);
    expect(fixture.told).toEqual([filledLine('Chelsea')]);
    const { items } = await fixture.use.read.deliveries(chat, { limit: 10 });
    expect(items).toMatchObject([
      { type: 'order.fill', nextAt: null, said: 'Telegram answered 400: Bad Request: strange' },
    ]);
    expect((await fixture.now(chat))?.skipped).toMatchObject({ from: items[0]?.seq, because: 'given_up' });
    expect(await fixture.types()).toContain('webhook.skipped');
  });

  test('sends no report of its own loss to a subscriber of losses', async () => {
    const topic = await fixture.topic(['order.fill', 'webhook.skipped']);
    await fixture.use.ping.execute(topic);
    fixture.ntfy.always(ntfyError(400, 40099, 'invalid request'));
    await fixture.bets('Arsenal');
    await fixture.passes(30);
    expect(fixture.ntfy.received).toHaveLength(2);
  });

  test('for five days in a row disables the endpoint', async () => {
    const chat = await fixture.reader();
    fixture.telegram.always(telegramError(400, 'Bad Request: strange'));
    for (let day = 0; day < 6; day += 1) {
      expect((await fixture.now(chat))?.state).toBe('active');
      await fixture.bets(`match-${day}`);
      await fixture.passes(1);
      fixture.clock.tick(24 * 3_600_000);
    }
    expect((await fixture.now(chat))?.disabledBecause).toMatch(
      /^Nothing was delivered for five days: Telegram answered 400/,
    );
  });
});
