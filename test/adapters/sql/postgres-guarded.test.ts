import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { StorageFault, VersionConflict } from '../../../src/adapters/sql/fault.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import type { GuardedStore, Store } from '../../../src/adapters/sql/store.js';
import { STRATEGIES } from '../../../src/adapters/sql/strategy-table.js';
import { changed } from '../../../src/adapters/sql/table.js';
import type { AccountId } from '../../../src/core/ids.js';
import { ALICE, aStrategy, BOB } from '../../support/builders.js';
import { type FreshPostgres, freshPostgres } from '../../support/databases.js';
import { Operator } from './postgres-operator.js';
import { type PostgresProxy, startProxy } from './postgres-proxy.js';

let database: FreshPostgres;
let proxy: PostgresProxy;
let store: Store;
let operator: Operator;
beforeEach(async () => {
  database = await freshPostgres();
  proxy = await startProxy(database.url);
  store = await openDatabase(proxy.url);
  await migrate(store);
  operator = await Operator.at(database.url);
});
afterEach(async () => {
  await operator.close();
  await store.close();
  await proxy.close();
  await database.drop();
});

const guarded = (): GuardedStore => {
  if (store.guarded === undefined) throw new Error('Postgres has guarded groups');
  return store.guarded;
};
const aChange = (account: AccountId = ALICE) => changed(STRATEGIES, [aStrategy({ account })]);
const stored = (): Promise<string[]> => store.reader('strategies').orderBy('account').pluck('account');

describe('a group that is one statement', () => {
  it('is stored under the versions it was decided on, naming the next', async () => {
    const before = await guarded().versions([ALICE, BOB]);
    expect([...before]).toEqual([
      [ALICE, ''],
      [BOB, ''],
    ]);
    const version = await guarded().store(aChange(), before);
    expect([...(await guarded().versions([ALICE, BOB]))]).toEqual([
      [ALICE, version],
      [BOB, version],
    ]);
    expect(await stored()).toEqual([ALICE]);
  });

  it('stores nothing if one account’s version differs, and names it', async () => {
    const both = await guarded().versions([ALICE, BOB]);
    const bob = await guarded().store(aChange(BOB), new Map([[BOB, both.get(BOB) ?? '']]));
    for (const changes of [aChange(), []]) {
      const fault = await guarded()
        .store(changes, both)
        .catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(VersionConflict);
      expect(fault).toMatchObject({ kind: 'conflict', accounts: [BOB] });
    }
    expect([...(await guarded().versions([ALICE, BOB])).values()]).toEqual(['', bob]);
    expect(await stored()).toEqual([BOB]);
  });

  it.each([
    ['stores something', aChange],
    ['stores nothing', () => []],
  ])('waits for a locked account, sees its changes, and then %s', async (_, changes) => {
    const before = await guarded().versions([ALICE]);
    await operator.run('begin');
    await operator.run(`update accounts set live_enabled = true where id = 'alice'`);
    const storing = guarded()
      .store(changes(), before)
      .catch((error: unknown) => error);
    await expect.poll(operator.waiting).toBe(1);
    await operator.run('commit');
    expect(await storing).toBeInstanceOf(VersionConflict);
    expect(await stored()).toEqual([]);
  });

  it('that is lost in transit stores nothing, even if it arrives later', async () => {
    const before = await guarded().versions([ALICE]);
    proxy.fate('arrives only once it is released');
    const fault = await guarded()
      .store(aChange(), before)
      .catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(StorageFault);
    expect(fault).toMatchObject({ kind: 'conflict' });
    await proxy.release();
    expect(await stored()).toEqual([]);
    expect([...(await guarded().versions([ALICE]))]).toEqual([...before]);
  });

  it('that is still running when checked on is waited for', async () => {
    const changes = aChange();
    const first = await guarded().store(changes, await guarded().versions([ALICE]));
    await operator.run(`set stakeport.names_versions = 'on'; begin; update strategies set name = 'held'`);
    const storing = guarded().store(changes, new Map([[ALICE, String(first)]]));
    await expect.poll(operator.waiting).toBe(1);
    proxy.cut();
    // Another one: in a transaction, an operator sees no new connections.
    const watcher = await Operator.at(database.url);
    await expect.poll(watcher.waiting).toBe(2);
    await watcher.close();
    await operator.run('rollback');
    expect([...(await guarded().versions([ALICE]))]).toEqual([[ALICE, await storing]]);
  });

  it('whose answer is lost counts as stored, despite later writes', async () => {
    const before = await guarded().versions([ALICE]);
    const beside = await openDatabase(database.url);
    proxy.fate('arrives, and then the wire is severed');
    const storing = guarded().store(aChange(), before);
    await expect.poll(() => beside.reader('strategies').pluck('account')).toEqual([ALICE]);
    await operator.run('update accounts set live_enabled = true');
    proxy.mend();
    expect(await storing).not.toBe((await guarded().versions([ALICE])).get(ALICE));
    await beside.close();
  });
});
