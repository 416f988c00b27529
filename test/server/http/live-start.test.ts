import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/server/http/log.js';
import { openServer, type RunningServer } from '../../../src/server/http/server.js';
import { readConfig } from '../../../src/server/settings/config.js';
import { KNOWN_ADDRESS } from '../../adapters/polymarket/signing/known-address.js';
import { ORDERS } from '../../support/app.js';
import { type FreshSqliteFile, freshPostgres, freshSqliteFile } from '../../support/databases.js';
import { answers } from '../../support/fake-venue/faults.js';
import { KNOWN_KEY } from '../../support/fake-venue/plain-client.js';
import { FakeVenue } from '../../support/fake-venue/venue.js';
import { freePort } from '../../support/free-port.js';
import { Client } from '../../support/http.js';
import { DEPOSIT, enrol, listedMarket, liveEnvironment } from '../../support/live-server.js';

const RAIN = listedMarket('rain');
const LIVE_ORDER = { market_id: RAIN.conditionId, token: 'YES', price: 0.5, size_usdc: 10, paper: false };
const SWEEP = 'GET /data/orders';

let [venue, file]: [FakeVenue, FreshSqliteFile] = [] as never;
let interrupt = new AbortController();
let lines: string[] = [];
const running: RunningServer[] = [];

beforeEach(async () => {
  [venue, file] = [await FakeVenue.start({ markets: [RAIN] }), freshSqliteFile()];
  venue.fund(KNOWN_ADDRESS, DEPOSIT.dollars);
  [interrupt, lines] = [new AbortController(), []];
});

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  await venue.close();
  file.remove();
});

/** Starts a server in this process; it may be called before it is ready. */
async function starting(env: Readonly<Record<string, string>> = {}) {
  const key = await enrol(file.url);
  const port = await freePort();
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const config = readConfig({ ...liveEnvironment({ databaseUrl: file.url, venue, env }), PORT: `${port}` });
  const ready = openServer(config, logger, interrupt.signal).then((server) => {
    running.push(server);
    return server;
  });
  ready.catch(() => {});
  return { ready, client: new Client(`http://127.0.0.1:${port}`, { authorization: `Bearer ${key}` }) };
}

const placed = () => venue.log.statuses('POST /order').length;

describe('Until the whole record was reconciled with the venue', () => {
  it('a server is not ready, takes no order and sends nothing', async () => {
    const held = venue.hold(SWEEP);
    const { ready, client } = await starting();
    await held.arrived;
    const [unready, refused] = [await client.get('/readyz'), await client.post(ORDERS, LIVE_ORDER)];
    expect([unready.status, unready.text]).toEqual([503, expect.stringContaining('recovering orders')]);
    expect([refused.status, placed()]).toEqual([503, 0]);
    expect((await client.get('/metrics')).text).toMatch(/^stakeport_ready 0$/m);
    held.release();
    await ready;
    expect((await client.get('/readyz')).status).toBe(200);
    expect([(await client.post(ORDERS, LIVE_ORDER)).status, placed()]).toEqual([201, 1]);
  });

  it('it is swept again and again while the venue does not report', async () => {
    const heal = venue.always(SWEEP, answers(500, { error: 'down' }));
    const { ready, client } = await starting();
    // A sweep reads up to three times, and a second passes between two: more on a machine with other work.
    await expect.poll(() => venue.log.statuses(SWEEP).length).toBeGreaterThan(6);
    expect([(await client.get('/readyz')).status, placed()]).toEqual([503, 0]);
    heal();
    await ready;
    expect((await client.get('/readyz')).status).toBe(200);
    const said = (text: string) => lines.filter((line) => line.includes(text)).length;
    // The log is written a little later, in order: once this is there, all before it is.
    await expect.poll(() => said('could reconcile the orders on record')).toBe(1);
    expect(said('could not reconcile the orders on record')).toBe(1);
  });

  it('a signal ends the start, and leaves nothing open', async () => {
    const held = venue.hold(SWEEP);
    const { ready, client } = await starting();
    await held.arrived;
    interrupt.abort(new Error('SIGTERM'));
    held.release();
    await expect(ready).rejects.toThrow('SIGTERM');
    await expect(client.get('/healthz')).rejects.toThrow(/ECONNREFUSED|socket hang up|ECONNRESET/);
    await expect.poll(() => venue.user.listeners.length).toBe(0);
    expect([placed(), lines.filter((line) => line.includes('"level":50'))]).toEqual([0, []]);
  });
});

describe('The key', () => {
  it('is removed from the environment at start and never logged', async () => {
    process.env['POLYMARKET_PRIVATE_KEY'] = KNOWN_KEY;
    const given = { POLYMARKET_PRIVATE_KEY_FILE: '', POLYMARKET_PRIVATE_KEY: KNOWN_KEY };
    const { ready, client } = await starting(given);
    expect((await ready).wallet).toBe(KNOWN_ADDRESS);
    expect((await client.post(ORDERS, LIVE_ORDER)).status).toBe(201);
    expect(process.env['POLYMARKET_PRIVATE_KEY']).toBeUndefined();
    expect(lines.join('').toLowerCase()).not.toContain(KNOWN_KEY.slice(2, 18));
  });

  it('is removed from the environment even without live trading', async () => {
    process.env['POLYMARKET_PRIVATE_KEY'] = KNOWN_KEY;
    const { ready } = await starting({ LIVE_TRADING: 'off' });
    expect((await ready).wallet).toBeNull();
    expect(process.env['POLYMARKET_PRIVATE_KEY']).toBeUndefined();
  });

  it('that cannot be read stops the start with a clear message', async () => {
    const { ready } = await starting({ POLYMARKET_PRIVATE_KEY_FILE: '/nowhere/key' });
    await expect(ready).rejects.toThrow('The key file /nowhere/key cannot be read: there is no such file.');
  });

  it('denies an order above LIVE_MAX_ORDER_USDC', async () => {
    const { ready, client } = await starting({ LIVE_MAX_ORDER_USDC: '9' });
    await ready;
    const answer = (await client.post(ORDERS, LIVE_ORDER)).json();
    expect([answer['status'], answer['error'], placed()]).toEqual(['denied', expect.stringContaining('cap 9'), 0]);
  });
});

it('A venue with another order version prevents the start, with an explanation', async () => {
  venue.state.version = 3;
  const { ready } = await starting();
  await expect(ready).rejects.toThrow('The venue accepts orders of version 3');
});

describe('A server that trades with real money', () => {
  it('refuses to start without a database instead of creating an empty one', async () => {
    const postgres = await freshPostgres();
    const missing = join(dirname(file.path), 'not-there.db');
    for (const databaseUrl of [`sqlite:${missing}`, postgres.url]) {
      const config = readConfig({ ...liveEnvironment({ databaseUrl, venue }), PORT: '0' });
      const start = openServer(config, createLogger('silent'), interrupt.signal);
      await expect(start, databaseUrl).rejects.toThrow(/There is no database.*`stakeport accounts enable-live NAME`/);
    }
    expect(existsSync(missing)).toBe(false);
    const operator = new pg.Client({ connectionString: postgres.url });
    await operator.connect();
    const { rows } = await operator.query(`select from pg_tables where schemaname = 'public'`);
    expect(rows).toEqual([]);
    await operator.end();
    await postgres.drop();
  });
});
