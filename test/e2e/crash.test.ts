import sqlite3 from 'sqlite3';
import { describe, expect, test } from 'vitest';
import { ORDER, ORDERS, STRATEGIES, STRATEGY } from '../support/app.js';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { Client, type Reply } from '../support/http.js';
import { type RunningServer, startServer } from '../support/processes.js';
import { message, statusesIn, Wire } from '../support/wire.js';
import { allOrders, type Fate, idOf, placeOnce, placeUntilAnswered, tryPlacing, until } from './trading.js';

const start = (url: string, env: Readonly<Record<string, string>> = {}): Promise<RunningServer> =>
  startServer({ env: { DATABASE_URL: url, LOG_LEVEL: 'info', ...env } });

const answered = (fates: Iterable<Fate>): Reply[] => [...fates].filter((fate) => fate !== 'no answer');

/** What SQLite itself says about a file. */
function integrityOf(path: string): Promise<unknown> {
  return new Promise((done, fail) => {
    const database = new sqlite3.Database(path, sqlite3.OPEN_READWRITE);
    database.all('pragma integrity_check', (error, rows) => {
      database.close(() => (error ? fail(error) : done(rows)));
    });
  });
}

/** Clients that place one order after another, each under a key of its own, until the connection breaks. */
function load(client: Client, fates: Map<string, Fate>): Promise<unknown> {
  const one = async (number: number) => {
    for (let turn = 0; ; turn++) {
      const key = `client-${number}-${turn}`;
      const fate = await tryPlacing(client, key);
      fates.set(key, fate);
      if (fate === 'no answer') return;
    }
  };
  return Promise.all(Array.from({ length: 32 }, (_, number) => one(number)));
}

describe.each([
  ['SQLite', async () => ({ ...freshSqliteFile(), remove: async () => {} })],
  ['Postgres', async () => ({ ...(await freshPostgres()), path: null })],
])('on %s, a server that is killed under load', (_, fresh) => {
  test('has each answered order once and each unanswered one at most once', async () => {
    const { url, path } = await fresh();
    const first = await start(url);
    const fates = new Map<string, Fate>();
    const loaded = load(new Client(first.url), fates);
    await until(async () => fates.size >= 300);
    await first.kill('SIGKILL');
    await loaded;
    if (path !== null) expect(await integrityOf(path)).toEqual([{ integrity_check: 'ok' }]);

    const client = new Client((await start(url)).url);
    const replies = answered(fates.values());
    expect(replies.map(({ status }) => status).filter((status) => status !== 201)).toEqual([]);
    const stored = await allOrders(client);
    expect(new Set(stored).size).toBe(stored.length);
    expect(replies.map(idOf).filter((id) => !stored.includes(id))).toEqual([]);

    const again = await Promise.all([...fates.keys()].map(async (key) => [key, await placeOnce(client, key)] as const));
    for (const [key, reply] of again) {
      const fate = fates.get(key);
      expect(reply.status).toBe(201);
      if (fate !== undefined && fate !== 'no answer') expect(idOf(reply)).toBe(idOf(fate));
    }
    expect((await allOrders(client)).length).toBe(fates.size);
    expect(again.map(([, reply]) => reply.json()['status']).filter((status) => status !== 'filled')).toEqual([]);
  });
});

