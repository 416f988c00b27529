import { type Account, type Balance, tradingFor } from '../account/account.js';
import { emptyPosition, type Position, type PositionKey } from '../account/position.js';
import type { Snapshot } from '../ledger/decision.js';
import {
  dayIn,
  type EquityMark,
  gainBy,
  type KeptLosses,
  LOSS_LIMITS,
  lostSince,
  measured,
  NOTHING_COUNTED,
  ordersWithinMinute,
  stakeOn,
} from '../limits/counted.js';
import { LIMIT_CODES, LIMITS, type LimitName, type Limits, limitsLosses, NO_LIMITS } from '../limits/limits.js';
import type { HeldRisks, RiskHere } from '../limits/risk.js';
import { lossOf, movedRisk, NOTHING_WORKING, type RiskGroup } from '../limits/risk.js';
import { type BookView, bestPrices, isCrossed } from '../market/book.js';
import type { OutcomeSide } from '../market/market.js';
import { formatMicro, minus, NO_SHARES, NO_USDC, type Price, plus, type Shares, type Usdc } from '../money.js';
import { mostCost, type Order, type Refusal, refusal, workingRisk } from '../order/order.js';
import type { LimitLeft } from '../strategy/conditions/candidate.js';
import type { PriceLeft, SaleBound, SharesLeft } from '../strategy/exit/exit-inputs.js';
import { isInForce, type Trading, type TradingState } from '../trading/state.js';
import { aboveOwnBids, crossing } from './own-orders.js';
import type { OrderContext } from './trading-stop.js';
import { ofService } from './trading-watch.js';

/** What the limits of an account are compared with, all of the moment of the decision but for the book. */
export interface LimitFacts extends RiskFacts {
  readonly limits: Limits;
  /** The cash of the account, on paper or with real money as the order is. */
  readonly balances: readonly Balance[];
  /** The book of the market as it was read before; undefined where there is none. */
  readonly book: BookView | undefined;
  readonly at: Date;
  /** The day of `at`. */
  readonly today: string;
}

/**
 * Why an order that was not reserved yet is above a limit of its account, or null. An order that raises no worst case passes
 * even where that is at its limit: a hedge, or a sale.
 */
export function overLimits(order: Order, facts: LimitFacts): Refusal | null {
  return (
    tooLarge(order, facts) ??
    tooMany(order, facts) ??
    outOfBand(order, facts) ??
    crossing(order.intent, facts.risks.inMarket(order.intent)) ??
    overDailyStake(order, facts) ??
    overLosses(order, facts, 'The account')
  );
}

/** What the limits of amounts leave for one more purchase of an outcome, in the order in which `overLimits` tests them. */
export function limitsLeft(
  key: PositionKey,
  facts: Pick<LimitFacts, 'limits' | 'risks' | 'group' | 'balances' | 'today'>,
): readonly LimitLeft[] {
  const { orderUsdc, dailyStakeUsdc } = facts.limits;
  const ofDay = (cap: Usdc) => notNegative(minus(cap, stakeOf(facts.balances, facts.today)));
  return [
    ...(orderUsdc === null ? [] : [{ name: LIMITS.orderUsdc.shown, left: orderUsdc, isSize: true as const }]),
    ...(dailyStakeUsdc === null ? [] : [{ name: LIMITS.dailyStakeUsdc.shown, left: ofDay(dailyStakeUsdc) }]),
    ...lossesLeft(key, facts),
  ];
}

function tooLarge({ intent }: Order, { limits }: LimitFacts): Refusal | null {
  const cap = limits.orderUsdc;
  if (cap === null || intent.size <= cap) return null;
  return aboveLimit('orderUsdc', dollars(intent.size, cap, 'worth'));
}

function tooMany(_: Order, { limits, risks, balances, at }: LimitFacts): Refusal | null {
  const { openOrders, ordersPerMinute } = limits;
  const recent = balances.reduce((sum, { counted = NOTHING_COUNTED }) => sum + ordersWithinMinute(counted, at), 0);
  if (ordersPerMinute !== null && recent >= ordersPerMinute)
    return aboveLimit('ordersPerMinute', `orders=${recent}, cap=${ordersPerMinute}.`);
  const open = risks.openOrders;
  if (openOrders === null || open < openOrders) return null;
  return aboveLimit('openOrders', `orders=${open}, cap=${openOrders}.`);
}

/** Best prices of an outcome, and twice the middle between them, which is a whole number; null without a fresh book that has both sides. */
function twiceMiddle(outcome: OutcomeSide, book: BookView | undefined): Sides | null {
  if (book === undefined || isCrossed(book)) return null;
  const { bid, ask } = bestPrices(outcome, book);
  return book.fresh && bid !== undefined && ask !== undefined ? { bid, ask, twice: bid + ask } : null;
}

