import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import sqlite3 from 'sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import { command } from '../cli/in-process.js';
import { ORDER, ORDERS, STRATEGIES, STRATEGY } from '../support/app.js';
import { anExecution, usdc } from '../support/builders.js';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';
import { ScriptedExchange } from '../support/scripted-exchange.js';
import { trading } from '../support/trading.js';
import { stakeport } from './command-line.js';
import { idOf, placeOnce, until } from './trading.js';

/** An audit needs to know where the database is, and nothing else. */
const needs = (url: string) => ({ DATABASE_URL: url, NODE_ENV: 'production' });
const audit = (url: string, ...options: string[]) => command(needs(url), 'audit', ...options);
/** The same by a program of its own. */
const audited = (url: string) => stakeport({ env: needs(url) }, 'audit');

function onFile(path: string, statement: string): Promise<void> {
  return new Promise((done, fail) => {
    const database = new sqlite3.Database(path);
    database.exec(statement, (error) => database.close(() => (error ? fail(error) : done())));
  });
}

async function onPostgres(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

describe.each([
  ['SQLite', async () => freshSqliteFile(), (url: string, sql: string) => onFile(url.replace('sqlite:', ''), sql)],
  ['Postgres', freshPostgres, onPostgres],
] as const)('stakeport audit on %s', (_, fresh, run) => {
  describe('of one account', () => {
    let url: string;
    let client: Client;
    beforeAll(async () => {
      ({ url } = await fresh());
      const server = await startServer({ env: { DATABASE_URL: url } });
      client = new Client(server.url);
      expect((await client.put('/v1/limits', { open_orders: 100 })).status).toBe(200);
      const strategy = idOf(await client.post(STRATEGIES, STRATEGY));
      for (const more of [{}, { strategy_id: strategy }, { side: 'SELL', size_usdc: 5 }, { size_usdc: 100_000 }])
        expect((await client.post(ORDERS, { ...ORDER, ...more })).status).toBe(201);
    });

    test('passes beside the server that trades', async () => {
      expect(await audit(url)).toEqual({
        code: 0,
        output: expect.stringMatching(
          /^The books hold\. Checked: accounts 1, orders 4, events 11, journal entries 4\.\n$/,
        ),
      });
    });

    test('names cash that was altered, and by how much', async () => {
      await run(url, 'update balances set cash = cash + 1');
      const wrong = await audit(url);
      expect(wrong.code).toBe(1);
      expect(wrong.output).toMatch(
        /^dev, paper:\n {2}The cash: on record 99985\.000001, by the journal 99985, 0\.000001 too much\.\n/,
      );
      const { code, output } = await audit(url, '--json');
      expect(code).toBe(1);
      expect(JSON.parse(output)).toMatchObject({
        holds: false,
        accounts: 1,
        orders: 4,
        busy: [],
        findings: [
          { account: 'dev', paper: true, check: 'cash', about: null, found: '99985.000001', expected: '99985' },
        ],
      });
      await run(url, 'update balances set cash = cash - 1');
    });

    test('names counters of limits that were altered', async () => {
      const counted = (from: string, to: string) =>
        run(url, `update balances set counted = replace(counted, '${from}', '${to}')`);
      await counted('"booked":"', '"booked":"-1');
      expect((await audit(url)).output).toContain('What trading brought, for the limits of losses: on record -');
      await counted('"booked":"-1', '"booked":"');
      await counted('"spent":"', '"spent":"1');
      expect((await audit(url)).output).toMatch(
        /What purchases of [0-9-]{10} spent: on record .*, by the journal 20, /,
      );
      await counted('"spent":"1', '"spent":"');
    });

    test('names an event that was altered', async () => {
      const [{ id }] = (await client.get(ORDERS)).json<{ data: [{ id: string }] }>().data;
      await run(url, `update order_events set change = replace(change, '100000', '200000') where order_id = '${id}'`);
      expect(await audit(url)).toMatchObject({
        code: 1,
        output: expect.stringContaining(`Order ${id}: event 1 does not match its hash.`),
      });
    });
  });

  test('finds nothing while a server takes orders from many clients', async () => {
    const { url } = await fresh();
    const server = await startServer({ env: { DATABASE_URL: url } });
    const client = new Client(server.url);
    let [taken, done] = [0, false];
    const load = Array.from({ length: 8 }, async (_, number) => {
      // Not for ever: the audit of an account that never rests may end without a verdict.
      for (let turn = 0; !done && taken < 500; turn += 1) {
        expect((await placeOnce(client, `client-${number}-${turn}`)).status).toBe(201);
        taken += 1;
      }
    });
    await until(async () => taken >= 50);
    const before = taken;
    const { code, output } = await audited(url);
    const during = taken - before;
    done = true;
    await Promise.all(load);
    expect(during).toBeGreaterThan(load.length);
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/^The books hold\. Checked: accounts 1,/),
    });
  });
});

