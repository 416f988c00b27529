import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import { described, level, line, tape } from '../adapters/tape/tapes.js';
import { anOpenMarket } from '../core/matching/view.js';
import { ORDER, ORDERS, STREAM } from '../support/app.js';
import { freshPostgres } from '../support/databases.js';
import { EventReader } from '../support/event-reader.js';
import { freePort } from '../support/free-port.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';

const SECOND = 1000;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function aPostgres(): Promise<string> {
  const { url, drop } = await freshPostgres();
  ends.push(drop);
  return url;
}

async function running(env: Readonly<Record<string, string>>): Promise<Client> {
  const server = await startServer({ env: { LOG_LEVEL: 'warn', ...env } });
  ends.push(() => server.kill('SIGKILL'));
  return new Client(server.url);
}

function follow(client: Client, query = ''): EventReader {
  const reader = new EventReader(client, STREAM + query);
  ends.push(() => reader.close());
  return reader;
}

const caughtUp = (reader: EventReader) => reader.of('caught_up').length > 0;

test('a commit of one server streams from another within a second', async () => {
  const DATABASE_URL = await aPostgres();
  const [one, other] = await Promise.all([running({ DATABASE_URL }), running({ DATABASE_URL })]);
  const reader = await follow(one, '?after=head&types=order.requested').until(caughtUp);
  const took: number[] = [];
  for (let nth = 1; nth <= 5; nth += 1) {
    const placed = await other.post(ORDERS, ORDER);
    const committed = performance.now();
    await expect.poll(() => reader.logged.length, { timeout: 20 * SECOND, interval: 5 }).toBe(nth);
    took.push(performance.now() - committed);
    expect(reader.logged.at(-1)?.data).toMatchObject({ data: { order: { id: placed.json()['id'] } } });
  }
  // One of them may meet a machine that does something else.
  expect(took.toSorted((a, b) => a - b)[3], `${took}`).toBeLessThan(SECOND);
});

test('a ninth stream per key gets 429 until another one ends', async () => {
  const client = await running({ DATABASE_URL: 'memory:' });
  const readers = await Promise.all(Array.from({ length: 8 }, () => follow(client).until(caughtUp)));
  expect(readers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const ninth = await client.get(STREAM);
  expect([ninth.status, ninth.headers['content-type'], ninth.json()]).toMatchObject([
    429,
    'application/problem+json',
    { type: '/problems/too-many-streams' },
  ]);
  expect(Number(ninth.headers['retry-after'])).toBeGreaterThan(0);
  const bob = client.as({ 'x-dev-user': 'bob' });
  expect((await follow(bob).until(caughtUp)).status).toBe(200);
  readers[0]?.close();
  for (let next = 429; next === 429; ) next = (await follow(client).until((one) => one.status > 0)).status;
  expect((await client.get('/metrics')).text).toMatch(/^stakeport_event_streams 9$/m);
});

test('streams of a server catching up answer 200 and announce its readiness', async () => {
  const market = anOpenMarket();
  const books = [1, 60_000].map((ms) => {
    return line(ms, { type: 'book', bids: [level('0.4', '9')], asks: [level('0.6', '9')] }, market);
  });
  const DATABASE_URL = await aPostgres();
  await (await openSqlLedger(DATABASE_URL)).close();
  const operator = new pg.Client({ connectionString: DATABASE_URL });
  await operator.connect();
  ends.push(() => operator.end());
  // What it did in its time cannot be read for now.
  await operator.query('begin; lock table orders in access exclusive mode');
  const PORT = `${await freePort()}`;
  const played = tape(line(0, described(market), market), ...books);
  const starting = startServer({ env: { LOG_LEVEL: 'warn', DATABASE_URL, PORT, MARKET_DATA: `tape:${played}` } });
  ends.push(async () => (await starting).kill('SIGKILL'));
  const client = new Client(`http://127.0.0.1:${PORT}`);
  let reader = follow(client);
  const isAnswered = async () => {
    if (reader.hasEnded && reader.status === 0) reader = follow(client);
    return reader.of('caught_up').length > 0;
  };
  await expect.poll(isAnswered, { timeout: 30 * SECOND, interval: 20 }).toBe(true);
  expect(reader.status).toBe(200);
  const order = { market_id: market.id, token: 'YES', price: 0.41, size_usdc: 8 };
  expect((await client.post(ORDERS, order)).status).toBe(503);
  await operator.query('commit');
  await reader.until((one) => one.of('state').at(-1)?.data['ready'] === true);
  expect(reader.of('state')[0]?.data).toMatchObject({ ready: false, reasons: ['recovering orders'] });
  expect((await client.post(ORDERS, order)).status).toBe(201);
  await reader.until((one) => one.logged.length > 0);
  expect(reader.hasEnded).toBe(false);
});
