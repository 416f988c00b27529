import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventPresenter } from '../../src/adapters/http/index.js';
import { NtfyMessenger } from '../../src/adapters/ntfy/index.js';
import { TelegramMessenger } from '../../src/adapters/telegram/index.js';
import {
  AddressRule,
  AesSecretBox,
  EVERY_PORT,
  GuardedHttp,
  StandardWebhookSender,
} from '../../src/adapters/webhooks/index.js';
import { createStakeport, InputInvalid, type PersonRequest, type StakeportWithWebhooks } from '../../src/index.js';
import { FakeNtfy, NTFY_TOKEN, TOPIC } from '../support/fake-messengers/fake-ntfy.js';
import { BOT_TOKEN, CHAT, FakeTelegram } from '../support/fake-messengers/fake-telegram.js';

let [telegram, ntfy, http, stakeport]: [FakeTelegram, FakeNtfy, GuardedHttp, StakeportWithWebhooks] = [] as never;

function embedded(hasMessengers = true): StakeportWithWebhooks {
  const box = new AesSecretBox(randomBytes(32));
  const guard = { allowHttp: true, networks: ['127.0.0.0/8'], ports: [EVERY_PORT] };
  const sender = new StandardWebhookSender({ box, present: eventPresenter(() => null), ...guard });
  const bot = new TelegramMessenger(new URL(telegram.url), http);
  const messengers = { messengers: { telegram: bot, ntfy: new NtfyMessenger(http) } };
  return createStakeport({ webhooks: { box, sender, ...(hasMessengers && messengers) } });
}

beforeEach(async () => {
  [telegram, ntfy] = [await FakeTelegram.start(), await FakeNtfy.start()];
  http = new GuardedHttp({ allowHttp: true, addresses: new AddressRule(['127.0.0.0/8'], [EVERY_PORT]) });
  stakeport = embedded();
});
afterEach(async () => {
  await Promise.all([stakeport.close(), http.close(), telegram.close(), ntfy.close()]);
});

const chat = (changes: object = {}) =>
  ({ kind: 'telegram', chatId: CHAT, token: BOT_TOKEN, gatherMs: 0, ...changes }) as PersonRequest;

it("A program's delivery notifies a chat and a topic of fills once", async () => {
  const topic = { kind: 'ntfy', url: ntfy.url, topic: TOPIC, token: NTFY_TOKEN, gatherMs: 0 } as const;
  for (const request of [chat(), topic]) {
    const told = await stakeport.webhooks.tell('me', request);
    expect(JSON.stringify(told)).not.toContain(request.token);
    const { answer, webhook } = await stakeport.webhooks.ping('me', told.id);
    expect([answer.kind, webhook.state]).toEqual(['taken', 'active']);
  }
  await stakeport.orders.place({ account: 'me', market: 'rain', outcome: 'YES', price: '0.5', usdc: 10 });
  await stakeport.webhooks.deliver();
  await stakeport.webhooks.deliver();
  const words = 'BUY 20 rain YES at 0.5 filled: 10.00 USDC, paper';
  expect(telegram.texts.map(({ text }) => text).filter((text) => text.includes('rain'))).toEqual([words]);
  expect(ntfy.received.map(({ body }) => body['message']).filter((text) => text === words)).toEqual([words]);
});

it.each<[string, object]>([
  ['chatId must be the number of a chat, or the @name of a channel.', { chatId: 'bets' }],
  ['threadId must be a whole number from 1 to 999999999, or null.', { threadId: 0 }],
  ['quietHours must have times such as 22:00.', { quietHours: { from: '22', to: '07:00' } }],
  ['summaryAt must be a time such as 08:00.', { summaryAt: 'noon' }],
  ['zone must be a time zone such as Europe/Berlin.', { zone: 'Mars' }],
  ['gatherMs must be a whole number from 0 to 600000.', { gatherMs: 0.5 }],
  ['topic must have 1 to 64 letters, digits, - or _.', { kind: 'ntfy', url: 'https://ntfy.sh', topic: '' }],
  ["kind must be telegram or ntfy; got 'mail'.", { kind: 'mail' }],
  ['quiet is not known', { quiet: null }],
])('What cannot be is refused with what to pass instead: %s', async (words, wrong) => {
  const request = 'topic' in wrong ? (wrong as PersonRequest) : chat(wrong);
  const refused = stakeport.webhooks.tell('me', request);
  await expect(refused).rejects.toThrow(InputInvalid);
  await expect(refused).rejects.toThrow(words);
  expect(await stakeport.webhooks.list('me')).toEqual([]);
});

it('A program without messengers is refused with the missing option named', async () => {
  const bare = embedded(false);
  await expect(bare.webhooks.tell('me', chat())).rejects.toThrow('kind needs the option webhooks.messengers.');
  await bare.close();
});
