import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SqlLedger } from '../../../src/adapters/sql/sql-ledger.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import type { DecisionId, MarketId, StrategyId } from '../../../src/core/ids.js';
import { betOutcome } from '../../../src/core/performance/bet-ledger.js';
import { aBetRow } from '../../support/backtest-runs.js';
import { ALICE, aStrategy, BOB, countingIds } from '../../support/builders.js';
import { aBet } from '../../support/builders-of-bets.js';
import { EACH_PLANNER, openFresh, rowsRead } from './rows-read.js';

const MANY = 1500;
const FEW = 3;
const LIMIT = 20;
const MOST = 10 * LIMIT;
const OF = '01a1fda4-6dbf-72dd-91e5-f8da8c91b24c' as StrategyId;
const idAt = (n: number) => `01a1fda4-6dbf-72dd-91e5-${String(n).padStart(12, '0')}`;

/** The oldest few bets are void and with real money; all others are won, on paper. */
const bets = Array.from({ length: MANY }, (_, n) =>
  aBetRow({ id: idAt(n), ...(n < FEW ? { result: 'void', paper: false } : {}) }),
);

/** As many open ones, of a market each. */
const open = Array.from({ length: MANY }, (_, n) =>
  aBetRow({ account: BOB, id: idAt(MANY + n), result: 'open', marketId: `open-${n}` as MarketId }),
);

/** The oldest few decisions are skips. */
const decisions = Array.from({ length: MANY }, (_, n) => {
  const bet = aBet({ strategyId: OF, id: idAt(n) as DecisionId });
  const nothing = { price: null, size: null, shares: null, cost: null, slot: null } as const;
  return n < FEW ? ({ ...bet, ...nothing, verdict: 'skip', code: 'event_loss_exceeded' } as const) : bet;
});

describe.each(EACH_PLANNER)('a page of what is kept for ever on %s', (_, fresh, collectStatistics) => {
  let close: () => Promise<void>;
  let store: Store;
  let ledger: SqlLedger;

  beforeAll(async () => {
    ({ store, ledger, close } = await openFresh(fresh));
    const head = { seq: 1, books: new Map(), sumsForm: 'form 1' };
    const whole = { from: 0, head, gone: [], sums: { anew: false, rows: [] } };
    await ledger.bets.advance({ account: ALICE, bets, ...whole });
    await ledger.bets.advance({ account: BOB, bets: open, ...whole });
    const strategies = Array.from({ length: MANY }, () => aStrategy({ id: countingIds.next() as StrategyId }));
    await ledger.write({ account: ALICE }, () => ({ result: null, strategies, decisions: decisions as never }));
    await collectStatistics(store);
  });
  afterAll(() => close());

  const page = { limit: LIMIT };

  it('open bets of a few outcomes cost the same however many others are open', async () => {
    const outcomes = open.slice(0, FEW).map(betOutcome);
    const read = () => ledger.bets.find(BOB, { open: true, outcomes });
    expect(await read()).toHaveLength(FEW);
    expect(await rowsRead(store, read)).toBeLessThanOrEqual(MOST);
  });

  it.each([
    ['bets_by_result', { result: 'void' }],
    ['bets_by_money', { paper: false }],
  ] as const)('of bets reads few rows, with its index alone: %s', async (index, filter) => {
    const read = () => ledger.bets.list(ALICE, filter, page);
    expect(await read()).toHaveLength(FEW);
    expect(await rowsRead(store, read)).toBeLessThanOrEqual(MOST);
    await store.writer.raw(`drop index ${index}`);
    expect(await rowsRead(store, read)).toBeGreaterThan(MOST);
  });

  it.each(['worst', 'best'] as const)('of bets from the %s on reads few rows', async (order) => {
    const read = (after?: string) =>
      ledger.bets.list(ALICE, { order, paper: true }, { ...page, ...(after && { after }) });
    expect(await read(idAt(MANY / 2))).toHaveLength(LIMIT);
    expect(await rowsRead(store, () => read())).toBeLessThanOrEqual(MOST);
    expect(await rowsRead(store, () => read(idAt(MANY / 2)))).toBeLessThanOrEqual(MOST);
  });

  it('of bets by profit in one market reads few rows', async () => {
    const filter = { order: 'worst', paper: true, marketId: 'nowhere' as MarketId } as const;
    for (const after of [{}, { after: idAt(MANY / 2) }])
      expect(await rowsRead(store, () => ledger.bets.list(ALICE, filter, { ...page, ...after }))).toBeLessThanOrEqual(
        MOST,
      );
  });

  it('of bets by profit reads all of them without the index of profits', async () => {
    await store.writer.raw('drop index bets_by_profit');
    expect(await rowsRead(store, () => ledger.bets.list(ALICE, { order: 'worst', paper: true }, page))).toBeGreaterThan(
      MOST,
    );
  });

  it('of skips reads few rows, with its index alone', async () => {
    const read = () => ledger.decisions.list(ALICE, OF, { code: 'event_loss_exceeded' }, page);
    expect(await read()).toHaveLength(FEW);
    expect(await rowsRead(store, read)).toBeLessThanOrEqual(MOST);
    await store.writer.raw('drop index decisions_skipped');
    expect(await rowsRead(store, read)).toBeGreaterThan(MOST);
  });
});
