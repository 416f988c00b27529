import { afterEach, beforeEach, expect, test } from 'vitest';
import { TelegramBot, UPDATE_LIMITS } from '../../../src/adapters/telegram/index.js';
import { AddressRule, EVERY_PORT } from '../../../src/adapters/transport/address-rule.js';
import { GuardedHttp } from '../../../src/adapters/transport/guarded-http.js';
import { COMMANDS } from '../../../src/core/endpoint/command.js';
import type { ChatPress } from '../../../src/ports/chat-bot.js';
import { BOT_TOKEN, CHAT, FakeTelegram, telegramError, USER } from '../../support/fake-messengers/fake-telegram.js';
import type { Turn } from '../../support/fake-messengers/stand-in.js';

let telegram: FakeTelegram;
let http: GuardedHttp;
let bot: TelegramBot;

beforeEach(async () => {
  telegram = await FakeTelegram.start();
  const terms = { allowHttp: true, addresses: new AddressRule(['127.0.0.1/32'], [EVERY_PORT]) };
  http = new GuardedHttp(terms, UPDATE_LIMITS);
  bot = new TelegramBot(new URL(telegram.url), http, http);
});
afterEach(async () => {
  await http.close();
  await telegram.close();
});

const heard = async (from: number | null = null) => {
  const polled = await bot.updates(BOT_TOKEN, from);
  if (polled.kind !== 'updates') throw new Error(polled.because);
  return polled;
};

test('a command is heard with its chat, its sender and its topic', async () => {
  telegram.says('/Halt now', { chat: '-100', from: 7 }, { is_topic_message: true, message_thread_id: 3 });
  const { updates, next } = await heard();
  expect(updates).toEqual([
    { kind: 'command', chatId: '-100', threadId: 3, userId: 7, name: 'halt', at: expect.any(Date) },
  ]);
  telegram.says('/status');
  expect((await heard(next)).updates).toMatchObject([{ name: 'status', threadId: null }]);
});

test('what is no command to this bot is not heard', async () => {
  await bot.introduce(BOT_TOKEN, COMMANDS);
  telegram.says('hello');
  telegram.says('/halt@other_bot');
  telegram.says('/halt', {}, { forward_origin: { type: 'user' } });
  telegram.says('/status@STAKE_bot');
  expect((await heard()).updates).toMatchObject([{ name: 'status' }]);
  expect(telegram.commands).toContainEqual({ command: 'halt', description: COMMANDS.halt });
});

test('a press is heard, answered, and loses its row of buttons alone', async () => {
  const rows = [[{ label: 'Approve a', data: 'a' }], [{ label: 'Approve b', data: 'b' }]];
  const keyboard = rows.map((row) => row.map(({ label, data }) => ({ text: label, callback_data: data })));
  telegram.sent.push({ id: 5, chat: CHAT, text: 'Approve?', buttons: keyboard });
  telegram.presses('Approve a');
  const [press] = (await heard()).updates as ChatPress[];
  expect(press).toMatchObject({
    kind: 'press',
    chatId: CHAT,
    userId: USER,
    messageId: 5,
    data: 'a',
    others: [rows[1]],
  });
  await bot.answerPress(BOT_TOKEN, press?.id ?? '', 'x'.repeat(300));
  await bot.removeButtons(BOT_TOKEN, press as ChatPress);
  expect(telegram.toasts).toEqual(['x'.repeat(200)]);
  expect(telegram.sent[0]?.buttons).toEqual([keyboard[1]]);
});

test('updates that Telegram hands to another program are elsewhere', async () => {
  telegram.takeOver(true);
  expect(await bot.updates(BOT_TOKEN, null)).toMatchObject({
    kind: 'elsewhere',
    because: expect.stringContaining('Telegram answered 409: Conflict'),
  });
});

test.each<[string, Turn, number | null]>([
  ['429', telegramError(429, `Too Many Requests: ${BOT_TOKEN}`, { retry_after: 34 }), 34_000],
  ['a page of a proxy', { status: 200, body: '<html>' }, null],
  ['a broken connection', 'cut', null],
])('%s fails, with how long to wait and without the token', async (_, turn, afterMs) => {
  telegram.next(turn);
  const polled = await bot.updates(BOT_TOKEN, null);
  expect(polled).toMatchObject({ kind: 'failed', afterMs });
  expect(JSON.stringify(polled)).not.toContain(BOT_TOKEN);
});

test.each<[object, boolean]>([
  [{ status: 'creator' }, true],
  [{ status: 'administrator' }, true],
  [{ status: 'member' }, true],
  [{ status: 'restricted', is_member: true }, true],
  [{ status: 'restricted', is_member: false }, false],
  [{ status: 'left' }, false],
  [{ status: 'kicked' }, false],
])('a user of whom Telegram says %j is a member: %s', async (status, isMember) => {
  telegram.standing(7, status);
  expect(await bot.isMember(BOT_TOKEN, '-100', 7)).toBe(isMember);
});

test('a user of whom Telegram says nothing is no member', async () => {
  telegram.next(telegramError(500, 'Internal Server Error'));
  expect(await bot.isMember(BOT_TOKEN, '-100', 7)).toBe(false);
});