describe.each([
  ['SQLite', async () => freshSqliteFile().url],
  ['Postgres', async () => (await freshPostgres()).url],
])('on %s, a server that is asked to stop', (_, fresh) => {
  test('answers what it has taken, stores nothing else, and ends with 0', async () => {
    const url = await fresh();
    const server = await start(url);
    const client = new Client(server.url);
    const fates = Promise.all(Array.from({ length: 100 }, (__, i) => tryPlacing(client, `key-${i}`)));
    await until(async () =>
      (await new Client(server.url).get('/metrics')).text.includes('route="/v1/exchange/orders"'),
    );
    const ended = await server.kill('SIGTERM');
    expect(ended).toEqual({ code: 0, signal: null });
    const replies = answered(await fates);
    expect(replies.length).toBeGreaterThan(0);
    expect(replies.map(({ status }) => status).filter((status) => status !== 201)).toEqual([]);
    const stored = await allOrders(new Client((await start(url)).url));
    expect(stored.sort()).toEqual(replies.map(idOf).sort());
  });

  test('finds strategies, orders and the paper balance again when it starts', async () => {
    const url = await fresh();
    const first = await start(url, { PAPER_BALANCE_USDC: '100' });
    const client = new Client(first.url);
    const strategy = (await client.post(STRATEGIES, STRATEGY)).headers.location ?? '';
    await client.patch(strategy, { name: 'Renamed' });
    const order =
      (await client.post(ORDERS, { ...ORDER, size_usdc: 60 }, { 'idempotency-key': 'k' })).headers.location ?? '';
    const paths = [strategy, `${strategy}/versions`, order, `${order}/events`, STRATEGIES, ORDERS];
    const read = (from: Client) => Promise.all(paths.map(async (path) => (await from.get(path)).text));
    const before = await read(client);
    await first.kill('SIGTERM');

    const later = new Client((await start(url, { PAPER_BALANCE_USDC: '5000' })).url);
    expect(await read(later)).toEqual(before);
    expect((await later.get(strategy)).headers.etag).toBe('"2"');
    const replay = await later.post(ORDERS, { ...ORDER, size_usdc: 60 }, { 'idempotency-key': 'k' });
    expect(replay.headers['idempotency-replayed']).toBe('true');
    const tooMuch = await later.post(ORDERS, { ...ORDER, size_usdc: 50 });
    expect(tooMuch.json()).toMatchObject({ status: 'denied', error: expect.stringContaining('free cash 40') });
  });
});

describe('a signal', () => {
  const body = JSON.stringify(ORDER);
  const held = message(`POST ${ORDERS}`, {}, body);

  test('makes the server unready, while what was begun is still finished', async () => {
    const server = await start('memory:');
    const wire = await Wire.to(server.url);
    wire.send(held.slice(0, -5));
    await new Client(server.url).get('/healthz');
    const ended = server.kill('SIGTERM');
    await server.says(/stopping/);
    wire.send(held.slice(-5) + message('GET /readyz'));
    const heard = await wire.closed();
    expect(statusesIn(heard)).toEqual([201, 503]);
    expect(heard).toContain('"detail":"Not ready: shutting down."');
    expect(heard).toMatch(/retry-after: \d/i);
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  test('that comes a second time ends the server at once', async () => {
    const server = await start('memory:');
    const wire = await Wire.to(server.url);
    wire.send(held.slice(0, -5));
    await new Client(server.url).get('/healthz');
    const ended = server.kill('SIGINT');
    await server.says(/stopping/);
    await server.kill('SIGTERM');
    // Once the slow request is given up it would end with 0.
    expect(await ended).toEqual({ code: 1, signal: null });
  });
});

test('two servers on one Postgres make one order per idempotency key', async () => {
  const { url } = await freshPostgres();
  const servers = await Promise.all([start(url), start(url)]);
  const clients = servers.map((server) => new Client(server.url));
  const send = (count: number, key: (i: number) => string) =>
    Promise.all(Array.from({ length: count }, (_, i) => placeUntilAnswered(clients[i % 2] ?? new Client(''), key(i))));
  const same = await send(200, () => 'the one key');
  expect(new Set(same.map(idOf)).size).toBe(1);
  expect(same.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
  const mixed = await send(200, (i) => `key ${i % 50}`);
  expect(new Set(mixed.map(idOf)).size).toBe(50);
  expect([...same, ...mixed].filter(({ status }) => status !== 201)).toEqual([]);
  for (const client of clients) expect(await allOrders(client)).toHaveLength(51);
});
