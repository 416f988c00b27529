import { describe, expect, it } from 'vitest';
import { resultWire } from '../../../../src/adapters/http/result-wire.js';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { sha256 } from '../../../../src/adapters/system/index.js';
import { backtestResultOf } from '../../../../src/backtest/result.js';
import type { AccountId, MarketId, VenueName } from '../../../../src/core/ids.js';
import type { Page } from '../../../../src/core/ledger/query.js';
import { YES_WON } from '../../../../src/core/market/lifecycle.js';
import type { BetRow } from '../../../../src/core/performance/bet.js';
import { formOfSums, type ResultBy, sumsByKey } from '../../../../src/core/performance/kept-sums.js';
import { MEASURES } from '../../../../src/core/performance/measures.js';
import {
  type CountedBet,
  type ResultCursor,
  type ResultRow,
  resultsOfBets,
} from '../../../../src/core/performance/results.js';
import {
  MOST_BETS_MEASURED,
  ReadResults,
  type ResultContext,
  type ResultPage,
  type ResultQuery,
} from '../../../../src/core/usecases/bets/read-results.js';
import { aBetRow, aPlayedStrategy, aRun, someBets } from '../../../support/backtest-runs.js';
import { ALICE, BOB, NOON, price, usdc, WHERE } from '../../../support/builders.js';
import { aMarket, levels, ManualTimeline, ScriptedMarket } from '../../../support/scripted-market.js';
import { Trading } from '../../../support/trading.js';

const FREE = { rate: 0n, exponent: 1, takerOnly: true, asOf: new Date(NOON) };
const PAGE: Page<ResultCursor> = { limit: 100 };
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const by = (one: ResultBy, more: Partial<ResultQuery> = {}): ResultQuery => ({
  by: one,
  paper: true,
  interval: 'normal',
  ...more,
});

type Measuring = NonNullable<ResultContext['measuring']>;

/** A ledger with these bets on record, as they are. */
async function ledgerOf(bets: readonly BetRow[]): Promise<MemoryLedger> {
  const ledger = new MemoryLedger();
  const books = new Map([['paper', { cash: usdc('0'), atRisk: usdc('0'), resets: 0, opening: usdc('1000') }]]);
  await ledger.bets.advance({
    account: ALICE,
    from: 0,
    head: { seq: 0, books, sumsForm: formOfSums('UTC') },
    bets: bets.map((bet) => ({ ...bet, account: ALICE })),
    gone: [],
    sums: { anew: true, rows: sumsByKey(bets, dayOf) },
  });
  return ledger;
}

/** The results of bets that are on record as they are. */
async function resultsOf(bets: readonly BetRow[], context: Partial<ResultContext> = {}) {
  const ledger = await ledgerOf(bets);
  const { use, ports } = new Trading(ledger);
  const results = new ReadResults(ledger, use.bets.keep, { ...ports, quotes: ports.venues, ...context });
  return (query: ResultQuery, page = PAGE, account: AccountId = ALICE) => results.execute(account, query, page);
}

/** Texts of everything but how the yield's interval was had. */
const textsOf = (row: ResultRow) => resultWire(row, 'normal').measures;
const keysOf = (rows: readonly ResultRow[]) => rows.map(({ key, bets, open }) => [key, bets, open]);

