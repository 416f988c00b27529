import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TelegramBot, UPDATE_LIMITS } from '../../../src/adapters/telegram/index.js';
import { AddressRule, EVERY_PORT } from '../../../src/adapters/transport/address-rule.js';
import { GuardedHttp } from '../../../src/adapters/transport/guarded-http.js';
import { CommandPolling } from '../../../src/server/background/command-polling.js';
import { aChannel } from '../../core/usecases/commands/fixture.js';
import { BOT_TOKEN, FakeTelegram } from '../../support/fake-messengers/fake-telegram.js';

let telegram: FakeTelegram;
let http: GuardedHttp;
let polling: CommandPolling;
let isHere: boolean;
let faults: number;
const logged: string[] = [];
const answered: string[] = [];
const hearing: boolean[] = [];

beforeEach(async () => {
  [isHere, faults, logged.length, answered.length, hearing.length] = [true, 0, 0, 0, 0];
  telegram = await FakeTelegram.start();
  http = new GuardedHttp(
    { allowHttp: true, addresses: new AddressRule(['127.0.0.1/32'], [EVERY_PORT]) },
    UPDATE_LIMITS,
  );
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => void logged.push(line) });
  const answer = {
    async execute(_: unknown, update: object) {
      if (faults-- > 0) throw new Error('no store');
      answered.push('name' in update ? `${update.name}` : '');
    },
  };
  const bot = new TelegramBot(new URL(telegram.url), http, http);
  const parts = {
    bot,
    answer,
    hearing: { execute: async (_: unknown, isHeard: boolean) => void hearing.push(isHeard) },
    isReadable: () => true,
    open: () => BOT_TOKEN,
  };
  polling = new CommandPolling(parts, () => isHere, logger);
});
afterEach(async () => {
  const ended = polling.close();
  await http.close();
  await ended;
  await telegram.close();
});

const asked = () => telegram.received.filter(({ path }) => path.endsWith('/getUpdates')).length;

it('chats of one bot are listened to by one request at a time', async () => {
  polling.look([aChannel(), aChannel()]);
  polling.look([aChannel(), aChannel()]);
  telegram.says('/status');
  await expect.poll(() => answered).toEqual(['status']);
  await expect.poll(asked).toBe(2);
});

it('nobody is listened to where nobody may command, or another server does', async () => {
  polling.look([aChannel(null)]);
  isHere = false;
  polling.look([aChannel()]);
  await polling.close();
  expect(telegram.received).toEqual([]);
});

it('a command that could not be answered is answered later, once', async () => {
  faults = 1;
  polling.look([aChannel()]);
  telegram.says('/halt');
  await expect.poll(() => answered).toEqual(['halt']);
  await expect.poll(() => telegram.received.at(-1)?.body['offset']).toBe(1002);
});

it('a bot whose updates go elsewhere is logged once, with what to do', async () => {
  telegram.takeOver(true);
  polling.look([aChannel()]);
  await expect.poll(asked).toBe(2);
  expect(logged).toEqual([
    expect.stringMatching(/"bot":"110201543","because":"Telegram answered 409.*end that program/),
  ]);
});

it('a bot whose updates go elsewhere is an alarm until they are heard again', async () => {
  telegram.takeOver(true);
  polling.look([aChannel()]);
  await expect.poll(asked, { timeout: 10_000 }).toBe(2);
  expect(hearing).toEqual([false]);
  telegram.takeOver(false);
  for (const nth of [1, 2]) {
    telegram.says('/status');
    await expect.poll(() => answered.length, { timeout: 10_000 }).toBe(nth);
  }
  await expect.poll(() => hearing, { timeout: 10_000 }).toEqual([false, true]);
});
