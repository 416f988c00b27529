import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { type FaultKind, StorageFault } from '../../../src/adapters/sql/fault.js';
import { GROUP_LIMITS, GroupCommit } from '../../../src/adapters/sql/group-commit.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import { InvariantBroken, StorageUnavailable } from '../../../src/core/errors.js';
import type { AccountId } from '../../../src/core/ids.js';
import type { Decision } from '../../../src/core/ledger/decision.js';
import type { Strategy } from '../../../src/core/strategy/strategy.js';
import { ALICE, aStrategy, BOB, History } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';
import { gate } from '../../support/gate.js';
import { gatedStore } from './gated-store.js';

const storing = (strategy: Strategy) => (): Decision<string> => ({ result: strategy.id, strategies: [strategy] });

describe.each(EACH_DATABASE)('writes that share a transaction on %s', (_, fresh) => {
  let database: { url: string; remove: () => Promise<void> | void };
  let ledger: SqlLedger;
  beforeEach(async () => {
    database = await fresh();
    ledger = await openSqlLedger(database.url);
  });
  afterEach(async () => {
    await ledger.close();
    await database.remove();
  });

  it('are answered only when others can read what they stored', async () => {
    const other = await openDatabase(database.url);
    const strategies = Array.from({ length: 20 }, () => aStrategy());
    const seen = strategies.map(async (strategy) => {
      await ledger.write({ account: ALICE }, storing(strategy));
      return other.reader('strategies').where({ id: strategy.id }).pluck('id');
    });
    expect((await Promise.all(seen)).flat()).toEqual(strategies.map(({ id }) => id));
    await other.close();
  });

  it('are stored without the one whose decision throws', async () => {
    const [before, after] = [aStrategy(), aStrategy()];
    const outcomes = await Promise.allSettled([
      ledger.write({ account: ALICE }, storing(before)),
      ledger.write({ account: ALICE }, () => {
        throw new InvariantBroken('of this one alone');
      }),
      ledger.write({ account: ALICE }, storing(after)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await ledger.listStrategies(ALICE, {}, { limit: 5 })).toEqual([after, before]);
  });

  it('are stored in order, except one that the database refuses', async () => {
    const { order, events } = new History();
    await ledger.write({ account: ALICE }, () => ({ result: null, orders: [order], events }));
    const strategies = Array.from({ length: 30 }, () => aStrategy());
    const taken: string[] = [];
    const writes = strategies.map((strategy, n) =>
      ledger
        .write({ account: ALICE }, n === 17 ? () => ({ result: null, orders: [order], events }) : storing(strategy))
        .then(() => taken.push(strategy.id)),
    );
    const outcomes = await Promise.allSettled(writes);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toEqual([expect.any(InvariantBroken)]);
    const good = strategies.filter((__, n) => n !== 17).map(({ id }) => id);
    expect(taken).toEqual(good);
    const stored = await ledger.listStrategies(ALICE, {}, { limit: 50 });
    expect(stored.map(({ id }) => id).toReversed()).toEqual(good);
  });

  it('are all answered before closing, and none is accepted after', async () => {
    const strategies = Array.from({ length: 40 }, () => aStrategy());
    const writes = strategies.map((strategy) => ledger.write({ account: ALICE }, storing(strategy)));
    const closing = ledger.close();
    await expect(ledger.write({ account: ALICE }, storing(aStrategy()))).rejects.toThrow(StorageUnavailable);
    expect(await Promise.all(writes)).toEqual(strategies.map(({ id }) => id));
    await closing;
    ledger = await openSqlLedger(database.url);
    expect(await ledger.listStrategies(ALICE, {}, { limit: 50 })).toHaveLength(40);
  });

  it('of one account leave room in the next group for another', async () => {
    const small = await openSqlLedger(database.url, { limits: { together: 4, waiting: 100 } });
    const answered: AccountId[] = [];
    const write = (account: AccountId) =>
      small.write({ account }, storing(aStrategy({ account }))).then(() => answered.push(account));
    await Promise.all([...Array.from({ length: 40 }, () => write(ALICE)), write(BOB)]);
    expect(answered.indexOf(BOB)).toBeLessThan(4);
    await small.close();
  });

  it('wait in a queue with an end', async () => {
    const small = await openSqlLedger(database.url, { limits: { together: 2, waiting: 5 } });
    const writes = Array.from({ length: 8 }, () => small.write({ account: BOB }, storing(aStrategy({ account: BOB }))));
    const outcomes = await Promise.allSettled(writes);
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : null));
    expect(reasons.slice(0, 5)).toEqual([null, null, null, null, null]);
    expect(reasons.slice(5)).toEqual(Array.from({ length: 3 }, () => expect.any(StorageUnavailable)));
    await small.close();
  });
});

