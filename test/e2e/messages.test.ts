import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { ORDERS, STRATEGIES, STRATEGY } from '../support/app.js';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { FakeNtfy, NTFY_TOKEN, TOPIC } from '../support/fake-messengers/fake-ntfy.js';
import { BOT_TOKEN, CHAT, FakeTelegram, telegramError } from '../support/fake-messengers/fake-telegram.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';

const WEBHOOKS = '/v1/webhooks';
const KEY = randomBytes(32).toString('base64');
const ARSENAL = { market_id: 'Arsenal', token: 'YES', price: 0.57, size_usdc: 20 } as const;
const FILLED = 'BUY 35.08 Arsenal YES at 0.57 filled: 20.00 USDC, paper';
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function messenger<Fake extends { close(): Promise<void> }>(starting: Promise<Fake>): Promise<Fake> {
  const fake = await starting;
  ends.push(() => fake.close());
  return fake;
}

async function running(url: string, telegram: FakeTelegram) {
  const env = { DATABASE_URL: url, SECRETS_KEY: KEY, TELEGRAM_API_URL: telegram.url, LOG_LEVEL: 'trace' };
  const guard = { WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_ALLOWED_PORTS: '1-65535' };
  const server = await startServer({ env: { ...env, ...guard } });
  ends.push(() => server.kill('SIGKILL'));
  return { server, client: new Client(server.url) };
}

/** Somebody with a chat who took the test message; returns where they are in the API. */
async function reader(client: Client, changes: object = {}): Promise<string> {
  const body = { kind: 'telegram', chat_id: Number(CHAT), token: BOT_TOKEN, gather_seconds: 2, ...changes };
  const path = `${WEBHOOKS}/${(await client.post(WEBHOOKS, body)).json()['id']}`;
  expect((await client.post(`${path}/ping`, {})).json()).toMatchObject({ taken: true });
  return path;
}

const told = (telegram: FakeTelegram) =>
  telegram.texts.map(({ text }) => text).filter((text) => !/^This is a test/.test(text));

it('20 fills are one message per chat and topic, without leaking tokens', async () => {
  const { url, path: file, remove } = freshSqliteFile();
  ends.push(remove);
  const telegram = await messenger(FakeTelegram.start());
  const ntfy = await messenger(FakeNtfy.start());
  const { server, client } = await running(url, telegram);
  const { id } = (await client.post(STRATEGIES, STRATEGY)).json<{ id: string }>();
  for (const stake of [60, 70]) await client.patch(`${STRATEGIES}/${id}`, { stake_cap: stake });
  const chat = await reader(client);
  const topic = await reader(client, {
    kind: 'ntfy',
    url: ntfy.url,
    topic: TOPIC,
    token: NTFY_TOKEN,
    chat_id: undefined,
  });
  await Promise.all(Array.from({ length: 20 }, () => client.post(ORDERS, { ...ARSENAL, strategy_id: id })));
  const message = Array.from({ length: 20 }, () => `${FILLED}, Home favourites v3`).join('\n');
  await expect.poll(() => told(telegram)).toEqual([message]);
  await expect.poll(() => ntfy.published.map((one) => one['message'])).toContain(message);

  telegram.always(telegramError(403, `Forbidden: bot ${BOT_TOKEN} was blocked`));
  await client.post(ORDERS, ARSENAL);
  const disabled = async () => (await client.get(chat)).json()['state'];
  await expect.poll(disabled).toBe('disabled');
  const bad = await client.post(WEBHOOKS, { kind: 'telegram', chat_id: 1, token: `${NTFY_TOKEN} ${BOT_TOKEN}` });
  expect(bad.status).toBe(422);
  const reads = [
    chat,
    topic,
    WEBHOOKS,
    `${chat}/deliveries`,
    '/v1/events?limit=100',
    '/v1/alarms',
    '/metrics',
    '/readyz',
  ];
  const answers = await Promise.all(reads.map((read) => client.get(read)));
  const kept = ['', '-wal'].map((end) => readFileSync(`${file}${end}`, 'latin1')).join('');
  const seen = [bad.text, server.output(), kept, ...answers.map(({ text }) => text)].join('\n');
  expect(seen).toContain('Forbidden: bot … was blocked');
  const secrets = [BOT_TOKEN, BOT_TOKEN.slice(-20), NTFY_TOKEN, KEY];
  expect(secrets.filter((secret) => seen.includes(secret))).toEqual([]);
});

it('a server killed between sending and recording sends the message again', async () => {
  const { url, remove } = freshSqliteFile();
  ends.push(remove);
  const telegram = await messenger(FakeTelegram.start());
  const { server, client } = await running(url, telegram);
  await reader(client, { gather_seconds: 0 });
  telegram.next('silence_after');
  await client.post(ORDERS, ARSENAL);
  await expect.poll(() => told(telegram)).toEqual([FILLED]);
  await server.kill('SIGKILL');
  await running(url, telegram);
  await expect.poll(() => told(telegram)).toEqual([FILLED, FILLED]);
});

it('one of two servers on one Postgres notifies, the other takes over', async () => {
  const { url, drop } = await freshPostgres();
  ends.push(drop);
  const telegram = await messenger(FakeTelegram.start());
  const [one, other] = [await running(url, telegram), await running(url, telegram)];
  const chat = await reader(other.client, { gather_seconds: 1 });
  for (const { client } of [one, other]) await client.post(ORDERS, ARSENAL);
  const lines = () => told(telegram).flatMap((text) => text.split('\n'));
  await expect.poll(lines).toEqual([FILLED, FILLED]);
  // Before that is on record, a server that dies leaves it to be told again.
  const { head } = (await other.client.get('/v1/events?limit=1')).json<{ head: string }>();
  await expect.poll(async () => (await other.client.get(chat)).json()['passed']).toBe(head);
  await one.server.kill('SIGKILL');
  await other.client.post(ORDERS, ARSENAL);
  await expect.poll(lines).toEqual([FILLED, FILLED, FILLED]);
});
