import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TelegramMessenger } from '../../../src/adapters/telegram/index.js';
import { AddressRule, EVERY_PORT } from '../../../src/adapters/transport/address-rule.js';
import { GuardedHttp } from '../../../src/adapters/transport/guarded-http.js';
import { DEFAULT_TERMS } from '../../../src/core/endpoint/message-terms.js';
import { BOT_TOKEN, CHAT, FakeTelegram, telegramError } from '../../support/fake-messengers/fake-telegram.js';
import type { Turn } from '../../support/fake-messengers/stand-in.js';

const TARGET = { kind: 'telegram', chatId: CHAT, threadId: null, terms: DEFAULT_TERMS } as const;
const TEXT = { title: 'stakeport', text: 'BUY 35.08 *Arsenal_ [YES]', isUrgent: false };

let telegram: FakeTelegram;
let http: GuardedHttp;
let messenger: TelegramMessenger;

beforeEach(async () => {
  telegram = await FakeTelegram.start();
  http = new GuardedHttp(
    { allowHttp: true, addresses: new AddressRule(['127.0.0.1/32'], [EVERY_PORT]) },
    { overallMs: 400 },
  );
  messenger = new TelegramMessenger(new URL(telegram.url), http);
});
afterEach(async () => {
  await http.close();
  await telegram.close();
});

test('a message arrives in its topic as plain text, without markup', async () => {
  expect(await messenger.send({ ...TARGET, threadId: 7 }, BOT_TOKEN, TEXT)).toEqual({ kind: 'delivered' });
  expect(telegram.texts).toEqual([{ chat: CHAT, text: TEXT.text }]);
  const { body } = telegram.received[0] ?? {};
  expect(body).toEqual({
    chat_id: CHAT,
    message_thread_id: 7,
    text: TEXT.text,
    link_preview_options: { is_disabled: true },
  });
});

test('the longest allowed text is delivered, and a longer one is refused', async () => {
  const { most } = messenger.limit;
  const whole = '😀'.repeat(most / 2);
  expect(messenger.limit.sizeOf(whole)).toBe(most);
  expect(await messenger.send(TARGET, BOT_TOKEN, { ...TEXT, text: whole })).toEqual({ kind: 'delivered' });
  expect(await messenger.send(TARGET, BOT_TOKEN, { ...TEXT, text: `${whole}x` })).toMatchObject({ kind: 'too_long' });
});

const PAGE = { status: 403, body: '<html>Blocked by your provider</html>' };

describe('what may pass is tried again', () => {
  test.each<[string, Turn, number | null]>([
    [
      '429 with the seconds to wait',
      telegramError(429, 'Too Many Requests: retry after 34', { retry_after: 34 }),
      34_000,
    ],
    ['429 with a header alone', { status: 429, headers: { 'retry-after': '5' } }, 5000],
    ['429 that does not say how long', { status: 429 }, null],
    ['500', telegramError(500, 'Internal Server Error'), null],
    ['502 of a gateway', { status: 502, body: 'Bad Gateway' }, null],
    ['504', { status: 504 }, null],
    ['a page in place of Telegram, whatever its status', PAGE, null],
    ['a redirect, which is not followed', { status: 302, headers: { location: 'https://example.org/' } }, null],
    ['silence', 'silence', null],
    ['a connection that breaks', 'cut', null],
    ['a connection that breaks after the message was taken', 'cut_after', null],
  ])('%s', async (_, turn, afterMs) => {
    telegram.next(turn);
    expect(await messenger.send(TARGET, BOT_TOKEN, TEXT)).toEqual({
      kind: 'retry',
      because: expect.stringMatching(/^Telegram /),
      afterMs,
    });
    expect(telegram.received).toHaveLength(1);
  });

  test('a Telegram that cannot be reached', async () => {
    const gone = new TelegramMessenger(new URL('http://127.0.0.1:1'), http);
    expect(await gone.send(TARGET, BOT_TOKEN, TEXT)).toMatchObject({
      kind: 'retry',
      because: 'Telegram cannot be reached',
    });
  });
});

describe('what a person has to change is not tried again', () => {
  test.each(['blocked', 'deactivated', 'kicked'] as const)('a bot that was %s', async (why) => {
    telegram.forbid(CHAT, why);
    expect(await messenger.send(TARGET, BOT_TOKEN, TEXT)).toEqual({
      kind: 'gone',
      because: expect.stringContaining(`403: Forbidden`),
    });
  });

  test.each([
    [400, 'Bad Request: chat not found'],
    [400, 'Bad Request: message thread not found'],
    [400, 'Bad Request: not enough rights to send text messages to the chat'],
    [401, 'Unauthorized'],
    [404, 'Not Found'],
  ])('%i %s', async (status, description) => {
    telegram.next(telegramError(status, description));
    expect(await messenger.send(TARGET, BOT_TOKEN, TEXT)).toEqual({
      kind: 'gone',
      because: `Telegram answered ${status}: ${description}`,
    });
  });
});

test('a message that it cannot take is refused alone', async () => {
  expect(await messenger.send(TARGET, BOT_TOKEN, { ...TEXT, text: ' ' })).toEqual({
    kind: 'refused',
    because: 'Telegram answered 400: Bad Request: message text is empty',
  });
});

test('a 413 or a too-long error asks for a shorter text', async () => {
  telegram.next({ status: 413, body: '<html></html>' });
  expect(await messenger.send(TARGET, BOT_TOKEN, TEXT)).toMatchObject({ kind: 'too_long' });
});

test('a group that became a supergroup says what it is called now', async () => {
  telegram.migrate(CHAT, -1001234567890);
  expect(await messenger.send(TARGET, BOT_TOKEN, TEXT)).toEqual({ kind: 'moved', chatId: '-1001234567890' });
});

test('an invalid bot token never becomes part of an address', async () => {
  for (const token of [null, '', '1:../../x', `${BOT_TOKEN}/getMe?`])
    expect(await messenger.send(TARGET, token, TEXT)).toMatchObject({ kind: 'gone' });
  expect(telegram.received).toEqual([]);
});

test('the token is in no reason, even where Telegram repeats it', async () => {
  telegram.next(telegramError(403, `Forbidden: bot ${BOT_TOKEN} is not wanted`));
  const outcomes = [await messenger.send(TARGET, BOT_TOKEN, TEXT)];
  for (const turn of ['cut', 'silence', { status: 500 }] as const) {
    telegram.next(turn);
    outcomes.push(await messenger.send(TARGET, BOT_TOKEN, TEXT));
  }
  expect(JSON.stringify(outcomes)).not.toContain(BOT_TOKEN.slice(-20));
});