describe('The results of an account', () => {
  it('count settled bets of each strategy, and measure them', async () => {
    const trading = new Trading(new MemoryLedger());
    const strategy = await trading.strategy();
    await trading.place({ price: price('0.5'), size: usdc('10'), strategyId: strategy.id });
    await trading.place({ price: price('0.5'), size: usdc('4'), outcome: 'NO' });
    await trading.use.markets.settle.execute(WHERE, YES_WON);
    const { items, covered, next } = await trading.use.bets.results.execute(ALICE, by('strategy'), PAGE);
    expect(items.map(({ key, bets, open, measures }) => [key, bets, open, measures.profit_usdc.value])).toEqual([
      [strategy.id, 1, 0, '10'],
      [null, 1, 0, '-4'],
    ]);
    expect(items.map(({ measures }) => measures.return_on_capital.value)).toEqual(['0.010000000', '-0.004000000']);
    expect([covered, next]).toEqual([{ bets: 2, all: true }, null]);
  });

  it.each(['normal', 'bootstrap'] as const)('have open bets in the profit at their mark: %s', async (interval) => {
    const market = new ScriptedMarket(aMarket({ fee: FREE }), new ManualTimeline());
    market.shown = { bids: levels('0.4x1000'), asks: levels('0.5x1000') };
    const trading = new Trading(new MemoryLedger(), { markets: market });
    await trading.place({ marketId: market.market.id, price: price('0.5'), size: usdc('10') });
    const profit = async () => {
      const { items } = await trading.use.bets.results.execute(ALICE, by('phase', { interval }), PAGE);
      return [items[0]?.open, items[0]?.measures.profit_usdc.value, items[0]?.measures.profit_usdc.reason];
    };
    expect(await profit()).toEqual([1, '-2', null]);
    market.shown = { bids: [], asks: levels('0.5x1000') };
    expect(await profit()).toEqual([1, null, 'no_mark']);
    const real = await trading.use.bets.results.execute(ALICE, by('phase', { interval, paper: false }), PAGE);
    expect(real.items).toEqual([]);
  });

  it('equal those of a backtest with the same bets', async () => {
    const bets = [...someBets(120, { strategy: 'a', edge: 0.1 }), ...someBets(60, { strategy: 'b', seed: 2 })];
    const read = await resultsOf(bets);
    const { items } = await read(by('strategy', { interval: 'bootstrap' }));
    const played = ['a', 'b'].map((name) =>
      aPlayedStrategy(
        name,
        bets.filter(({ strategy }) => strategy?.id === name),
        { marks: [] },
      ),
    );
    const { results } = backtestResultOf(aRun(1, { played }));
    for (const [at, row] of items.entries())
      for (const { name } of MEASURES) {
        const { low, high, ...measured } = textsOf(row)[name];
        const { low: least, high: most, ...expected } = results[at]?.measures[name] ?? {};
        expect([name, { ...measured, interval: undefined }]).toEqual([name, { ...expected, interval: undefined }]);
        if (name !== 'yield') expect([name, low, high]).toEqual([name, least, most]);
      }
    expect(items).toHaveLength(2);
  });

  it('of sums equal those of all bets, but for what needs each of them', async () => {
    const read = await resultsOf(someBets(200));
    for (const one of ['league', 'odds', 'day', 'version'] as const) {
      const sums = (await read(by(one))).items;
      const each = (await read(by(one, { settledAfter: new Date(0) }))).items;
      expect(keysOf(sums)).toEqual(keysOf(each));
      for (const [at, row] of sums.entries())
        for (const { name } of MEASURES)
          if (row.measures[name].reason !== 'needs_every_bet')
            expect([name, row.measures[name]]).toEqual([name, each[at]?.measures[name]]);
    }
  });

  it('have the same interval whenever they are read, by drawing events', async () => {
    const read = await resultsOf(someBets(50));
    const yieldOf = async (interval: 'normal' | 'bootstrap') =>
      (await read(by('kind', { interval }))).items[0]?.measures.yield.interval;
    expect(await yieldOf('bootstrap')).toEqual(await yieldOf('bootstrap'));
    expect(await yieldOf('bootstrap')).not.toEqual(await yieldOf('normal'));
  });

  it('never add up kinds of money, venues, or accounts', async () => {
    const read = await resultsOf([
      aBetRow({ id: 'a' }),
      aBetRow({ id: 'b', paper: false }),
      aBetRow({ id: 'c', venue: 'other' as VenueName }),
    ]);
    const rowsOf = async (query: ResultQuery, account?: AccountId) =>
      (await read(query, PAGE, account)).items.map(({ paper, venue, bets }) => [paper, venue, bets]);
    for (const interval of ['normal', 'bootstrap'] as const) {
      const query = by('sport', { interval });
      expect(await rowsOf(query)).toEqual([
        [true, 'other', 1],
        [true, 'polymarket', 1],
      ]);
      expect(await rowsOf({ ...query, paper: false })).toEqual([[false, 'polymarket', 1]]);
      expect(await rowsOf({ ...query, venue: 'other' as VenueName })).toEqual([[true, 'other', 1]]);
      expect(await rowsOf(query, BOB)).toEqual([]);
    }
  });

  it('of a time leave out open bets, and those of others', async () => {
    const settledAt = new Date('2026-03-02T12:00:00Z');
    const read = await resultsOf([
      aBetRow({ id: 'a' }),
      aBetRow({ id: 'b', settledAt }),
      aBetRow({ id: 'c', settledAt: null, result: 'open' }),
    ]);
    const daysOf = async (more: Partial<ResultQuery>) => keysOf((await read(by('day', more))).items);
    expect(await daysOf({})).toEqual([
      ['2026-03-01', 1, 0],
      ['2026-03-02', 1, 0],
      [null, 0, 1],
    ]);
    expect(await daysOf({ settledAfter: settledAt })).toEqual([['2026-03-02', 1, 0]]);
    expect(await daysOf({ settledBefore: settledAt })).toEqual([['2026-03-01', 1, 0]]);
  });

  it('come page by page, in one order', async () => {
    const read = await resultsOf(someBets(60));
    for (const interval of ['normal', 'bootstrap'] as const) {
      const all = await read(by('day', { interval }));
      const first = await read(by('day', { interval }), { limit: 2 });
      expect(first.next).toEqual({ key: first.items[1]?.key, venue: 'polymarket' });
      const rest = await read(by('day', { interval }), { limit: 100, ...(first.next && { after: first.next }) });
      expect(keysOf([...first.items, ...rest.items])).toEqual(keysOf(all.items));
      expect(rest.next).toBeNull();
    }
  });

  it('that need every bet are read once for all pages', async () => {
    let readings = 0;
    const measure: Measuring['measure'] = async (pages, terms) => {
      readings += 1;
      const bets: CountedBet[] = [];
      for await (const page of pages) bets.push(...page);
      return resultsOfBets(bets, terms);
    };
    const read = await resultsOf(someBets(300), { measuring: { measure, plot: async () => [] } });
    const query = by('day', { interval: 'bootstrap' });
    const all = (await read(query)).items;
    expect([all.length > 4, readings]).toEqual([true, 1]);
    const items: ResultRow[] = [];
    let after: ResultCursor | null = null;
    do {
      const page: ResultPage = await read(query, { limit: 2, ...(after !== null && { after }) });
      items.push(...page.items);
      expect(page.covered).toEqual({ bets: 300, all: true });
      after = page.next;
    } while (after !== null);
    expect([keysOf(items), readings]).toEqual([keysOf(all), 2]);
    const { key, venue } = all[2] as ResultRow;
    const { items: rest } = await read(query, { limit: 2, after: { key, venue } });
    expect([keysOf(rest), readings]).toEqual([keysOf(all.slice(3, 5)), 3]);
  });

  it('that need every bet are those of the query that is asked', async () => {
    const read = await resultsOf(someBets(60));
    const days = by('day', { interval: 'bootstrap' });
    const { next } = await read(days, { limit: 2 });
    const after = next as ResultCursor;
    const other = await read({ ...days, settledBefore: new Date(0) }, { limit: 2, after });
    expect(other.items).toEqual([]);
    expect((await read(days, { limit: 2, after }, BOB)).items).toEqual([]);
  });

  it('have plots of what settled, each venue apart, and none of another account', async () => {
    const bets = [
      ...someBets(40),
      aBetRow({ id: 'o', venue: 'other' as VenueName }),
      aBetRow({ id: 'r', paper: false }),
    ];
    const open = aBetRow({ id: 'n', settledAt: null, result: 'open' });
    const ledger = await ledgerOf([...bets, open]);
    const { use, ports } = new Trading(ledger);
    const results = new ReadResults(ledger, use.bets.keep, { ...ports, quotes: ports.venues });
    const { items, covered } = await results.plots(ALICE, { paper: true });
    expect(items.map(({ venue, paper, bets: some }) => [venue, paper, some])).toEqual([
      ['other', true, 1],
      ['polymarket', true, 40],
    ]);
    expect(covered).toEqual({ bets: 41, all: true });
    expect((await results.plots(ALICE, { paper: false })).items).toMatchObject([{ paper: false, bets: 1 }]);
    expect((await results.plots(BOB, { paper: true })).items).toEqual([]);
  });

  it('that need every bet are of the newest, and say so', async () => {
    const bet = aBetRow();
    let left = MOST_BETS_MEASURED + 5;
    const list = async (_: AccountId, __: object, { limit }: { limit: number }) => {
      const many = Math.min(limit, left);
      left -= many;
      return Array.from({ length: many }, () => bet);
    };
    let taken = 0;
    const measure = async (pages: AsyncIterable<readonly unknown[]>) => {
      for await (const page of pages) taken += page.length;
      return [];
    };
    const plot = measure;
    const { use, ports, ledger } = new Trading(new MemoryLedger());
    const bets = { ...ledger.bets, list, head: async () => undefined };
    const context = { ...ports, quotes: ports.venues, digest: sha256, measuring: { measure, plot } };
    const results = new ReadResults({ bets } as never, use.bets.keep, context);
    const { covered } = await results.execute(ALICE, by('sport', { interval: 'bootstrap' }), PAGE);
    expect([covered, taken]).toEqual([{ bets: MOST_BETS_MEASURED, all: false }, MOST_BETS_MEASURED]);
  });

  it('that need every bet are measured one after another', async () => {
    const running: string[] = [];
    let most = 0;
    const measure: Measuring['measure'] = async (pages, { by: one }) => {
      most = Math.max(most, running.push(one));
      for await (const _ of pages);
      running.pop();
      return [];
    };
    const read = await resultsOf(someBets(3), { measuring: { measure, plot: async () => [] } });
    await Promise.all((['sport', 'league', 'kind'] as const).map((one) => read(by(one, { interval: 'bootstrap' }))));
    expect(most).toBe(1);
  });
});

it('Results of a market that nobody prices have no profit while a bet is open', async () => {
  const trading = new Trading(new MemoryLedger());
  await trading.place({ size: usdc('10') });
  await trading.use.markets.settle.execute(WHERE, YES_WON);
  await trading.place({ marketId: 'another' as MarketId, size: usdc('10') });
  const { items } = await trading.use.bets.results.execute(ALICE, by('phase'), PAGE);
  expect(items[0]).toMatchObject({ bets: 1, open: 1 });
  expect(items[0]?.measures.profit_usdc).toMatchObject({ value: null, reason: 'no_mark', n: 2 });
  expect(items[0]?.measures.turnover_usdc.value).toBe('10');
});
