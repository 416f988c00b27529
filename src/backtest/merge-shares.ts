import type { StrategyId } from '../core/ids.js';
import { formatMicro, NO_USDC, ONE, plus, ratioText, type Usdc } from '../core/money.js';
import type { Order, StrategyRef } from '../core/order/order.js';
import { type BetRow, isSettled } from '../core/performance/bet.js';
import { meaningOfSkip } from '../core/refusals/decision-reason.js';
import { NO_FILLS } from '../core/strategy/decide/decide.js';
import type { DecisionRecord } from '../core/strategy/record/decision-record.js';
import type { BacktestPlan } from './backtest-plan.js';
import type { BacktestRun, CashReading, PlayedStrategy, RunWarning } from './backtest-run.js';
import type { MarketCoverage } from './market-record.js';
import { COUNTED_DECISION_ID, COUNTED_ID, countedId, type PlayedAccount, type PlayedShare } from './play-share.js';

/** What a plan came to, from its shares: each strategy was in one of them, and in which one leaves no trace. */
export function runOf(plan: BacktestPlan, shares: readonly PlayedShare[]): BacktestRun {
  const coverage = sumOf(shares.map((share) => share.coverage));
  const forecasts = shares.flatMap(({ markets }) => markets).sort((a, b) => a.place - b.place);
  // The first share, too, knows of each market when it started and how it ended.
  const signals = shares[0]?.signalForecasts ?? [];
  const { cash, together, until } = plan.terms;
  const tradedMs = BigInt(coverage.tradedMs);
  const { orders, decisions, bets } = inOneOrder(plan, shares);
  const ordersOf = byStrategy(orders, ({ intent }) => intent.strategy);
  const betsOf = byStrategy(bets, ({ strategy }) => strategy);
  const marksOf = new Map(shares.flatMap(({ accounts }) => accounts.map(({ account, marks }) => [account, marks])));
  const skipsOf = new Map(shares.flatMap(({ strategies }) => strategies.map(({ name, skips }) => [name, skips])));
  const played = plan.strategies.map(({ draft: { name }, account }): PlayedStrategy => {
    const own = ordersOf.get(name as StrategyId) ?? [];
    const ofAccount = marksOf.get(account) ?? [];
    return {
      strategy: name,
      bets: betsOf.get(name as StrategyId) ?? [],
      orders: own,
      marks: together ? [] : ofAccount,
      sharedMarks: ofAccount,
      capital: cash,
      skips: mostFirst([skipsOf.get(name) ?? new Map()]),
    };
  });
  const all: PlayedStrategy = {
    strategy: null,
    bets,
    orders,
    marks: sumOfMarks([...marksOf.values()], cash),
    capital: [...marksOf.keys()].reduce((sum) => plus(sum, cash), NO_USDC),
    skips: mostFirst(played.map(({ skips }) => skips)),
  };
  return {
    header: {
      ...plan.header,
      coverage: ratioText(tradedMs === 0n ? { n: 0n, d: 1n } : { n: BigInt(coverage.liveMs), d: tradedMs }, 9),
      gaps: coverage.gaps,
      partial: shares.some(({ reached }) => reached < until),
    },
    warnings: [
      ...plan.warnings,
      ...neverBet(played),
      ...outOfCash(played),
      ...lateSignals(shares),
      ...nearlyCertain(bets),
      ...faultWarnings(shares),
    ],
    played: [all, ...played],
    markets: forecasts.map(({ forecast }) => forecast),
    signals,
    decisions,
  };
}

/** Each market is counted in one share. */
function sumOf(coverages: readonly MarketCoverage[]): MarketCoverage {
  let [tradedMs, liveMs, gaps] = [0, 0, 0];
  for (const one of coverages) {
    tradedMs += one.tradedMs;
    liveMs += one.liveMs;
    gaps += one.gaps;
  }
  return { tradedMs, liveMs, gaps };
}

function byStrategy<Row>(
  rows: readonly Row[],
  strategyOf: (row: Row) => StrategyRef | null,
): ReadonlyMap<StrategyId, readonly Row[]> {
  const own = new Map<StrategyId, Row[]>();
  for (const row of rows) {
    const strategy = strategyOf(row);
    if (strategy === null) continue;
    const known = own.get(strategy.id);
    if (known === undefined) own.set(strategy.id, [row]);
    else known.push(row);
  }
  return own;
}

