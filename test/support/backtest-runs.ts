import type { BacktestRun, CashReading, PlayedStrategy, RunHeader } from '../../src/backtest/backtest-run.js';
import type { MarketId, OrderId, StrategyId, VenueName } from '../../src/core/ids.js';
import type { Price, Shares, Usdc } from '../../src/core/money.js';
import type { BetRow } from '../../src/core/performance/bet.js';
import { ALICE, usdc } from './builders.js';
import { aBet } from './builders-of-bets.js';

const START = Date.UTC(2026, 2, 1, 12);
const HOUR = 3_600_000;
const CENT = 10_000n;

/** A small generator of numbers from 0 to 1, the same on every machine. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/** A bet of 10 dollars on 20 shares at 0.50 that was won an hour after its start. */
export function aBetRow(changes: Partial<BetRow> = {}): BetRow {
  return {
    id: 'order-1',
    account: ALICE,
    paper: true,
    venue: 'polymarket' as VenueName,
    marketId: 'market-1' as MarketId,
    event: { id: 'event-1', slug: null, title: 'Arsenal against Chelsea' },
    question: 'Arsenal or Chelsea?',
    sport: 'soccer',
    league: 'epl',
    kind: 'moneyline',
    line: null,
    strategy: { id: 'Home favourites' as StrategyId, version: 1 },
    outcome: 'YES',
    outcomeLabel: 'Arsenal',
    side: 'BACK',
    firstFillAt: new Date(START),
    lastFillAt: new Date(START),
    settledAt: new Date(START + 3 * HOUR),
    startsAt: new Date(START + HOUR),
    secondsToStart: 3600,
    phase: 'pre',
    shares: 20_000_000n as Shares,
    held: 20_000_000n as Shares,
    stake: usdc('10'),
    fees: usdc('0.1'),
    atDecision: { best: 500_000n as Price, mid: 495_000n as Price },
    atArrival: { best: 500_000n as Price, mid: 495_000n as Price },
    probability: 550_000n as Price,
    close: { price: 520_000n as Price, fair: { n: 520_000n, d: 1_000_000n } },
    payout: usdc('1'),
    paid: usdc('20'),
    soldFor: usdc('0'),
    profit: usdc('9.9'),
    result: 'won',
    liquidity: 'taker',
    fillModels: ['book_walk;latency_ms=150;delay_s=0'],
    orderIds: ['order-1' as OrderId],
    orderSeqs: [4],
    equityAtEntry: usdc('1000'),
    atRisk: usdc('0'),
    resets: 0,
    ...changes,
  };
}

/** So many bets of one strategy, one each hour, of which `edge` moves the chance to win above the price. */
export function someBets(count: number, { seed = 1, edge = 0, strategy = 'Home favourites' } = {}): readonly BetRow[] {
  const next = numbersFrom(seed);
  return Array.from({ length: count }, (_, at): BetRow => {
    const moment = START + at * HOUR;
    const inPlay = next() < 0.1;
    return aBetRow({
      ...pricedBet(next, edge, inPlay),
      id: `${strategy} ${at}`,
      marketId: `market-${at}` as MarketId,
      event: { id: `event-${at}`, slug: null, title: `Game ${at}` },
      sport: next() < 0.7 ? 'soccer' : 'tennis',
      league: at % 3 === 0 ? 'epl' : 'laliga',
      strategy: { id: strategy as StrategyId, version: at < count / 2 ? 1 : 2 },
      firstFillAt: new Date(moment),
      lastFillAt: new Date(moment),
      settledAt: new Date(moment + 3 * HOUR),
      secondsToStart: inPlay ? -600 : Math.floor(next() * 200_000),
      phase: inPlay ? 'in_play' : 'pre',
      orderIds: [`${strategy} ${at}` as OrderId],
    });
  });
}

/** 20 shares at a price from 0.25 to 0.74, and what became of them. */
function pricedBet(next: () => number, edge: number, inPlay: boolean): Partial<BetRow> {
  const cents = 25 + Math.floor(next() * 50);
  const best = BigInt(cents) * CENT;
  const stake = best * 20n;
  const won = next() < cents / 100 + edge;
  const close = best + BigInt(Math.floor((next() - 0.4) * 6)) * CENT;
  const book = { best: best as Price, mid: (best - CENT / 2n) as Price };
  return {
    stake: stake as Usdc,
    fees: usdc('0.05'),
    atDecision: book,
    atArrival: book,
    probability: (best + 3n * CENT) as Price,
    close: inPlay ? 'in_play' : { price: close as Price, fair: { n: close, d: 1_000_000n } },
    payout: usdc(won ? '1' : '0'),
    profit: ((won ? 20_000_000n : 0n) - stake - 50_000n) as Usdc,
    result: won ? 'won' : 'lost',
  };
}

/** What an account was worth as those bets settled, one after the other. */
export function marksOf(bets: readonly BetRow[], capital: Usdc = usdc('1000')): readonly CashReading[] {
  let equity: bigint = capital;
  const first = { at: new Date(START - HOUR), equity: capital, cash: capital, atRisk: usdc('0'), deposited: usdc('0') };
  return [
    first,
    ...bets.map(({ settledAt, firstFillAt, profit, stake }) => {
      equity += profit;
      const at = settledAt ?? firstFillAt;
      return { at, equity: equity as Usdc, cash: equity as Usdc, atRisk: stake, deposited: usdc('0') };
    }),
  ];
}

/** What one strategy, or all of them, did with these bets. */
export function aPlayedStrategy(
  strategy: string | null,
  bets: readonly BetRow[],
  changes: Partial<PlayedStrategy> = {},
): PlayedStrategy {
  return {
    strategy,
    bets,
    orders: [],
    marks: marksOf(bets),
    capital: usdc('1000'),
    skips: new Map([
      ['odds_out_of_range', 812],
      ['no_edge', 97],
      ['entries_in_market', 41],
    ]),
    ...changes,
  };
}

/** The header of a run over one tape of a month. */
export function aRunHeader(changes: Partial<RunHeader> = {}): RunHeader {
  return {
    id: '5f2d9a'.padEnd(64, '0'),
    tapes: [
      {
        name: 'league.jsonl.gz',
        sha256: 'ab'.repeat(32),
        from: new Date(START - HOUR),
        to: new Date(START + 720 * HOUR),
        markets: 640,
        evidence: 'l2',
      },
    ],
    strategies: [
      { name: 'Home favourites', rules: { outcome: { role: 'home' }, sizing: { method: 'flat', value: '10' } } },
    ],
    cash: usdc('1000'),
    latencyMs: 150,
    seed: '1',
    together: false,
    version: '0.1.0',
    coverage: '0.982000000',
    gaps: 3,
    partial: false,
    settings: { zone: 'UTC', from: null, to: null, limits: null },
    ...changes,
  };
}

/** A run of one strategy with so many bets. */
export function aRun(
  count: number,
  { edge = 0, seed = 1, ...changes }: Partial<BacktestRun> & { readonly edge?: number; readonly seed?: number } = {},
): BacktestRun {
  const bets = someBets(count, { edge, seed });
  const next = numbersFrom(seed + 1);
  return {
    header: aRunHeader(),
    warnings: [],
    played: [aPlayedStrategy(null, bets), aPlayedStrategy('Home favourites', bets)],
    signals: [],
    markets: Array.from({ length: 400 }, () => {
      const probability = BigInt(5 + Math.floor(next() * 90)) * CENT;
      return { probability: probability as Price, won: next() < Number(probability) / 1_000_000 };
    }),
    decisions: [aBet()],
    ...changes,
  };
}
