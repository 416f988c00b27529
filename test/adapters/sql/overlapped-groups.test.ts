import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { type FaultKind, StorageFault } from '../../../src/adapters/sql/fault.js';
import { GROUP_LIMITS, GroupCommit } from '../../../src/adapters/sql/group-commit.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { SqlLedger as Ledger } from '../../../src/adapters/sql/sql-ledger.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import { InvariantBroken, StorageUnavailable } from '../../../src/core/errors.js';
import type { Decision, Snapshot } from '../../../src/core/ledger/decision.js';
import { jobOf } from '../../../src/core/ledger/job.js';
import type { Strategy } from '../../../src/core/strategy/strategy.js';
import { ALICE, aStrategy, BOB, History, NOON, shares, usdc } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';
import { gate } from '../../support/gate.js';
import { gatedStore } from './gated-store.js';

const storing = (strategy: Strategy) => (): Decision<string> => ({ result: strategy.id, strategies: [strategy] });
const HALT = { code: 'manual', message: 'halted by hand', at: new Date(NOON) };
const CASH = { account: ALICE, paper: true, venue: null, reserved: usdc('0'), outstanding: shares('0') };

let database: { url: string; remove: () => Promise<void> | void };
let store: Store;

const ALL: readonly (typeof EACH_DATABASE)[number][] = EACH_DATABASE;
const POSTGRES = ALL.filter(([name]) => name === 'Postgres');

/** A database of each kind for the tests in `promises`. */
const onEach = (name: string, promises: (kind: string) => void, databases = ALL): void =>
  describe.each(databases)(`on %s, ${name}`, (kind, fresh) => {
    beforeEach(async () => {
      database = await fresh();
      store = await openDatabase(database.url);
      await migrate(store);
    });
    afterEach(async () => {
      await store.close();
      await database.remove();
    });
    promises(kind);
  });

/** Group commits on which the statement of each group does something else around it. */
const commitsWith = (...around: Parameters<typeof gatedStore>[1]): GroupCommit =>
  new GroupCommit(gatedStore(store, around), GROUP_LIMITS, { isProven: true });

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((next) => setImmediate(next));
}

/** Groups overlap on Postgres alone. */
const onPostgres = (name: string, promises: () => void): void => onEach(name, promises, POSTGRES);

onPostgres('while a group is being stored', () => {
  it('the next one is decided on its result, and answered after it', async () => {
    const stored = gate();
    const decided = gate();
    const commits = commitsWith(async (run) => {
      await stored.opened;
      await run();
    });
    const first = aStrategy();
    const answers: string[] = [];
    const one = commits.write({ account: ALICE }, storing(first)).then((id) => answers.push(id));
    const two = commits
      .write({ account: ALICE, strategies: [first.id] }, (now) => {
        if (now.strategy(first.id) === undefined) return { result: 'saw nothing' };
        decided.open();
        return { result: `saw ${first.id}` };
      })
      .then((seen) => answers.push(seen));
    await decided.opened;
    expect([answers, await store.reader('strategies').pluck('id')]).toEqual([[], []]);
    stored.open();
    await Promise.all([one, two]);
    expect(answers).toEqual([first.id, `saw ${first.id}`]);
  });

  const FATES: readonly (readonly [FaultKind, string])[] = [
    ['conflict', 'stored'],
    ['refused', 'stored'],
    ['unavailable', 'failed'],
  ];
  it.each(FATES)('and fails (%s), the three decided on it are decided again', async (kind, fate) => {
    const failed = gate();
    let isStoring = false;
    const commits = commitsWith(async () => {
      isStoring = true;
      await failed.opened;
      throw new StorageFault(kind, new Error('in the middle'));
    });
    const first = aStrategy();
    const seen: string[][] = [[], [], [], []];
    const settled: string[] = [];
    const decide = (n: number) => (now: Snapshot) => {
      const found = now.strategy(first.id) === undefined ? 'nothing' : 'it';
      seen[n]?.push(found);
      if (n === 1) throw new InvariantBroken('on purpose');
      return { result: found, strategies: [aStrategy()] };
    };
    const note = (name: string) => () => settled.push(name);
    const opening = commits.write({ account: ALICE }, storing(first)).then(note('stored'), note('failed'));
    await until(() => isStoring);
    const on = [0, 1, 2].map((n) =>
      commits
        .write({ account: ALICE, strategies: [first.id] }, decide(n))
        .then((answer) => settled.push(answer), note('threw')),
    );
    await until(() => seen[2]?.length === 1);
    expect([settled, seen]).toEqual([[], [['it'], ['it'], ['it'], []]]);
    failed.open();
    await Promise.all([opening, ...on]);
    const then = fate === 'stored' ? 'it' : 'nothing';
    expect(settled).toEqual([fate, then, 'threw', then]);
    expect(seen.map((each) => each.slice(1).at(-1))).toEqual([then, then, then, undefined]);
    expect(await store.reader('strategies').pluck('id')).toHaveLength(fate === 'stored' ? 3 : 2);
    expect(await commits.write({ account: ALICE, strategies: [first.id] }, decide(3))).toBe(then);
    expect(seen[3]).toEqual([then]);
  });
});

