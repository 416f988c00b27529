import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { ORDER, ORDERS } from '../support/app.js';
import { EACH_DATABASE, freshPostgres, freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';
import { Receiver } from '../support/receiver.js';

const WEBHOOKS = '/v1/webhooks';
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const envOf = (url: string) => ({
  ...{ DATABASE_URL: url, WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
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
  it.each(EACH_DATABASE)(
    'are sent again with the same id where it died between sending and noting: %s',
    async (_, fresh) => {
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
      await expect.poll(() => receiver.taken.length, { timeout: 30_000 }).toBe(1);
      const fills = receiver.received.filter(({ type }) => type === 'order.fill');
      expect(new Set(fills.map(({ id }) => id)).size).toBe(1);
      expect(fills.length).toBeGreaterThan(1);
    },
  );

  it('are sent by one of two servers on one Postgres, and by the other once that one has died', async () => {
    const { url, drop } = await freshPostgres();
    ends.push(drop);
    const [one, other] = [await running(envOf(url)), await running(envOf(url))];
    const receiver = await subscribed(other.client);
    for (let n = 0; n < 10; n += 1) await (n % 2 === 0 ? one : other).client.post(ORDERS, ORDER);
    await expect.poll(() => receiver.taken.length, { timeout: 30_000 }).toBe(10);
    const metrics = await Promise.all([one, other].map(async ({ client }) => (await client.get('/metrics')).text));
    // Pings, too.
    const sent = metrics.flatMap(
      (text) => /^stakeport_webhook_tries_total\{result="taken"\} (\d+)$/m.exec(text)?.[1] ?? [],
    );
    expect(sent.map(Number).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(10);
    for (const text of metrics) expect(text).toContain('stakeport_webhook_deliveries_waiting 0');
    await one.server.kill('SIGKILL');
    for (let n = 0; n < 5; n += 1) await other.client.post(ORDERS, ORDER);
    await expect.poll(() => new Set(receiver.taken).size, { timeout: 30_000 }).toBe(15);
    expect(receiver.taken).toHaveLength(15);
  });

  it('are not there without SECRETS_KEY', async () => {
    const { url, remove } = freshSqliteFile();
    ends.push(remove);
    const { client } = await running({ DATABASE_URL: url });
    expect((await client.get(WEBHOOKS)).status).toBe(404);
    expect((await client.get('/openapi.json')).text).not.toContain(WEBHOOKS);
  });
});
