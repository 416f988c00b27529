import { expect, it } from 'vitest';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { underLease } from '../../../src/core/ledger/decision.js';
import type { Lease } from '../../../src/core/ledger/lease.js';
import { ALICE, aStrategy } from '../../support/builders.js';
import { freshPostgres } from '../../support/databases.js';
import { Operator } from './postgres-operator.js';

it('a lease passes on only after writes under it are stored', async () => {
  const database = await freshPostgres();
  const operator = await Operator.at(database.url);
  // Another one, because a transaction sees those who wait as they were when it first looked.
  const watcher = await Operator.at(database.url);
  const ledger = await openSqlLedger(database.url);
  const strategy = aStrategy();
  const lease = (await ledger.leases.claim('paper', 'one', 3_600_000)) as Lease;
  const store = (version: number) =>
    underLease(ledger, () => lease).write({ account: ALICE }, () => ({
      result: version,
      strategies: [{ ...strategy, version }],
    }));
  await store(1);
  // Decided, and on its way into the tables.
  await operator.run('begin');
  await operator.run('select from strategies for update');
  const writing = store(2);
  await expect.poll(watcher.waiting).toBe(1);
  // Their answers come by two connections, in either order: what is on record once the lease is released decides.
  let released = 0;
  const onRecord = ledger.leases.release(lease).then(() => {
    released = 1;
    return ledger.findStrategy(ALICE, strategy.id);
  });
  await expect.poll(async () => released + (await watcher.waiting())).toBe(2);
  await operator.run('rollback');
  expect((await onRecord)?.version).toBe(2);
  await writing;
  await ledger.close();
  await Promise.all([operator.close(), watcher.close()]);
  await database.drop();
});

it('two servers learn that a newer version migrated their database', async () => {
  const database = await freshPostgres();
  const operator = await Operator.at(database.url);
  const ledgers = await Promise.all([openSqlLedger(database.url), openSqlLedger(database.url)]);
  const look = () => Promise.all(ledgers.map(({ leases }) => leases.isMigrated()));
  expect(await look()).toEqual([false, false]);
  await operator.run(`insert into schema_steps (name) values ('999_future')`);
  expect(await look()).toEqual([true, true]);
  await Promise.all([...ledgers, operator].map((open) => open.close()));
  await database.drop();
});