interface Sides {
  readonly bid: Price;
  readonly ask: Price;
  readonly twice: bigint;
}

function outOfBand({ intent }: Order, { limits, book }: LimitFacts): Refusal | null {
  const cap = limits.priceBand;
  if (cap === null) return null;
  const middle = twiceMiddle(intent.outcome, book);
  if (middle === null) {
    const words = 'The account has a price band, and the market has no fresh book with both sides to measure it from.';
    return refusal('market_data_stale', words);
  }
  const distance = 2n * intent.price - middle.twice;
  if ((distance < 0n ? -distance : distance) <= 2n * cap) return null;
  const prices = `price ${formatMicro(intent.price)}, bid ${formatMicro(middle.bid)}, ask ${formatMicro(middle.ask)}`;
  return aboveLimit('priceBand', `${prices}, cap=${formatMicro(cap)}.`);
}

/** The least prices at which `overLimits` lets a sale pass: by the band, where a book has a middle, and by the account's own bids. */
export function leastPrices(
  key: PositionKey,
  { limits, risks, book }: Pick<LimitFacts, 'limits' | 'risks' | 'book'>,
): readonly SaleBound<PriceLeft>[] {
  const cap = limits.priceBand;
  const middle = cap === null ? null : twiceMiddle(key.outcome, book);
  const own = aboveOwnBids(key, risks.inMarket(key));
  const bounds: SaleBound<PriceLeft>[] = [];
  if (cap !== null && middle !== null) {
    const price = ((middle.twice + 1n) / 2n - cap) as Price;
    bounds.push({ name: LIMITS.priceBand.shown, code: LIMITS.priceBand.code, most: { price, cap } });
  }
  return [...bounds, ...notCrossing(own)];
}

/** The bound of a sale that meets no working order of its account below this price; none where there is no such order. */
export const notCrossing = (price: Price | null): readonly SaleBound<PriceLeft>[] =>
  price === null ? [] : [{ name: 'self_cross', code: LIMIT_CODES.selfCross, most: { price, cap: null } }];

function overDailyStake({ intent }: Order, { limits, balances, today }: LimitFacts): Refusal | null {
  const cap = limits.dailyStakeUsdc;
  if (cap === null || intent.side === 'SELL') return null;
  const stake = plus(stakeOf(balances, today), mostCost(intent));
  if (stake <= cap) return null;
  return aboveLimit('dailyStakeUsdc', dollars(stake, cap, 'stake'));
}

/** What purchases of today spent, and what working ones of today may still spend. */
export const stakeOf = (balances: readonly Balance[], today: string): Usdc =>
  balances.reduce((sum, { counted = NOTHING_COUNTED }) => plus(sum, stakeOn(counted, today)), NO_USDC);

const notNegative = (amount: Usdc): Usdc => (amount > 0n ? amount : NO_USDC);

/**
 * How much of each limit is in use: of a limit of one market, event, league or sport, the most in any of them. Null for a
 * limit of one order.
 */
export function usedLimits(risks: HeldRisks, balances: readonly Balance[], at: Date, today: string): Limits {
  const { markets, events, leagues, sports, exposure } = risks.losses;
  return {
    ...NO_LIMITS,
    marketLossUsdc: mostOf(markets),
    eventLossUsdc: mostOf(events),
    leagueLossUsdc: mostOf(leagues),
    sportLossUsdc: mostOf(sports),
    exposureUsdc: exposure,
    openOrders: risks.openOrders,
    dailyStakeUsdc: stakeOf(balances, today),
    ordersPerMinute: balances.reduce((sum, { counted = NOTHING_COUNTED }) => sum + ordersWithinMinute(counted, at), 0),
  };
}

const mostOf = (losses: ReadonlyMap<string, Usdc>): Usdc =>
  [...losses.values()].reduce((most, loss) => (loss > most ? loss : most), NO_USDC);

/** The limits of worst cases. */
type LossLimitName = 'marketLossUsdc' | 'eventLossUsdc' | 'leagueLossUsdc' | 'sportLossUsdc' | 'exposureUsdc';

/** What a worst case is compared with. */
export interface RiskFacts {
  readonly limits: Pick<Limits, LossLimitName>;
  /** What the account, or the strategy, holds of the same kind of money. */
  readonly risks: HeldRisks<Position>;
  /** What the market of the order belongs to. */
  readonly group: RiskGroup;
}

/** The limits of worst cases, each with what is summed under it, in the order in which they are tested. */
const WORST_CASES: readonly { readonly name: LossLimitName; readonly of: keyof RiskHere['losses'] }[] = [
  { name: 'marketLossUsdc', of: 'market' },
  { name: 'eventLossUsdc', of: 'event' },
  { name: 'leagueLossUsdc', of: 'league' },
  { name: 'sportLossUsdc', of: 'sport' },
  { name: 'exposureUsdc', of: 'exposure' },
];

