import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { GROUP_LIMITS } from '../../../src/adapters/sql/group-commit.js';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { SqlLedger } from '../../../src/adapters/sql/sql-ledger.js';
import { PAPER_CASH } from '../../../src/core/account/account.js';
import { StorageUnavailable } from '../../../src/core/errors.js';
import type { Decision } from '../../../src/core/ledger/decision.js';
import type { Strategy } from '../../../src/core/strategy/strategy.js';
import { ALICE, aStrategy, shares, usdc } from '../../support/builders.js';
import { type FreshPostgres, freshPostgres } from '../../support/databases.js';
import { Operator } from './postgres-operator.js';

const storing = (strategy: Strategy) => (): Decision<string> => ({ result: strategy.id, strategies: [strategy] });

let database: FreshPostgres;
let operator: Operator;
beforeEach(async () => {
  database = await freshPostgres();
  operator = await Operator.at(database.url);
});
afterEach(async () => {
  await operator.close();
  await database.drop();
});

it('the test Postgres uses default planning, JIT and autovacuum', async () => {
  const changed = await operator.rows(`select name from pg_settings where source = 'command line'
    and (category like 'Query Tuning%' or category like '%utovacuum%' or name like 'jit%')`);
  expect(changed).toEqual([]);
  const on = `select name from pg_settings where name in ('jit', 'autovacuum', 'enable_sort') and setting = 'on'`;
  expect(await operator.rows(on)).toHaveLength(3);
});

describe('a Postgres connection', () => {
  it('has its limits, and waits for the disk at every commit', async () => {
    await operator.setDefault('synchronous_commit', 'off');
    const store = await openDatabase(database.url, { poolSize: 2 });
    const held = await Promise.all([1, 2].map(() => store.writer.client.acquireConnection()));
    for (const connection of held) {
      const wanted = {
        statement_timeout: '5s',
        lock_timeout: '2s',
        idle_in_transaction_session_timeout: '5s',
        synchronous_commit: 'on',
      };
      const names = Object.keys(wanted);
      const { rows } = await store.writer
        .raw('select name, current_setting(name) as value from unnest(?::text[]) as name', [names])
        .connection(connection);
      expect(Object.fromEntries(rows.map((row: Record<string, string>) => [row['name'], row['value']]))).toEqual(
        wanted,
      );
    }
    await Promise.all(held.map((connection) => store.writer.client.releaseConnection(connection)));
    await store.close();
  });

  it('that dies while it is idle ends nothing but itself', async () => {
    const ledger = await openSqlLedger(database.url);
    await ledger.ping();
    expect(await operator.endOthers()).toBeGreaterThan(0);
    const strategy = aStrategy();
    await ledger.write({ account: ALICE }, storing(strategy));
    expect(await ledger.findStrategy(ALICE, strategy.id)).toEqual(strategy);
    await ledger.close();
  });

  it('that is not free in time counts as unavailable storage', async () => {
    const store = await openDatabase(database.url, { poolSize: 1, connectMs: 300 });
    await migrate(store);
    const ledger = new SqlLedger(store, GROUP_LIMITS);
    const held = await store.writer.client.acquireConnection();
    const asked = [ledger.findStrategy(ALICE, aStrategy().id), ledger.write({ account: ALICE }, storing(aStrategy()))];
    const outcomes = await Promise.allSettled([...asked, ledger.ping()]);
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : outcome));
    expect(reasons).toEqual([1, 2, 3].map(() => expect.any(StorageUnavailable)));
    await store.writer.client.releaseConnection(held);
    await ledger.ping();
    await ledger.close();
  });

  it('to a server that takes no writes fails the ping', async () => {
    const ledger = await openSqlLedger(database.url);
    await ledger.ping();
    await operator.setDefault('default_transaction_read_only', 'on');
    await operator.endOthers();
    await expect
      .poll(() =>
        ledger.ping().then(
          () => 'answers',
          (error) => error,
        ),
      )
      .toBeInstanceOf(StorageUnavailable);
    await expect(ledger.write({ account: ALICE }, storing(aStrategy()))).rejects.toThrow(StorageUnavailable);
    await ledger.close();
  });
});

describe('a write to Postgres', () => {
  it('that loses its connection half way is run again, and stored once', async () => {
    const ledger = await openSqlLedger(database.url);
    await operator.lockAlice(ledger);
    const strategies = [aStrategy(), aStrategy()];
    const writes = strategies.map((strategy) => ledger.write({ account: ALICE }, storing(strategy)));
    await expect.poll(operator.waiting).toBe(1);
    expect(await operator.endOthers()).toBeGreaterThan(0);
    await operator.run('rollback');
    expect(await Promise.all(writes)).toEqual(strategies.map(({ id }) => id));
    expect(await ledger.listStrategies(ALICE, {}, { limit: 5 })).toHaveLength(2);
    await ledger.close();
  });

  it('waits for another process’s account lock, then sees its changes', async () => {
    // Even in a database whose transactions would rather not look again after their first read.
    await operator.setDefault('default_transaction_isolation', 'repeatable read');
    const ledger = await openSqlLedger(database.url);
    await ledger.write({ account: ALICE }, () => ({ result: null, balances: [balance('10')] }));
    await operator.lockAlice(ledger);
    const write = ledger.write({ account: ALICE }, (now) => ({ result: now.balance(PAPER_CASH)?.cash }));
    await expect.poll(operator.waiting).toBe(1);
    await operator.run(`update balances set cash = 25000000 where account = 'alice'`);
    await operator.run('commit');
    expect(await write).toBe(usdc('25'));
    await ledger.close();
  });

  it('with a text that Postgres cannot hold is refused alone', async () => {
    const ledger = await openSqlLedger(database.url);
    const good = aStrategy();
    const outcomes = await Promise.allSettled([
      ledger.write({ account: ALICE }, storing(aStrategy({ name: 'a\u0000b' }))),
      ledger.write({ account: ALICE }, storing(aStrategy({ name: 'a\ud800b' }))),
      ledger.write({ account: ALICE }, storing(good)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(await ledger.listStrategies(ALICE, {}, { limit: 5 })).toEqual([good]);
    await ledger.close();
  });
});

describe('forgetting used keys', () => {
  it('spares one that is renewed at that very moment', async () => {
    const ledger = await openSqlLedger(database.url);
    const [past, now, future] = [new Date('2026-01-01'), new Date('2026-02-01'), new Date('2026-03-01')];
    const key = { account: ALICE, route: 'orders.place', key: 'once' } as const;
    const record = { ...key, meaning: '', resource: 'x', createdAt: past, expiresAt: past };
    await ledger.write({ account: ALICE }, () => ({ result: null, requests: [record] }));
    await operator.run('begin');
    await operator.run('update requests set expires_at = $1', [future.toISOString()]);
    const forgotten = ledger.forgetExpiredRequests(now);
    await expect.poll(operator.waiting).toBe(1);
    await operator.run('commit');
    expect(await forgotten).toBe(0);
    const found = await ledger.write({ account: ALICE, request: key }, (seen) => ({ result: seen.request(key) }));
    expect(found).toEqual({ ...record, expiresAt: future });
    await ledger.close();
  });
});

const balance = (cash: string) => ({
  account: ALICE,
  ...PAPER_CASH,
  cash: usdc(cash),
  reserved: usdc('0'),
  outstanding: shares('0'),
});