/**
 * The orders, decisions and bets of all shares in one order: by their moments, and of one moment by the strategies of the plan. Their ids count
 * in that order, and strategies are called by their names.
 */
function inOneOrder(plan: BacktestPlan, shares: readonly PlayedShare[]) {
  const known = new Map(
    shares.flatMap((share) => share.accounts.map((account) => [account.account, { account, share }])),
  );
  const accounts = [...new Set(plan.strategies.map(({ account }) => account))].flatMap((name) => known.get(name) ?? []);
  const names = new Map(shares.map((share) => [share, new Map<string, string>()]));
  for (const [share, own] of names) for (const { id, name } of share.strategies) own.set(id, name);
  const rows = <Row extends { readonly id: string }>(
    of: (account: PlayedAccount) => readonly Row[],
    at: (row: Row) => Date,
    beginning: string,
  ) => {
    const all = accounts.flatMap(({ account, share }) =>
      of(account).map((row) => ({ row, share, moment: at(row).getTime() })),
    );
    all.sort((a, b) => a.moment - b.moment);
    for (const [index, { row, share }] of all.entries()) names.get(share)?.set(row.id, countedId(index + 1, beginning));
    return all;
  };
  const orders = rows<Order>(
    (account) => account.orders,
    ({ placedAt }) => placedAt,
    COUNTED_ID,
  );
  const decisions = rows<DecisionRecord>(
    (account) => account.decisions,
    ({ at }) => at,
    COUNTED_DECISION_ID,
  );
  const named = <Row>({ row, share }: { readonly row: Row; readonly share: PlayedShare }): Row =>
    renamed(row, names.get(share) ?? new Map());
  const bets = accounts.flatMap(({ account, share }) => account.bets.map((row) => ({ row, share })));
  bets.sort((a, b) => a.row.firstFillAt.getTime() - b.row.firstFillAt.getTime());
  return { orders: orders.map(named), decisions: decisions.map(named), bets: bets.map(named) };
}

const COUNTED_IDS = new RegExp(`${COUNTED_ID}[0-9a-f]{12}`, 'g');

/** A value with other texts for its ids. */
function renamed<T>(value: T, names: ReadonlyMap<string, string>): T {
  if (typeof value === 'string') {
    if (value.length < COUNTED_ID.length || !value.includes(COUNTED_ID)) return value;
    return value.replace(COUNTED_IDS, (id) => names.get(id) ?? id) as T;
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) {
    if (!value.some((one) => renamed(one, names) !== one)) return value;
    return value.map((one) => renamed(one, names)) as T;
  }
  let changed: T | null = null;
  for (const name in value) {
    const member = renamed(value[name], names);
    if (member === value[name]) continue;
    changed ??= { ...value };
    changed[name] = member;
  }
  return changed ?? value;
}

/** How often each reason came up in all of these, the one that came up most often first. */
function mostFirst(counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const own of counts) for (const [code, count] of own) sums.set(code, (sums.get(code) ?? 0) + count);
  return new Map([...sums].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)));
}

/** The marks of all accounts together: one for each moment of any of them. An account is worth its cash before its first mark. */
function sumOfMarks(accounts: readonly (readonly CashReading[])[], cash: Usdc): readonly CashReading[] {
  const [first] = accounts;
  if (first !== undefined && accounts.length === 1) return first;
  const all = accounts.flatMap((marks, account) => marks.map((mark) => ({ mark, account })));
  all.sort((a, b) => a.mark.at.getTime() - b.mark.at.getTime());
  const last: Omit<CashReading, 'at' | 'deposited'>[] = accounts.map(() => ({ equity: cash, cash, atRisk: NO_USDC }));
  const begun = accounts.reduce((sum) => plus(sum, cash), NO_USDC);
  let sums = { equity: begun, cash: begun, atRisk: NO_USDC };
  const marks: CashReading[] = [];
  for (const { mark, account } of all) {
    const { at, equity, cash: own, atRisk } = mark;
    const before = last[account] ?? mark;
    last[account] = mark;
    sums = {
      equity: (sums.equity + equity - before.equity) as Usdc,
      cash: (sums.cash + own - before.cash) as Usdc,
      atRisk: (sums.atRisk + atRisk - before.atRisk) as Usdc,
    };
    if (marks.at(-1)?.at.getTime() === at.getTime()) marks.pop();
    marks.push({ at, ...sums, deposited: NO_USDC });
  }
  return marks;
}