describe('a group whose transaction fails', () => {
  let store: Store;
  beforeEach(async () => {
    store = await openDatabase('sqlite::memory:');
    await migrate(store);
  });
  afterEach(() => store.close());

  it('is run again whole after a conflict, on the current records', async () => {
    const commits = new GroupCommit(failing(store, ['conflict', 'conflict', 'conflict']), GROUP_LIMITS);
    const runs = { first: 0, second: 0 };
    const [first, second] = [aStrategy(), aStrategy()];
    const answers = await Promise.all([
      commits.write({ account: ALICE }, () => {
        runs.first += 1;
        return { result: 'first', strategies: [first] };
      }),
      commits.write({ account: ALICE, strategies: [first.id] }, (now) => {
        runs.second += 1;
        return { result: now.strategy(first.id)?.id, strategies: [second] };
      }),
    ]);
    expect(answers).toEqual(['first', first.id]);
    expect(runs).toEqual({ first: 4, second: 4 });
    expect(await store.reader('strategy_versions').pluck('id')).toHaveLength(2);
  });

  it('is given up after five repetitions, and nothing of it is stored', async () => {
    const commits = new GroupCommit(
      failing(
        store,
        Array.from({ length: 6 }, () => 'conflict'),
      ),
      GROUP_LIMITS,
    );
    await expect(commits.write({ account: ALICE }, storing(aStrategy()))).rejects.toThrow(StorageUnavailable);
    expect(await store.reader('strategies').pluck('id')).toEqual([]);
    await commits.write({ account: ALICE }, storing(aStrategy()));
  });

  it('is not rerun without an answer, but the next one runs', async () => {
    const commits = new GroupCommit(failing(store, ['unavailable']), GROUP_LIMITS);
    await expect(commits.write({ account: ALICE }, storing(aStrategy()))).rejects.toThrow(StorageUnavailable);
    await commits.write({ account: ALICE }, storing(aStrategy()));
    commits.check();
  });

  it('is the last one when the database is broken', async () => {
    const commits = new GroupCommit(failing(store, ['broken']), { together: 1, waiting: 10 });
    const waiting = [1, 2, 3].map(() => commits.write({ account: ALICE }, storing(aStrategy())));
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(commits.write({ account: ALICE }, storing(aStrategy()))).rejects.toThrow(StorageUnavailable);
    expect(() => commits.check()).toThrow(StorageUnavailable);
    expect(await store.reader('strategies').pluck('id')).toEqual([]);
  });

  it('reports nothing of the database to callers, and everything to the log', async () => {
    const commits = new GroupCommit(failing(store, ['unavailable']), GROUP_LIMITS);
    const error: Error = await commits.write({ account: ALICE }, storing(aStrategy())).catch((cause) => cause);
    expect(error.message).not.toContain('secret');
    expect(error.cause).toEqual(new Error('the secret of the database'));
  });
});

describe('a stored write on SQLite, while another one waits', () => {
  let store: Store;
  beforeEach(async () => {
    store = await openDatabase('sqlite::memory:');
    await migrate(store);
  });
  afterEach(() => store.close());

  /** Starts one write, and another one while the first is being stored; the store of the second runs in `around`. */
  async function twoGroups(around: (store: () => Promise<void>) => Promise<void>) {
    const [isStoring, mayStore] = [gate(), gate()];
    const held = async (run: () => Promise<void>) => {
      isStoring.open();
      await mayStore.opened;
      await run();
    };
    const commits = new GroupCommit(gatedStore(store, [held, around]), GROUP_LIMITS);
    const first = commits.write({ account: ALICE }, storing(aStrategy()));
    await isStoring.opened;
    const second = commits.write({ account: BOB }, storing(aStrategy({ account: BOB })));
    mayStore.open();
    return { first, second };
  }

  it('is answered before the next group is stored', async () => {
    const next = gate();
    const { first, second } = await twoGroups(async (run) => {
      await next.opened;
      await run();
    });
    const answered: string[] = [];
    const others = second.then(() => answered.push('second'));
    await first.then(() => answered.push('first'));
    expect(answered).toEqual(['first']);
    next.open();
    await others;
  });

  it('is answered though the next group fails', async () => {
    const { first, second } = await twoGroups(() => Promise.reject(new Error('no room')));
    const outcomes = await Promise.allSettled([first, second]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });
});

/** The store, except that its first transactions do all of their work and then fail instead of committing. */
function failing(store: Store, kinds: readonly FaultKind[]): Store {
  const left = [...kinds];
  return {
    dialect: store.dialect,
    writer: store.writer,
    reader: store.reader,
    credentialReader: store.credentialReader,
    reads: store.reads,
    credentialReads: store.credentialReads,
    alone: (work) => store.alone(work),
    batch: (statements) => store.batch(statements),
    snapshot: (work) => store.snapshot(work),
    copyBefore: (step) => store.copyBefore(step),
    judge: (error) => store.judge(error),
    probe: () => store.probe(),
    check: () => store.check(),
    close: () => store.close(),
    transaction: (work) =>
      store.transaction(async (tx) => {
        const result = await work(tx);
        const kind = left.shift();
        if (kind !== undefined) throw new StorageFault(kind, new Error('the secret of the database'));
        return result;
      }),
  };
}
