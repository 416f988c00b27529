import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_TERMS } from '../../../../src/core/endpoint/message-terms.js';
import { logOf } from '../../../contract/ledger-log.js';
import { ALICE } from '../../../support/builders.js';
import { NTFY_TOKEN } from '../../../support/fake-messengers/fake-ntfy.js';
import { BOT_TOKEN, CHAT, telegramError } from '../../../support/fake-messengers/fake-telegram.js';
import { filledLine, PeopleFixture } from './people-fixture.js';

let fixture: PeopleFixture;
beforeEach(async () => {
  fixture = await PeopleFixture.open();
});
afterEach(() => fixture.close());

describe('the token of a bot', () => {
  test('that was revoked disables its endpoint, until another one is given', async () => {
    const chat = await fixture.reader();
    await fixture.use.change.patch(chat, { token: BOT_TOKEN.replace('A', 'B') }, 'a key');
    await fixture.bets('Arsenal');
    await fixture.passes(5);
    expect((await fixture.now(chat))?.disabledBecause).toBe('Telegram answered 401: Unauthorized.');
    await fixture.use.change.patch(chat, { token: BOT_TOKEN }, 'a key');
    await fixture.use.change.enable(chat);
    await fixture.passes(5);
    expect(fixture.told.join('\n')).toContain(filledLine('Arsenal'));
  });

  test('is in no event, endpoint, failure or request on record', async () => {
    const chat = await fixture.reader();
    const target = { kind: 'telegram', chatId: CHAT, threadId: null, terms: DEFAULT_TERMS } as const;
    await fixture.topic();
    const common = { account: ALICE, by: 'a key', types: [], description: '', idempotencyKey: 'once' };
    await fixture.use.subscribe?.execute({ ...common, target, token: BOT_TOKEN });
    fixture.telegram.next(telegramError(400, `Bad Request: strange /bot${BOT_TOKEN}/`), telegramError(403, BOT_TOKEN));
    await fixture.bets('Arsenal');
    await fixture.passes(5);
    await fixture.bets('Chelsea');
    await fixture.passes(5);
    const { items } = await fixture.use.read.deliveries(chat, { limit: 10 });
    expect(items).toHaveLength(1);
    const key = { account: ALICE, route: 'webhooks.create', key: 'once' } as const;
    const request = await fixture.ledger.write({ account: ALICE, request: key }, (now) => ({
      result: now.request(key),
    }));
    expect(request?.meaning).toContain('"chatId":"4711"');
    const kept = [await logOf(fixture.ledger), await fixture.use.read.many(ALICE), items, request];
    expect(JSON.stringify(kept)).toContain('disabled');
    for (const token of [BOT_TOKEN, NTFY_TOKEN]) expect(JSON.stringify(kept)).not.toContain(token);
  });

  test('sealed with another key is not used, and disables no endpoint', async () => {
    const chat = await fixture.reader();
    await fixture.bets('Arsenal');
    await fixture.passes(5, fixture.program(randomBytes(32)));
    expect(fixture.told).toEqual([]);
    expect((await fixture.now(chat))?.state).toBe('active');
    await fixture.passes(10);
    expect(fixture.told).toEqual([filledLine('Arsenal')]);
  });

  test('of another form is refused', async () => {
    await expect(fixture.chat({}, 'tk_abcdefghijk')).rejects.toThrow('its token must be the token of a Telegram bot');
    const chat = await fixture.chat();
    await expect(fixture.use.change.patch(chat, { token: null }, 'a key')).rejects.toThrow(
      'must be the token of a Telegram bot',
    );
    await expect(fixture.use.change.patch(chat, { topic: 'x' }, 'a key')).rejects.toThrow('its topic is not a member');
  });
});

describe('two programs that take turns', () => {
  test('send each event once between them', async () => {
    await fixture.reader();
    const [one, other] = [fixture.program(), fixture.program()];
    await fixture.bets('Arsenal');
    await fixture.passes(4, one);
    await fixture.bets('Chelsea');
    await fixture.passes(4, other);
    await fixture.bets('Everton');
    await fixture.passes(4, one);
    expect(fixture.told).toEqual(['Arsenal', 'Chelsea', 'Everton'].map(filledLine));
  });

  test('send an urgent message once, while earlier ones wait until morning', async () => {
    await fixture.reader({ quietHours: { from: '12:00', to: '12:05' } });
    await fixture.bets('Arsenal');
    await fixture.halts();
    await fixture.passes(10);
    await fixture.passes(10, fixture.program());
    expect(fixture.told).toEqual(['HALTED, account: enough, by me']);
    await fixture.passes(300, fixture.program());
    expect(fixture.told.slice(1)).toEqual([filledLine('Arsenal')]);
  });
});