/** A warning about strategies that never bet, with what kept them from it most often. */
function neverBet(played: readonly PlayedStrategy[]): readonly RunWarning[] {
  const idle = played.filter(({ bets, skips }) => bets.length === 0 && !skips.has(NO_FILLS));
  const [first] = idle;
  if (first === undefined) return [];
  const who = idle.length === 1 ? `“${first.strategy}”` : `${idle.length} of ${played.length} strategies`;
  const [most] = mostFirst(idle.map(({ skips }) => skips));
  const why =
    most === undefined
      ? ': nothing came within the sport, phase, window and odds of its rules.'
      : `, most often for ${most[0]} (${most[1]} times): ${meaningOfSkip(most[0])}`;
  return [{ code: 'never_bet', detail: `${who} never bet${why}` }];
}

/** What is left of its cash where a strategy has lost nearly all of it. */
const NEARLY_ALL = 20n;

/** A warning about strategies whose money ran out: what came later says nothing of them. */
function outOfCash(played: readonly PlayedStrategy[]): readonly RunWarning[] {
  const broke = played.flatMap(({ strategy, capital, marks, sharedMarks = marks }) => {
    const [at] = sharedMarks.filter(({ equity }) => equity * NEARLY_ALL < capital);
    const last = sharedMarks.at(-1);
    return at === undefined || last === undefined || last.equity * NEARLY_ALL >= capital
      ? []
      : [{ strategy, at, last }];
  });
  const [first] = broke;
  if (first === undefined) return [];
  const others = broke.length === 1 ? '' : ` So it was with ${broke.length - 1} more.`;
  const left = `“${first.strategy}” had lost nearly all of its cash by ${first.at.at.toISOString()}, and ended with ${formatMicro(first.last.equity)} USDC`;
  return [{ code: 'out_of_cash', detail: `${left}: what came later was hardly bet on.${others}` }];
}

/** A warning where signals were known only after strategies had asked for them, and never after that. */
function lateSignals(shares: readonly PlayedShare[]): readonly RunWarning[] {
  const used = new Set(shares.flatMap(({ signals }) => signals.used));
  const late = new Set(shares.flatMap(({ signals }) => signals.asked).filter((at) => !used.has(at)));
  if (late.size === 0) return [];
  const words = 'known only after strategies decided in their markets: they were never used';
  return [{ code: 'late_signals', detail: `${late.size} signals were ${words}.` }];
}

/** A share that costs more is mostly bought once the result is known. */
const NEARLY_CERTAIN = (ONE / 100n) * 97n;

/** A warning where settled bets paid such a price, with the yield of the others: of a tape nobody knows when an event is over. */
function nearlyCertain(bets: readonly BetRow[]): readonly RunWarning[] {
  const settled = bets.filter(isSettled);
  const others = settled.filter(({ stake, shares }) => stake * ONE <= NEARLY_CERTAIN * shares);
  const many = settled.length - others.length;
  if (many === 0) return [];
  const sum = (of: (bet: BetRow) => bigint) => others.reduce((total, bet) => total + of(bet), 0n);
  const [profit, turnover] = [sum((bet) => bet.profit), sum(({ stake }) => stake)];
  const earned =
    turnover === 0n ? 'there is no yield' : `the yield is ${ratioText({ n: profit * 100n, d: turnover }, 1)} %`;
  const paid = `${many} of ${settled.length} settled bets paid more than ${formatMicro(NEARLY_CERTAIN)} a share`;
  return [
    { code: 'nearly_certain', detail: `${paid}, as after a result that is not posted yet: without them ${earned}.` },
  ];
}

function faultWarnings(shares: readonly PlayedShare[]): readonly RunWarning[] {
  const faults = shares.flatMap((share) => share.faults);
  const [first] = faults.map((text) => text.replace(COUNTED_IDS, '…')).sort();
  if (first === undefined) return [];
  return [{ code: 'faults', detail: `${faults.length} times something could not be done, such as: ${first}` }];
}
