import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { SnapshotReader } from '../../../src/adapters/sql/snapshot-reader.js';
import type { AccountId } from '../../../src/core/ids.js';
import { ReadPortfolio } from '../../../src/core/usecases/accounts/read-portfolio.js';
import { marketsAt } from '../../../src/core/venues/venues.js';
import { ALICE, anOrderContext, BOB, usdc } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';
import { quotedMarkets } from '../../support/quoted-markets.js';
import { trading } from '../../support/trading.js';

const NOBODY = 'nobody' as AccountId;

describe.each(EACH_DATABASE)('a read on %s', (_, fresh) => {
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

  it('shows the earlier state without waiting for the account’s writer', async () => {
    await trading(ledger).place();
    const other = await openDatabase(database.url);
    const portfolio = new ReadPortfolio(ledger, marketsAt(quotedMarkets()), anOrderContext());
    const before = await portfolio.now(ALICE, { paper: true, strategyId: null });
    expect(before.cash).toBe(usdc('990'));
    // The other one holds its locks until what is read here has been answered.
    await other.transaction(async (tx) => {
      await tx.lock([ALICE]);
      const rows = JSON.stringify([[ALICE, true, '', 1, 0, 0]]);
      await tx.store([['balances', rows]]);
      expect(await portfolio.now(ALICE, { paper: true, strategyId: null })).toEqual(before);
    });
    expect((await portfolio.now(ALICE, { paper: true, strategyId: null })).cash).toBe(usdc('0.000001'));
    await other.close();
  });

  it('shares a snapshot with simultaneous reads, each of its own account', async () => {
    const store = await openDatabase(database.url);
    let snapshots = 0;
    const snapshot: typeof store.snapshot = (work) => {
      snapshots += 1;
      return store.snapshot(work);
    };
    const names = Array.from({ length: 100 }, (_, n) => `trader-${n}` as AccountId);
    await trading(ledger).place();
    const reader = new SnapshotReader({ dialect: store.dialect, snapshot });
    const wide = { account: ALICE, holdings: 'paper' } as const;
    const [found, ...others] = await Promise.all(
      [ALICE, ...names].map((account) =>
        reader.load({ account }).then((set) => set.look({ account }, (now) => now.balances(true)[0])),
      ),
    );
    expect([found?.account, others.filter((one) => one !== undefined), snapshots]).toEqual([ALICE, [], 2]);
    // All that an account holds is read by itself.
    await Promise.all([{ account: BOB }, wide, { account: BOB }, { account: BOB }].map((one) => reader.load(one)));
    expect(snapshots).toBe(5);
    await store.close();
  });

  it('fails alone where the database cannot read its names', async () => {
    await trading(ledger).place();
    const unreadable = ledger.read({ account: 'a\u0000b' as AccountId }, () => null).catch(() => null);
    const reads = Array.from({ length: 20 }, () => ledger.read({ account: ALICE }, ({ account }) => account.id));
    expect(await Promise.all([...reads, unreadable])).toEqual([...reads.map(() => ALICE), null]);
  });

  it('stores nothing, not even the account that was read', async () => {
    const portfolio = new ReadPortfolio(ledger, marketsAt(quotedMarkets()), anOrderContext());
    expect(await portfolio.now(NOBODY, { paper: true, strategyId: null })).toMatchObject({ cash: usdc('1000') });
    expect(await ledger.listAccounts({}, { limit: 5 })).toEqual([]);
    expect(await ledger.listBalances({ limit: 5 })).toEqual([]);
  });
});