/** The worst cases before an order that was not reserved yet, and with it. */
function lossesWith(order: Order, { risks, group }: Pick<RiskFacts, 'risks' | 'group'>) {
  const own = ownPosition({ ...order.intent, account: order.account, strategyId: null }, risks, group);
  const working = movedRisk(own.risk?.working ?? NOTHING_WORKING, NOTHING_WORKING, workingRisk(order));
  return { before: () => risks.with(own).losses, after: risks.with({ ...own, risk: { group, working } }).losses };
}

/** Whether an order is a sale that raises no worst case: of its market, event, league, sport, or of all together. */
export function isHarmlessSale(order: Order, facts: Pick<RiskFacts, 'risks' | 'group'>): boolean {
  if (order.intent.side !== 'SELL') return false;
  const { before, after } = lossesWith(order, facts);
  const was = before();
  return WORST_CASES.every(({ of }) => after[of] <= was[of]);
}

/** Why the worst case is above a limit, which is `whose`; null where it is not, or the order does not raise it. */
export function overLosses(order: Order, facts: RiskFacts, whose: string, by?: string): Refusal | null {
  const { limits, risks, group } = facts;
  const set = WORST_CASES.filter(({ name }) => limits[name] !== null);
  if (set.length === 0) return null;
  const { before, after } = lossesWith(order, { risks, group });
  let was: RiskHere['losses'] | null = null;
  for (const { name, of } of set) {
    const cap = limits[name] ?? NO_USDC;
    if (after[of] <= cap) continue;
    was ??= before();
    if (after[of] > was[of]) return aboveLimit(name, dollars(after[of], cap), `${whose} `, by);
  }
  return null;
}

/**
 * What one more purchase may lose before `overLosses` refuses it, by each limit that is set. It loses most where its outcome
 * does not win: where that result is better than the worst one, as it is for a hedge, it may lose more than the limit leaves.
 */
export function lossesLeft(key: PositionKey, { limits, risks, group }: RiskFacts): readonly LimitLeft[] {
  const set = WORST_CASES.filter(({ name }) => limits[name] !== null);
  if (set.length === 0) return [];
  const { losses, market, set: exclusive } = risks.with(ownPosition(key, risks, group));
  return set.map(({ name, of }) => {
    const results = of === 'market' ? market : exclusive;
    const unused = minus(limits[name] ?? NO_USDC, losses[of]);
    const most = plus(lossOf(results), unused > 0n ? unused : NO_USDC);
    const { yes, no, split } = results;
    const [won, lost] = key.outcome === 'YES' ? [yes, no] : [no, yes];
    return { name: LIMITS[name].shown, left: plus(most, lost), ifSplit: plus(most, split), ifWon: plus(most, won) };
  });
}

/**
 * The largest part, in whole lots, of a sale that `overLosses` lets pass, and the limit that binds it; null where the whole sale
 * passes. More shares sold never lower a worst case, so that the part is found by halving.
 */
export function saleLeft(
  key: PositionKey,
  { limits, risks, group }: RiskFacts,
  free: Shares,
  lot: Shares,
): SaleBound<SharesLeft> | null {
  const set = WORST_CASES.filter(({ name }) => limits[name] !== null);
  if (set.length === 0) return null;
  const own = ownPosition(key, risks, group);
  const working = own.risk?.working ?? NOTHING_WORKING;
  const lossesOf = (shares: Shares) =>
    risks.with({ ...own, risk: { group, working: { ...working, selling: plus(working.selling, shares) } } }).losses;
  const before = lossesOf(NO_SHARES);
  const exceeded = (lots: bigint) => {
    const after = lossesOf((lots * lot) as Shares);
    return set.find(({ name, of }) => after[of] > (limits[name] ?? NO_USDC) && after[of] > before[of]);
  };
  let [passing, refused] = [0n, free / lot + 1n];
  if (exceeded(refused - 1n) === undefined) return null;
  for (refused -= 1n; refused - passing > 1n; ) {
    const middle = (passing + refused) / 2n;
    if (exceeded(middle) === undefined) passing = middle;
    else refused = middle;
  }
  const bound = exceeded(refused);
  if (bound === undefined) return null;
  const most = { shares: (passing * lot) as Shares, forAll: lossesOf(free)[bound.of] };
  const { shown, code } = LIMITS[bound.name];
  return { name: shown, code, most };
}

/** What is held of an outcome. What is known of its market now is preferred to what was known when it was bought. */
function ownPosition(key: PositionKey, risks: HeldRisks<Position>, group: RiskGroup): Position {
  const held = risks.inMarket(key).find(({ outcome }) => outcome === key.outcome) ?? emptyPosition(key);
  return { ...held, risk: { group, working: held.risk?.working ?? NOTHING_WORKING } };
}

