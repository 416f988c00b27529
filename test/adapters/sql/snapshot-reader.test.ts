import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import type { AccountId } from '../../../src/core/ids.js';
import { ReadPortfolio } from '../../../src/core/usecases/accounts/read-portfolio.js';
import { marketsAt } from '../../../src/core/venues/venues.js';
import { ALICE, anOrderContext, usdc } from '../../support/builders.js';
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

  it('does not wait for a writer of the same account, and shows the state before', async () => {
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

  it('stores nothing, not even the account that was read', async () => {
    const portfolio = new ReadPortfolio(ledger, marketsAt(quotedMarkets()), anOrderContext());
    expect(await portfolio.now(NOBODY, { paper: true, strategyId: null })).toMatchObject({ cash: usdc('1000') });
    expect(await ledger.listAccounts({}, { limit: 5 })).toEqual([]);
    expect(await ledger.listBalances({ limit: 5 })).toEqual([]);
  });
});
