import { type BookView, seenFrom } from '../../market/book.js';
import { FeeMeter, wholeLots } from '../../market/fee.js';
import { type Market, outcomeOf } from '../../market/market.js';
import {
  formatMicro,
  least,
  microFloor,
  minus,
  NO_SHARES,
  NO_USDC,
  notional,
  ONE,
  type Price,
  plus,
  type Ratio,
  type Shares,
  sharesFor,
  type Usdc,
} from '../../money.js';
import { type InputValue, probabilityOf, RuleLog, textOf } from '../conditions/candidate.js';
import type { DecisionSubject } from '../decide/decide.js';
import type { Fraction } from '../rules/rule-member.js';
import type { SkipCode } from '../rules/skip-reasons.js';
import type { ExitInputs, Offered, PriceLeft, SaleBound, SharesLeft, SizeLeft } from './exit-inputs.js';

/** Whether a strategy sells what it holds, and why. `passed` of a rule says that its condition is true; one is enough. */
export type ExitDecision = DecisionSubject & (Sale | NoSale);

/** A FAK sale to place. */
export interface Sale {
  readonly verdict: 'sell';
  /** The first rule whose condition was true: `exit/stop`. */
  readonly trigger: string;
  readonly code: null;
  /** The limit of the strategy or the account that made it smaller; null where none did. */
  readonly boundBy: string | null;
  /** The limit: the worst bid within the slippage that no limit of prices refuses. */
  readonly price: Price;
  /** Money at the limit, as orders have it. */
  readonly size: Usdc;
  readonly shares: Shares;
  /** Money in, net of fees. */
  readonly proceeds: Usdc;
}

/** No sale. */
export interface NoSale {
  readonly verdict: 'hold';
  /** Null where no condition was true. */
  readonly trigger: string | null;
  /** Why nothing is sold although a condition was true; null where none was. */
  readonly code: string | null;
  /** Where a limit lets nothing pass, what it would take, as a sentence; else null. */
  readonly limit: string | null;
  readonly price: null;
  readonly size: null;
  readonly shares: null;
  readonly proceeds: null;
}

/**
 * Whether a strategy sells what it holds of an outcome: the first condition of its `exit` that is true sells all that the bids take
 * within `max_slippage` of the best; what they do not take is sold by the next decision. A gain, a loss and the yield of holding are those of what
 * could be sold now if no limit made it smaller, net of fees, beside its part of the cost. A condition whose input is missing is not true. Pure, as `decideBet`.
 */
export function decideExit(inputs: ExitInputs): ExitDecision {
  const log = new RuleLog();
  const view = inputs.book === null ? null : seenFrom(inputs.outcome, inputs.book);
  const all = view === null ? null : offeredFor(inputs, view, []);
  const offered = view === null ? null : offeredFor(inputs, view, inputs.limits);
  const found = probabilityOf(inputs, inputs.outcome, inputs.book);
  const probability = found !== null && 'probability' in found ? found.probability : null;
  testExit(log, inputs, view?.fresh === true ? all : null, probability);
  const trigger = log.results.find(({ passed }) => passed === true)?.rule ?? null;
  const subject = subjectOf(inputs, log, view, offered, probability);
  if (trigger === null) return { ...subject, ...held(null, null) };
  const code = obstacle(inputs, view);
  if (code !== null || offered === null) return { ...subject, ...held(trigger, code ?? NO_BIDS) };
  if (isTooSmall(inputs.market, offered))
    return {
      ...subject,
      ...held(trigger, offered.bound?.code ?? 'below_minimum', wordsOf(inputs, offered, all ?? offered)),
    };
  const { limit, shares, proceeds, bound } = offered;
  const sale = { price: limit, size: sizeOf(offered, inputs.market.lot), shares, proceeds };
  return { ...subject, verdict: 'sell', trigger, code: null, boundBy: bound?.name ?? null, ...sale };
}

const NO_BIDS = 'input_missing:bids';

function held(trigger: string | null, code: string | null, limit: string | null = null): NoSale {
  return { verdict: 'hold', trigger, code, limit, price: null, size: null, shares: null, proceeds: null };
}

/** Why nothing can be sold now; null when it can. */
function obstacle({ strategy, market }: ExitInputs, view: BookView | null): SkipCode | null {
  const { status, terms } = market;
  if (strategy.isPaused) return 'strategy_paused';
  if (status !== 'open' && status !== 'in_play') return status === null ? 'input_missing:status' : 'not_matched:status';
  if (terms === null) return 'input_missing:terms';
  if (!terms.acceptingOrders) return 'market_not_accepting_orders';
  if (terms.fee === null) return 'fee_unknown';
  if (view === null) return 'input_missing:book';
  if (!view.fresh) return 'market_data_stale';
  return null;
}