onEach('what a group was decided on', (kind) => {
  let beside: SqlLedger;
  const strategy = aStrategy();
  beforeEach(async () => {
    beside = await openSqlLedger(database.url);
    const balances = [{ ...CASH, cash: usdc('10') }];
    await beside.write({ account: ALICE }, () => ({ result: null, strategies: [strategy], balances }));
  });
  afterEach(() => beside.close());

  const seen = (now: Snapshot) => {
    const cash = now.balance({ paper: true, venue: null })?.cash;
    const { halt, liveEnabled } = now.account;
    return { isHalted: halt !== null, liveEnabled, isPaused: now.strategy(strategy.id)?.isPaused, cash };
  };
  const before = { isHalted: false, liveEnabled: false, isPaused: false, cash: usdc('10') };
  const account = { id: ALICE, liveEnabled: false, halt: null };
  const CHANGES: readonly (readonly [string, Omit<Decision<null>, 'result'>, object])[] = [
    ['a halt', { accounts: [{ ...account, halt: HALT }] }, { isHalted: true }],
    ['live trading allowed', { accounts: [{ ...account, liveEnabled: true }] }, { liveEnabled: true }],
    ['a pause', { strategies: [{ ...strategy, version: 2, isPaused: true }] }, { isPaused: true }],
    ['a deposit', { balances: [{ ...CASH, cash: usdc('15') }] }, { cash: usdc('15') }],
  ];
  const OUTCOMES: readonly (readonly [string, (now: Snapshot) => Decision<unknown>])[] = [
    ['stores something', (now) => ({ result: seen(now), strategies: [aStrategy()] })],
    ['stores nothing', (now) => ({ result: seen(now) })],
    [
      'throws',
      (now) => {
        throw Object.assign(new InvariantBroken('what it saw'), { saw: seen(now) });
      },
    ],
  ];
  // On SQLite, what stores nothing is answered as of its one read.
  const outcomes = kind === 'SQLite' ? OUTCOMES.slice(0, 1) : OUTCOMES;
  const CASES = CHANGES.flatMap(([name, change, after]) =>
    outcomes.map(([outcome, decide]) => [name, outcome, change, after, decide] as const),
  );

  it.each(CASES)('holds when stored: %s by another program, and a decision that %s', async (...given) => {
    const [, , change, after, decide] = given;
    const commits = commitsWith(
      (run) => run(),
      async (run) => {
        await beside.write({ account: ALICE, strategies: [strategy.id] }, () => ({ result: null, ...change }));
        await run();
      },
    );
    const look = () =>
      commits
        .write({ account: ALICE, strategies: [strategy.id] }, decide)
        .catch((error: object) => Reflect.get(error, 'saw'));
    expect(await look()).toEqual(before);
    expect(await look()).toEqual({ ...before, ...after });
  });

  // SQLite has one connection that writes: it claims no job while a group uses it.
  if (kind === 'Postgres') {
    it('holds when it is stored: a job that this process took meanwhile', async () => {
      const { order, events } = new History();
      const job = { ...jobOf(ALICE, order.id), inMs: 0 };
      await beside.write({ account: ALICE }, () => ({ result: null, orders: [order], events, jobs: [job] }));
      const ledger = new Ledger(
        gatedStore(store, [
          async (run) => {
            expect(await ledger.claimJobs(1, 30_000)).toMatchObject([{ orderId: order.id, fence: 2 }]);
            await run();
          },
        ]),
        GROUP_LIMITS,
      );
      // A decision on a job is made in a transaction.
      const fence = await ledger.write({ account: ALICE, jobs: [order.id] }, (now) => ({
        result: now.job(order.id)?.fence,
        strategies: [aStrategy()],
      }));
      expect(fence).toBe(1);
    });
  }

  it('includes a halt of the same group, for the orders after it', async () => {
    const commits = commitsWith();
    const look = () => commits.write({ account: ALICE }, (now) => ({ result: now.account.halt?.code }));
    const early = look();
    const halt = commits.write({ account: ALICE }, () => ({ result: 'done', accounts: [{ ...account, halt: HALT }] }));
    const late = look();
    expect([await early, await halt, await late, await look()]).toEqual([undefined, 'done', 'manual', 'manual']);
  });
});

onEach('while nobody else writes', () => {
  it('no group is decided twice, even when service-wide state is read', async () => {
    const outcomes: string[] = [];
    const noting = (run: () => Promise<void>) =>
      run().then(
        () => void outcomes.push('stored'),
        (fault: unknown) => {
          outcomes.push(String(fault));
          throw fault;
        },
      );
    const commits = commitsWith(noting, noting, noting, noting, noting);
    for (const account of [ALICE, BOB, ALICE, BOB, ALICE])
      await commits.write({ account, service: true }, storing(aStrategy({ account })));
    expect(outcomes).toEqual(['stored', 'stored', 'stored', 'stored', 'stored']);
  });
});

onPostgres('with STORE_CHECK', () => {
  it('a server gives up once the database differs from its memory', async () => {
    const commits = commitsWith();
    const balances = [
      { ...CASH, cash: usdc('10') },
      { ...CASH, account: BOB, cash: usdc('10') },
    ];
    await commits.write({ account: ALICE }, () => ({ result: null, balances }));
    await commits.write({ account: ALICE }, () => ({ result: null }));
    // On a connection of the store and behind its back: nothing else could go unnoticed.
    await store.writer.raw('update balances set cash = cash + 1');
    await expect(commits.write({ account: BOB }, () => ({ result: null }))).rejects.toThrow(StorageUnavailable);
    expect(String(await commits.lost)).toContain('["alice",true,"",10000001,');
  });
});
