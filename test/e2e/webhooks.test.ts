import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { ORDER, ORDERS } from '../support/app.js';
import { EACH_DATABASE, freshPostgres, freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';
import { Receiver } from '../support/receiver.js';
import { createKey, stakeport } from './command-line.js';

const WEBHOOKS = '/v1/webhooks';
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const envOf = (url: string) => ({
  DATABASE_URL: url,
  WEBHOOK_ALLOW_HTTP: 'on',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_ALLOWED_PORTS: '1-65535',
  SECRETS_KEY: KEY,
});
const KEY = randomBytes(32).toString('base64');

async function running(env: Readonly<Record<string, string>>) {
  const server = await startServer({ env });
  ends.push(() => server.kill('SIGKILL'));
  return { server, client: new Client(server.url) };
}

/** A receiver, and a webhook to it that is active. */
async function subscribed(client: Client): Promise<Receiver> {
  const receiver = await Receiver.start();
  ends.push(() => receiver.close());
  const made = (await client.post(WEBHOOKS, { url: receiver.url, types: ['order.fill'] })).json<
    Record<string, string>
  >();
  receiver.secret = made['secret'] ?? '';
  const pinged = await client.post(`${WEBHOOKS}/${made['id']}/ping`, {});
  expect(pinged.json()).toMatchObject({ taken: true, webhook: { state: 'active' } });
  return receiver;
}

describe('Webhooks of a server', () => {
  it.each(EACH_DATABASE)('are resent with the same id after a kill before recording: %s', async (_, fresh) => {
    const { url, remove } = await fresh();
    ends.push(remove);
    const { server, client } = await running(envOf(url));
    const receiver = await subscribed(client);
    const died = new Promise((resolve) => {
      receiver.answering = () => {
        resolve(server.kill('SIGKILL'));
        return null;
      };
    });
    await client.post(ORDERS, ORDER);
    await died;
    receiver.answering = () => 204;
    await running(envOf(url));
    await expect.poll(() => receiver.taken.length).toBe(1);
    const fills = receiver.received.filter(({ type }) => type === 'order.fill');
    expect(new Set(fills.map(({ id }) => id)).size).toBe(1);
    expect(fills.length).toBeGreaterThan(1);
  });

  it('are sent by one of two servers, never by both after takeover', async () => {
    const { url, drop } = await freshPostgres();
    ends.push(drop);
    const [one, other] = [await running(envOf(url)), await running(envOf(url))];
    const receiver = await subscribed(other.client);
    const places = async (many: number, ...clients: readonly Client[]) => {
      for (let n = 0; n < many; n += 1) await clients[n % clients.length]?.post(ORDERS, ORDER);
    };
    await places(10, one.client, other.client);
    await expect.poll(() => receiver.taken.length).toBe(10);
    const metrics = await Promise.all([one, other].map(async ({ client }) => (await client.get('/metrics')).text));
    // Pings, too.
    const sent = metrics.flatMap(
      (text) => /^stakeport_webhook_tries_total\{result="taken"\} (\d+)$/m.exec(text)?.[1] ?? [],
    );
    expect(sent.map(Number).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(10);
    for (const text of metrics) expect(text).toContain('stakeport_webhook_deliveries_waiting 0');
    process.kill(one.server.pid, 'SIGSTOP');
    await places(5, other.client);
    await expect.poll(() => receiver.taken.length).toBe(15);
    process.kill(one.server.pid, 'SIGCONT');
    await places(10, one.client, other.client);
    await expect.poll(() => new Set(receiver.taken).size).toBe(25);
    await one.server.says(/another server has taken over the lease/);
    expect(receiver.taken).toHaveLength(25);
  });

  it('show secrets only in the answers of creation and rotation', async () => {
    const { url, path, remove } = freshSqliteFile();
    ends.push(remove);
    const { server, client } = await running({ ...envOf(url), LOG_LEVEL: 'trace' });
    const receiver = await subscribed(client);
    const [{ id }] = (await client.get(WEBHOOKS)).json<{ data: [{ id: string }] }>().data;
    const rotated = (await client.post(`${WEBHOOKS}/${id}/rotate`, {})).json<{ secret: string }>().secret;
    const secrets = [receiver.secret ?? '', rotated, KEY].map((one) => one.replace('whsec_', ''));
    receiver.answering = () => 500;
    await client.post(ORDERS, ORDER);
    const deliveries = `${WEBHOOKS}/${id}/deliveries`;
    await expect.poll(async () => (await client.get(deliveries)).text).toContain('"waiting"');
    const reads = [WEBHOOKS, `${WEBHOOKS}/${id}`, deliveries, '/v1/events', '/v1/alarms', '/metrics', '/openapi.json'];
    const answered = await Promise.all(reads.map(async (one) => (await client.get(one)).text));
    const acts = ['ping', 'disable', 'enable', 'replay'].map(
      (act) => [`${WEBHOOKS}/${id}/${act}`, { after: '0' }] as const,
    );
    for (const [act, body] of acts) answered.push((await client.post(act, act.endsWith('replay') ? body : {})).text);
    answered.push((await client.post(WEBHOOKS, { url: 'http://10.0.0.1/', secret: rotated.slice(0, 5) })).text);
    answered.push((await client.delete(`${WEBHOOKS}/${id}`)).text);
    await server.kill('SIGTERM');
    const files = ['', '-wal']
      .map((end) => (existsSync(path + end) ? readFileSync(path + end, 'latin1') : ''))
      .join('');
    expect(files).toContain(id);
    for (const text of [...answered, server.output(), files])
      expect(secrets.filter((one) => text.includes(one))).toEqual([]);
  });

  it('are disabled with the key that made them, while others go on', async () => {
    const { url, remove } = freshSqliteFile();
    ends.push(remove);
    const command = { env: { ...envOf(url), KEY_PEPPER: 'a pepper for tests alone' } };
    const { client } = await running({ ...command.env, AUTH_MODE: 'keys' });
    const keys = await Promise.all(
      [1, 2].map(() => createKey(command, 'alice', 'orders:read,orders:paper,webhooks:write')),
    );
    const [leaked, kept] = keys.map(({ key }) => client.as({ authorization: `Bearer ${key}` })) as [Client, Client];
    const [ended, other] = [await subscribed(leaked), await subscribed(kept)];
    await kept.post(ORDERS, ORDER);
    await expect.poll(() => [ended.taken.length, other.taken.length]).toEqual([1, 1]);
    const { output } = await stakeport(command, 'keys', 'revoke', keys[0]?.id ?? '');
    expect(output).toMatch(/^The webhook \S+ to 127\.0\.0\.1\S*, which it made, is disabled\.$/m);
    const { data } = (await kept.get(WEBHOOKS)).json<{ data: { url: string; state: string }[] }>();
    expect(new Map(data.map(({ url, state }) => [url, state]))).toEqual(
      new Map([
        [ended.url, 'disabled'],
        [other.url, 'active'],
      ]),
    );
    // What another process disabled is known here within a second: an order after that is told to the other one alone.
    const toldToEnded = async () => {
      const [had, others] = [ended.taken.length, other.taken.length];
      await kept.post(ORDERS, ORDER);
      await expect.poll(() => other.taken.length).toBeGreaterThan(others);
      return ended.taken.length - had;
    };
    await expect.poll(toldToEnded).toBe(0);
    expect(await toldToEnded()).toBe(0);
  });

  it('need https and a public address unless the operator allows more', async () => {
    const { client } = await running({ DATABASE_URL: 'memory:', SECRETS_KEY: KEY });
    const refusals = [
      ['http://example.org/hook', 'must be an https URL: this server allows no http (WEBHOOK_ALLOW_HTTP)'],
      [
        'https://10.0.0.1/hook',
        'must lead to an address of the public Internet, or to a network that the server allows (WEBHOOK_ALLOWED_NETWORKS)',
      ],
    ];
    for (const [url = '', detail] of refusals) {
      const refused = await client.post(WEBHOOKS, { url });
      expect([refused.status, refused.json()['errors']]).toEqual([422, [{ pointer: '/url', detail }]]);
    }
    expect((await client.get(WEBHOOKS)).json()['data']).toEqual([]);
    expect((await client.post(WEBHOOKS, { url: 'https://example.org/hook' })).status).toBe(201);
  });

  it('are not there without SECRETS_KEY', async () => {
    const { url, remove } = freshSqliteFile();
    ends.push(remove);
    const { client } = await running({ DATABASE_URL: url });
    expect((await client.get(WEBHOOKS)).status).toBe(404);
    expect((await client.get('/openapi.json')).text).not.toContain(WEBHOOKS);
  });
});