/** True where the venue takes no order that is so small. */
function isTooSmall({ terms, lot }: Market, offered: Offered): boolean {
  const ordered = sharesFor(sizeOf(offered, lot), offered.limit, lot);
  return offered.shares === 0n || terms === null || ordered < terms.minShares;
}

/** What the limit that leaves too little would have to be; null where none does. `all` is what would be sold without limits. */
function wordsOf({ market, position }: ExitInputs, { bound, shares, limit }: Offered, all: Offered): string | null {
  if (bound === null) return null;
  const free = least(position.free, position.shares);
  const fewest = formatMicro(market.terms?.minShares ?? NO_SHARES);
  const left = `${bound.name} leaves ${formatMicro(shares)} of ${formatMicro(free)} shares, and the venue takes no fewer than ${fewest}`;
  const { most } = bound;
  if ('price' in most) {
    const lowest = formatMicro(all.lowest);
    if (most.cap === null)
      return `${left}. For more of them no order of the account may work that a sale at ${lowest} would meet.`;
    const needed = formatMicro(plus(most.cap, minus(most.price, all.lowest)));
    return `${left}. For more of them, at ${lowest}, it has to be ${needed} or more.`;
  }
  const needed = 'size' in most ? notional(free, limit, 'ceil') : most.forAll;
  return `${left}. For all of them it has to be ${formatMicro(needed)} or more.`;
}

/** Money at the limit that orders exactly these shares; fewer where a lot is so small that the next size would order more. */
function sizeOf({ shares, limit }: Offered, lot: Shares): Usdc {
  const size = notional(shares, limit, 'ceil');
  return sharesFor(size, limit, lot) > shares ? notional(shares, limit, 'floor') : size;
}

/** Sells level by level, rounded as the account will be paid: against the trader. Null without a bid or a fee. */
function offeredFor(
  { rules, market, position }: ExitInputs,
  { bids }: BookView,
  limits: ExitInputs['limits'],
): Offered | null {
  const [best] = bids;
  const fee = market.terms?.fee ?? null;
  if (best === undefined || fee === null) return null;
  const { maxSlippage } = rules.order;
  const within = bids.filter(({ price }) => maxSlippage === null || best.price - price <= maxSlippage);
  const floor = highestFloor(limits);
  const reach = within.filter(({ price }) => floor === null || price >= floor.most.price);
  const limit = reach.at(-1)?.price ?? best.price;
  const bounded = leastShares(limits, least(position.free, position.shares), limit, market.lot);
  let left = wholeLots(bounded.shares, market.lot);
  let [shares, proceeds, lowest] = [NO_SHARES, NO_USDC, best.price];
  const meter = new FeeMeter(fee, 'SELL');
  for (const level of reach) {
    const taken = least(left, wholeLots(level.shares, market.lot));
    if (taken === 0n) continue;
    const money = notional(taken, level.price, 'floor');
    proceeds = plus(proceeds, minus(money, least(meter.charge(taken, level.price), money)));
    [left, shares, lowest] = [minus(left, taken), plus(shares, taken), level.price];
  }
  const isCut = within.slice(reach.length).some((level) => wholeLots(level.shares, market.lot) > 0n);
  // What the bids do not take is bound by them, but for those below the least price.
  const bound = left === 0n ? bounded.by : isCut ? floor : null;
  return { best: best.price, limit, lowest, shares, proceeds, bound };
}

/** The limit with the highest least price; null where none has one. */
function highestFloor(limits: ExitInputs['limits']): SaleBound<PriceLeft> | null {
  return limits
    .filter(isOfPrice)
    .reduce<SaleBound<PriceLeft> | null>(
      (one, by) => (one === null || by.most.price > one.most.price ? by : one),
      null,
    );
}

const isOfPrice = (by: SaleBound): by is SaleBound<PriceLeft> => 'price' in by.most;
const isOfAmount = (by: SaleBound): by is SaleBound<SharesLeft | SizeLeft> => !isOfPrice(by);

/** As many shares as limits of shares and of money leave at this price, and the one that leaves fewest. */
function leastShares(
  limits: ExitInputs['limits'],
  free: Shares,
  price: Price,
  lot: Shares,
): { readonly shares: Shares; readonly by: SaleBound | null } {
  let found: ReturnType<typeof leastShares> = { shares: free, by: null };
  for (const by of limits.filter(isOfAmount)) {
    const shares = 'size' in by.most ? sharesFor(by.most.size, price, lot) : by.most.shares;
    if (shares < found.shares) found = { shares, by };
  }
  return found;
}