test.each([
  ['memory:', 'needs a persistent database'],
  ['sqlite:not-there.db', 'the file does not exist'],
  ['nonsense', 'DATABASE_URL must be'],
])('DATABASE_URL=%s cannot be audited and exits with code 78', async (url, words) => {
  const { code, output } = await audit(url);
  expect({ code, output }).toEqual({ code: 78, output: expect.stringContaining(words) });
  expect(output).not.toMatch(/\n\s+at /);
});

test.each([
  ['before its first release', `create table schema_steps (name text); insert into schema_steps values ('001_first')`],
  ['an older version', 'create table schema_steps (name text)'],
  ['a newer version', `create table schema_steps (name text); insert into schema_steps values ('999_next')`],
  ['not a database of stakeport', 'create table orders (id text)'],
])('a database is left as it is, to the byte: %s', async (words, statement) => {
  const { url, path } = freshSqliteFile();
  await onFile(path, statement);
  const before = contents(dirname(path));
  expect(await audit(url)).toEqual({ code: 78, output: expect.stringContaining(words) });
  expect(contents(dirname(path))).toEqual(before);
});

/** Every file of a folder, with what is in it. */
const contents = (folder: string) => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]);

/** The database of a server that has traded and ended. */
async function traded() {
  const file = freshSqliteFile();
  const server = await startServer({ env: { DATABASE_URL: file.url } });
  expect((await new Client(server.url).post(ORDERS, ORDER)).status).toBe(201);
  await server.kill('SIGTERM');
  return file;
}

test('an undone paper purchase whose shares are on sale passes the audit', async () => {
  const { url } = freshSqliteFile();
  const ledger = await openSqlLedger(url);
  const trader = trading(ledger, { paper: new ScriptedExchange() });
  const bought = await trader.book(await trader.place(), (posting) => posting.fill(anExecution({ tradeId: 't1' })));
  await trader.place({ side: 'SELL', size: usdc('10') });
  const undone = { type: 'fill_voided', tradeId: 't1', resting: true, reason: 'undone' } as const;
  await trader.book(bought, (posting) => posting.record(undone));
  await ledger.close();
  expect(await audit(url)).toMatchObject({ code: 0, output: expect.stringContaining('The books hold.') });
});

describe('a read-only backup', () => {
  let path: string;
  beforeAll(async () => {
    ({ path } = await traded());
  });

  test('is audited in place, and nothing appears beside it', async () => {
    const copy = freshSqliteFile();
    copyFileSync(path, copy.path);
    chmodSync(copy.path, 0o444);
    const before = contents(dirname(copy.path));
    expect(await audit(copy.url)).toMatchObject({ code: 0, output: expect.stringContaining('The books hold.') });
    expect(contents(dirname(copy.path))).toEqual(before);
  });
});

test('what a killed server left in its log is audited too', async () => {
  const { url } = freshSqliteFile();
  const server = await startServer({ env: { DATABASE_URL: url } });
  expect((await new Client(server.url).post(ORDERS, ORDER)).status).toBe(201);
  await server.kill('SIGKILL');
  expect(await audit(url)).toMatchObject({ code: 0, output: expect.stringMatching(/accounts 1, orders 1\b/) });
});

test('a pipe or folder is refused as a database without waiting', async () => {
  const folder = dirname(freshSqliteFile().path);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  for (const name of ['pipe', '.']) {
    expect(await audited(`sqlite:${join(folder, name)}`)).toEqual({
      code: 78,
      output: expect.stringContaining('not a file'),
    });
  }
});
