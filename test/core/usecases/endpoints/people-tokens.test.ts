import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_TERMS } from '../../../../src/core/endpoint/message-terms.js';
import { logOf } from '../../../contract/ledger-log.js';
import { ALICE } from '../../../support/builders.js';
import { NTFY_TOKEN } from '../../../support/fake-messengers/fake-ntfy.js';
import { BOT_TOKEN, CHAT, telegramError } from '../../../support/fake-messengers/fake-telegram.js';
import { filledLine, PeopleStage } from './people-stage.js';

let stage: PeopleStage;
beforeEach(async () => {
  stage = await PeopleStage.open();
});
afterEach(() => stage.close());

describe('the token of a bot', () => {
  test('that was revoked disables its endpoint, until another one is given', async () => {
    const chat = await stage.reader();
    await stage.use.change.patch(chat, { token: BOT_TOKEN.replace('A', 'B') }, 'a key');
    await stage.bets('Arsenal');
    await stage.passes(5);
    expect((await stage.now(chat))?.disabledBecause).toBe('Telegram answered 401: Unauthorized.');
    await stage.use.change.patch(chat, { token: BOT_TOKEN }, 'a key');
    await stage.use.change.enable(chat);
    await stage.passes(5);
    expect(stage.told.join('\n')).toContain(filledLine('Arsenal'));
  });

  test('is in no event, endpoint, failure or request on record', async () => {
    const chat = await stage.reader();
    const target = { kind: 'telegram', chatId: CHAT, threadId: null, terms: DEFAULT_TERMS } as const;
    await stage.topic();
    const common = { account: ALICE, by: 'a key', types: [], description: '', idempotencyKey: 'once' };
    await stage.use.subscribe?.execute({ ...common, target, token: BOT_TOKEN });
    stage.telegram.next(telegramError(400, `Bad Request: strange /bot${BOT_TOKEN}/`), telegramError(403, BOT_TOKEN));
    await stage.bets('Arsenal');
    await stage.passes(5);
    await stage.bets('Chelsea');
    await stage.passes(5);
    const { items } = await stage.use.read.deliveries(chat, { limit: 10 });
    expect(items).toHaveLength(1);
    const key = { account: ALICE, route: 'webhooks.create', key: 'once' } as const;
    const request = await stage.ledger.write({ account: ALICE, request: key }, (now) => ({ result: now.request(key) }));
    expect(request?.meaning).toContain('"chatId":"4711"');
    const kept = [await logOf(stage.ledger), await stage.use.read.many(ALICE), items, request];
    expect(JSON.stringify(kept)).toContain('disabled');
    for (const token of [BOT_TOKEN, NTFY_TOKEN]) expect(JSON.stringify(kept)).not.toContain(token);
  });

  test('sealed with another key is not used, and disables no endpoint', async () => {
    const chat = await stage.reader();
    await stage.bets('Arsenal');
    await stage.passes(5, stage.program(randomBytes(32)));
    expect(stage.told).toEqual([]);
    expect((await stage.now(chat))?.state).toBe('active');
    await stage.passes(10);
    expect(stage.told).toEqual([filledLine('Arsenal')]);
  });

  test('of another form is refused', async () => {
    await expect(stage.chat({}, 'tk_abcdefghijk')).rejects.toThrow('its token must be the token of a Telegram bot');
    const chat = await stage.chat();
    await expect(stage.use.change.patch(chat, { token: null }, 'a key')).rejects.toThrow(
      'must be the token of a Telegram bot',
    );
    await expect(stage.use.change.patch(chat, { topic: 'x' }, 'a key')).rejects.toThrow('its topic is not a member');
  });
});

describe('two programs that take turns', () => {
  test('tell each event once between them', async () => {
    await stage.reader();
    const [one, other] = [stage.program(), stage.program()];
    await stage.bets('Arsenal');
    await stage.passes(4, one);
    await stage.bets('Chelsea');
    await stage.passes(4, other);
    await stage.bets('Everton');
    await stage.passes(4, one);
    expect(stage.told).toEqual(['Arsenal', 'Chelsea', 'Everton'].map(filledLine));
  });

  test('send an urgent message once, while earlier ones wait until morning', async () => {
    await stage.reader({ quietHours: { from: '12:00', to: '12:05' } });
    await stage.bets('Arsenal');
    await stage.halts();
    await stage.passes(10);
    await stage.passes(10, stage.program());
    expect(stage.told).toEqual(['HALTED, account: enough, by me']);
    await stage.passes(300, stage.program());
    expect(stage.told.slice(1)).toEqual([filledLine('Arsenal')]);
  });
});