function subjectOf(
  { strategy, market, outcome, paper, position, limits, now }: ExitInputs,
  log: RuleLog,
  view: BookView | null,
  offered: Offered | null,
  probability: Fraction | null,
): DecisionSubject {
  const members: Record<string, InputValue> = {
    paper,
    status: market.status,
    starts_at: market.startsAt,
    book_at: view?.at ?? null,
    best_bid: offered?.best ?? null,
    sellable_shares: offered?.shares ?? null,
    proceeds: offered?.proceeds ?? null,
    ...Object.fromEntries(limits.map(limitInput)),
    held_shares: position.shares,
    free_shares: position.free,
    cost: position.cost,
    since: position.since,
  };
  return {
    at: now,
    strategyId: strategy.id,
    strategyVersion: strategy.version,
    marketId: market.id,
    venue: market.venue,
    token: outcome,
    outcomeLabel: outcomeOf(market, outcome)?.label ?? null,
    question: market.question,
    event: market.event?.title ?? null,
    probability,
    inputs: Object.fromEntries(Object.entries(members).map(([name, value]) => [name, textOf(value)])),
    rules: log.results,
  };
}

/** What a limit left, by the name under which a decision has it. */
function limitInput({ name, most }: SaleBound): readonly [string, InputValue] {
  if ('price' in most) return [`${name}_least_price`, most.price];
  return [`${name}_left`, 'shares' in most ? most.shares : most.size];
}

/** Tests every condition of `exit`: `passed` says that it is true. `offered` is null without bids that can be believed. */
function testExit(log: RuleLog, inputs: ExitInputs, offered: Offered | null, probability: Fraction | null): void {
  const { exit } = inputs.rules;
  if (exit === null) return;
  testPrices(log, inputs, offered);
  testMoments(log, inputs);
  if (exit.edgeBelow === undefined) return;
  const rule = 'exit/edge_below';
  if (probability === null) log.missing(rule, exit.edgeBelow, 'probability');
  else if (offered === null || offered.proceeds === 0n) log.missing(rule, exit.edgeBelow, 'bids');
  else {
    const { shares, proceeds } = offered;
    const edge: Ratio = { n: probability * shares - proceeds * ONE, d: proceeds * ONE };
    log.test(rule, microFloor(edge), exit.edgeBelow, edge.n * ONE < exit.edgeBelow * edge.d, HOLD);
  }
}

/** Nothing is refused by a condition that is not true: it holds on. */
const HOLD = 'hold';

function testPrices(log: RuleLog, { rules, position }: ExitInputs, offered: Offered | null): void {
  const { takeProfit, stop } = rules.exit ?? {};
  const gain = offered === null || offered.shares === 0n ? null : gainOf(offered, position);
  if (takeProfit !== undefined) {
    const rule = 'exit/take_profit';
    if ('price' in takeProfit) testPrice(log, rule, offered, takeProfit.price, (best, at) => best >= at);
    else if (gain === null) log.missing(rule, takeProfit.gain, 'bids');
    else log.test(rule, microFloor(gain), takeProfit.gain, gain.n * ONE >= takeProfit.gain * gain.d, HOLD);
  }
  if (stop === undefined) return;
  const rule = 'exit/stop';
  if ('price' in stop) testPrice(log, rule, offered, stop.price, (best, at) => best <= at);
  else if (gain === null) log.missing(rule, -stop.loss, 'bids');
  else log.test(rule, microFloor(gain), -stop.loss, gain.n * ONE <= -stop.loss * gain.d, HOLD);
}

function testPrice(
  log: RuleLog,
  rule: string,
  offered: Offered | null,
  at: bigint,
  isReached: (best: bigint, at: bigint) => boolean,
): void {
  if (offered === null) log.missing(rule, at, 'bids');
  else log.test(rule, offered.best, at, isReached(offered.best, at), HOLD);
}

/** What selling would bring beyond the cost of what is sold, as a part of that cost. */
const gainOf = ({ shares, proceeds }: Offered, position: ExitInputs['position']): Ratio | null =>
  position.cost === 0n ? null : { n: proceeds * position.shares - position.cost * shares, d: position.cost * shares };

function testMoments(log: RuleLog, { rules, market, position, now }: ExitInputs): void {
  const { beforeStartMs, afterMs } = rules.exit ?? {};
  if (beforeStartMs !== undefined) {
    const rule = 'exit/before_start';
    if (market.startsAt === null) log.missing(rule, null, 'starts_at');
    else testMoment(log, rule, now, new Date(market.startsAt.getTime() - beforeStartMs));
  }
  if (afterMs !== undefined) testMoment(log, 'exit/after', now, new Date(position.since.getTime() + afterMs));
}

const testMoment = (log: RuleLog, rule: string, now: Date, from: Date): void =>
  log.test(rule, now, from, now >= from, HOLD);