/** What the equity of an account is found to be. */
export interface Measurement {
  readonly paper: boolean;
  /** What trading brought, sold or not. */
  readonly gain: Usdc;
  /** The day, by the clock of markets. */
  readonly today: string;
  /** By the clock of the machine. */
  readonly at: Date;
}

/** The account then, the very same where nothing changed, and why its next order is refused. */
export interface MeasuredAccount {
  readonly account: Account;
  readonly refusal: Refusal | null;
}

/** The kind of money, as its marks are named. */
export const lossKind = (paper: boolean): keyof KeptLosses => (paper ? 'paper' : 'live');

/** What trading with these sums of cash brought, less its fees: of what was sold or has a result. */
export const bookedOf = (balances: readonly Balance[]): Usdc =>
  balances.reduce((sum, { counted = NOTHING_COUNTED }) => plus(sum, counted.booked), NO_USDC);

/**
 * Takes in the equity of an account whose losses are limited: its day, its peak, and, once it has lost what it may, the halt
 * that lasts until a person ends it. A loss on paper halts all orders of the account, one of real money those with real money.
 */
function measureLosses(account: Account, limits: Limits, measurement: Measurement): MeasuredAccount {
  const { paper, gain, today } = measurement;
  const kind = lossKind(paper);
  const before = account.losses?.[kind];
  const marks = measured(before, gain, today, limits);
  const lost = lostSince(marks, today, gain);
  const over = LOSS_LIMITS.filter((name) => limits[name] !== null && lost[name] >= (limits[name] ?? NO_USDC));
  const refusals = over.map((name) => aboveLimit(name, dollars(lost[name], limits[name] ?? NO_USDC)));
  const trading = tradingFor(account);
  const halted = refusals.reduce((current, one) => haltedFor(current, one, measurement), trading);
  const next = marks === before ? account : { ...account, losses: { ...account.losses, [kind]: marks } };
  return { account: halted === trading ? next : { ...next, trading: halted }, refusal: refusals[0] ?? null };
}

function haltedFor(trading: Trading, { code, message }: Refusal, { paper, at }: Measurement): Trading {
  const isHalted = trading.states.some((one) => one.code === code && stopsThis(one, paper) && isInForce(one, at));
  if (isHalted) return trading;
  // The sentence of a state goes on after these words.
  const reason = message.replace(/\.$/, '');
  return ofService(trading, code, 'halted', reason, at, { stops: paper ? 'all' : 'live' });
}

const stopsThis = ({ stops }: TradingState, paper: boolean): boolean => stops === 'all' || !paper;

/** The state that a loss of this kind of money led to, while it lasts; null where there is none. */
export function haltOfLosses(account: Account, paper: boolean, at: Date): TradingState | null {
  const codes: readonly (string | null)[] = LOSS_LIMITS.map((name) => LIMITS[name].code);
  const states = tradingFor(account).states.filter((one) => codes.includes(one.code) && isInForce(one, at));
  return states.find(({ stops }) => (stops === 'all') === paper) ?? null;
}

/** A mark, whose money it is of, and the clocks by which it counts. */
interface Measuring {
  readonly paper: boolean;
  readonly mark: EquityMark;
  readonly context: Pick<OrderContext, 'clock' | 'wallClock' | 'dayOf'>;
}

/** What was found. Where money was booked since the mark, part of it may count twice: nothing of that is put on record. */
export interface MeasuredNow extends MeasuredAccount {
  readonly isExact: boolean;
}

/** The account of a snapshot after its equity was measured, by a mark and by what is booked now. */
export function measuredNow(now: Snapshot, { paper, mark, context }: Measuring): MeasuredNow {
  const { account } = now;
  const { limits = NO_LIMITS } = account;
  if (!limitsLosses(limits)) return { account, refusal: null, isExact: true };
  const booked = bookedOf(now.balances(paper));
  const isExact = booked === mark.booked;
  const today = dayIn(context, context.clock.now());
  const measurement = { paper, gain: gainBy(mark, booked), today, at: context.wallClock.now() };
  const found = measureLosses(account, limits, measurement);
  return { account: isExact ? found.account : account, refusal: found.refusal, isExact };
}

/** The refusal of an order above a limit; `whose` begins the sentence of a worst case, `by` names the limit as the page does. */
export function aboveLimit(name: LimitName, figures: string, whose = '', by?: string): Refusal {
  const { code, sentence, label, shown } = LIMITS[name];
  return refusal(code, `${whose}${sentence} (${by ?? `${label}, ${shown}`}): ${figures}`);
}

/** The figures in USDC with which a sentence about a limit ends. */
export const dollars = (found: Usdc, cap: Usdc, what = 'lost'): string =>
  `${what}=${formatMicro(found)}, cap=${formatMicro(cap)}.`;
