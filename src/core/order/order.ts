import type { AccountId, DecisionId, MarketId, OrderId, StrategyId, VenueName } from '../ids.js';
import { NOTHING_WORKING, type WorkingRisk } from '../limits/risk.js';
import type { QuotedPrices } from '../market/book.js';
import { type FeeSchedule, FINEST_TICK, feeOfDollars, feeReserve } from '../market/fee.js';
import { type Payout, payoutFor } from '../market/lifecycle.js';
import { CENTI_SHARE, type OutcomeSide, type TimeInForce } from '../market/market.js';
import type { Side } from '../market/side.js';
import {
  least,
  minus,
  NO_SHARES,
  NO_USDC,
  notional,
  ONE,
  type Price,
  plus,
  type Shares,
  sharesFor,
  type Usdc,
} from '../money.js';
import type { AddedCounts } from '../strategy/strategy.js';
import { isWorking, type OrderState, type OrderStatus } from './lifecycle.js';
import type { MarketAtOrder } from './market-at-order.js';

/** Why an order is denied, rejected, failed or unknown: a stable snake_case code and a sentence. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** A refusal with this code and message. */
export const refusal = (code: string, message: string): Refusal => ({ code, message });

/** The money axis: what came back, stake included, and when that was final. */
export interface Settlement {
  readonly returned: Usdc;
  readonly at: Date;
}

/** An order on record. It is never changed, only replaced by its next event applied. */
export interface Order {
  readonly id: OrderId;
  readonly account: AccountId;
  readonly intent: Intent;
  readonly state: OrderState;
  /** Its identity at the venue; fixed once known. */
  readonly venueOrderId: string | null;
  /** The venue's own name for it, where that differs; fixed once known. */
  readonly venueReference: string | null;
  readonly fills: readonly Fill[];
  readonly filled: Filled;
  readonly settlement: Settlement | null;
  readonly refusal: Refusal | null;
  /** True of a rejection that is not final: if the order shows up after all, it is accepted. */
  readonly presumed: boolean;
  /** The prices of its outcome when it reached the book, before it took anything; absent where that was not known. */
  readonly atArrival?: QuotedPrices | undefined;
  readonly placedAt: Date;
  readonly updatedAt: Date;
  /** Number and hash of the last event; the hash chains every event to the one before it. */
  readonly seq: number;
  readonly eventHash: string;
}

/**
 * Shares still open at the venue. A purchase that spent its dollars for more shares than signed has none left; one on paper
 * has none left beyond what its dollars buy.
 */
export function remaining(order: Pick<Order, 'intent' | 'filled'>): Shares {
  const { intent, filled } = order;
  const left = filled.shares >= intent.shares ? NO_SHARES : minus(intent.shares, filled.shares);
  const dollars = intent.spends === null ? null : dollarsLeft(order);
  return dollars === null ? left : least(left, sharesFor(dollars, intent.price, CENTI_SHARE));
}

/** Shares that a purchase may still get; with real money, the shares ordered. */
export function wantedShares(order: Order): Shares {
  if (order.intent.side === 'SELL' || !isWorking(order.state)) return NO_SHARES;
  const dollars = order.intent.spends === null ? null : dollarsLeft(order);
  return dollars === null ? remaining(order) : mostFor(dollars);
}

/** The most shares that an order may get; with real money, the shares ordered. */
export const mostShares = ({ shares, spends }: Intent): Shares => (spends === null ? shares : mostFor(spends));

const mostFor = (dollars: Usdc): Shares => sharesFor(dollars, FINEST_TICK, 1n as Shares);

/** Cash reserved for what the order may still spend. Each fill releases at most what was reserved for it. */
export function reservedCash(order: Order): Usdc {
  const { intent, filled } = order;
  if (intent.side !== 'BUY' || !isWorking(order.state)) return NO_USDC;
  const dollars = dollarsLeft(order);
  if (dollars !== null) return plus(dollars, feeOfDollars(intent.feeSchedule, dollars));
  return plus(reservedFor(intent, least(filled.shares, intent.shares), intent.shares), reservedFee(order));
}

/** What a purchase that spends its dollars has not spent yet; null where shares bound it. */
export function dollarsLeft({ intent, filled }: Pick<Order, 'intent' | 'filled'>): Usdc | null {
  const spends = dollarsOf(intent);
  return spends === null ? null : minus(spends, least(filled.notional, spends));
}

/** The part of it that is reserved for the fees of the shares still open. */
function reservedFee(order: Order): Usdc {
  const { intent, fills } = order;
  const { side, price, postOnly } = intent;
  if (intent.feeSchedule === null) return NO_USDC;
  const counted = fills.filter(({ settlement }) => settlement !== 'voided');
  return feeReserve(intent.feeSchedule, { side, price, postOnly, shares: remaining(order) }, counted);
}

/** All that an order may cost an account: its notional at the limit, or all its dollars, and the most that its fees can be. */
export function mostCost(intent: Intent): Usdc {
  const spends = dollarsOf(intent);
  if (spends !== null) return plus(spends, feeOfDollars(intent.feeSchedule, spends));
  return plus(notional(intent.shares, intent.price, 'ceil'), feeReserve(intent.feeSchedule, intent));
}

/** Cash reserved for the shares of a purchase after `from` and up to `to`; adjoining parts sum exactly. */
export function reservedFor({ price }: Intent, from: Shares, to: Shares): Usdc {
  return minus(notional(to, price, 'ceil'), notional(from, price, 'ceil'));
}

/** The venue rounds the shares that dollars buy, to two decimals at worst, and so their cost. */
const MOST_ROUNDED = 10_000n;

/**
 * The money that an execution moves: rounded down for a seller and up for a buyer, except that a purchase never takes more
 * than was reserved for those shares, or, where it spends its dollars, exceeds those by rounding alone. An execution at a
 * worse price than the limit, or for more money, is refused by `checkOrder`.
 */
export function moneyOf({ intent, filled }: Pick<Order, 'intent' | 'filled'>, { shares, price }: Execution): Usdc {
  if (intent.side === 'SELL') return notional(shares, price, 'floor');
  const cost = notional(shares, price, 'ceil');
  const dollars = dollarsLeft({ intent, filled });
  if (dollars === null) return least(cost, reservedFor(intent, filled.shares, plus(filled.shares, shares)));
  return cost - dollars < MOST_ROUNDED ? least(cost, dollars) : cost;
}

/** Shares reserved for what the order may still sell. */
export function reservedShares(order: Order): Shares {
  if (order.intent.side !== 'SELL' || !isWorking(order.state)) return NO_SHARES;
  return remaining(order);
}

/** What comes back to an order with a result: a BUY gets what its shares pay, a SELL got its proceeds, net of fees. */
export function returnedTo({ intent, filled }: Order, payout: Payout): Usdc {
  if (intent.side === 'BUY') return payoutFor(filled.shares, payout[intent.outcome === 'YES' ? 0 : 1]);
  return minus(filled.notional, least(filled.fees, filled.notional));
}

/**
 * The effect of a working order on the results of its outcome, filled only where that hurts. A purchase costs what is reserved for
 * it and adds its shares. A sale removes its shares with their cost, whatever its proceeds: its gain or loss is no longer at risk.
 * Between two results the loss is at most that at one of them, and a part of an order hurts less than all of it.
 */
export function workingRisk(order: Order | undefined): WorkingRisk {
  if (order === undefined || !isWorking(order.state)) return NOTHING_WORKING;
  const { intent } = order;
  const shares = remaining(order);
  const at = [[intent.price, 1]] as const;
  if (intent.side === 'BUY') {
    const cost = reservedCash(order);
    const hurts = (perShare: bigint) => positive(minus(cost, worth(shares, perShare)));
    const sums = { lost: hurts(NOTHING), split: hurts(HALF), won: hurts(ONE) };
    return { ...NOTHING_WORKING, orders: 1, ...sums, bids: at };
  }
  return { ...NOTHING_WORKING, orders: 1, selling: shares, asks: at };
}

const NOTHING = 0n;
const HALF = ONE / 2n;

/** The least that a sale of so many shares brings, fees off. A better price brings more, also after its fee: the rate is below one. */
export function leastProceeds({ price, postOnly, feeSchedule }: Intent, shares: Shares): Usdc {
  const fee = feeReserve(feeSchedule, { side: 'BUY', price, postOnly, shares });
  return minus(notional(shares, price, 'floor'), fee);
}

const worth = (shares: Shares, perShare: bigint): Usdc => ((shares * perShare) / ONE) as Usdc;
const positive = (amount: Usdc): Usdc => (amount > 0n ? amount : NO_USDC);

/** True while its venue may have news of an order that was sent: it works, or a fill may still be undone. */
export const isUnfinished = ({ state, fills }: Pick<Order, 'state' | 'fills'>): boolean =>
  (isWorking(state) && state !== 'pending') || fills.some(({ settlement }) => settlement === 'provisional');

/**
 * The public status: a pure function of the order, its fills and its money.
 *
 * @example
 * ```ts
 * import { createStakeport, formatMicro, isInFlight, isWorking, remaining, statusOf } from 'stakeport';
 *
 * const stakeport = createStakeport();
 * const order = await stakeport.orders.place({ account: 'me', market: 'rain', outcome: 'YES', price: '0.5', usdc: 10 });
 * console.log(statusOf(order), isWorking(order.state), isInFlight(order.state), formatMicro(remaining(order)));
 * ```
 */
export function statusOf(order: Order): OrderStatus {
  if (order.settlement !== null) return 'settled';
  switch (order.state) {
    case 'submitting':
      return 'pending';
    case 'delayed':
      return order.filled.shares > 0n ? 'partially_filled' : 'delayed';
    case 'open':
    case 'cancel_pending':
      return order.filled.shares > 0n ? 'partially_filled' : 'open';
    default:
      return order.state;
  }
}

/** MAKER rested on the book, TAKER removed from it. */
export type Liquidity = 'MAKER' | 'TAKER';

/** What an account has taken of one level on display, as of one of its fills there. The venue goes on displaying it. */
export interface TakenLevel {
  /** The level's, in terms of the order's outcome; an order that rested fills at its own price, not at this one. */
  readonly price: Price;
  /** All that the account's paper orders have taken of it, this fill included, since it was last seen empty. */
  readonly shares: Shares;
  /** How many were displayed then: no fewer than those. */
  readonly displayed: Shares;
  /** When: in one market never before what was taken earlier, whatever the clock says. */
  readonly at: Date;
}

/** One execution as the venue reports it. `tradeId` is unique within its order. */
export interface Execution {
  readonly tradeId: string;
  readonly shares: Shares;
  readonly price: Price;
  readonly fee: Usdc;
  readonly liquidity: Liquidity;
  /** False while the venue may still undo it. */
  readonly confirmed: boolean;
  /** What a simulated fill assumed; null for a real one. */
  readonly model: string | null;
  /** What a simulated fill took out of what was displayed; absent where it took nothing of that. */
  readonly taken?: TakenLevel | undefined;
}

/** What a sale took out of the positions, kept so that a void can restore exactly that. Zero for a purchase. */
export interface Basis {
  readonly cost: Usdc;
  readonly strategyShares: Shares;
  readonly strategyCost: Usdc;
  /** What was paid in fees for the shares sold; absent for a purchase. */
  readonly fees?: Usdc | undefined;
  readonly strategyFees?: Usdc | undefined;
}

/** An execution on record: provisional until the venue confirms or voids it. */
export interface Fill {
  readonly tradeId: string;
  readonly shares: Shares;
  readonly price: Price;
  /** Price × shares, rounded against the trader; a purchase within its limit never takes more than was reserved for it. */
  readonly notional: Usdc;
  readonly fee: Usdc;
  readonly liquidity: Liquidity;
  readonly settlement: 'provisional' | 'confirmed' | 'voided';
  readonly model: string | null;
  readonly basis: Basis;
  /** As of its execution. */
  readonly taken?: TakenLevel | undefined;
}

/** What the fills of an order add up to; voided ones count for nothing. */
export interface Filled {
  readonly shares: Shares;
  readonly confirmed: Shares;
  readonly notional: Usdc;
  readonly fees: Usdc;
}

/** The sums of an order before its first fill. */
export const NOTHING_FILLED: Filled = { shares: NO_SHARES, confirmed: NO_SHARES, notional: NO_USDC, fees: NO_USDC };
/** The basis of a purchase. */
export const NO_BASIS: Basis = { cost: NO_USDC, strategyShares: NO_SHARES, strategyCost: NO_USDC };

/** The record of an execution for the money that it moved. */
export function fillOf(execution: Execution, money: Usdc, basis: Basis): Fill {
  const { tradeId, shares, price, fee, liquidity, confirmed, model, taken } = execution;
  const settlement = confirmed ? 'confirmed' : 'provisional';
  return { tradeId, shares, price, notional: money, fee, liquidity, settlement, model, basis, taken };
}

/** Sums fills, leaving voided ones out. */
export function sumFills(fills: readonly Fill[]): Filled {
  let sum = NOTHING_FILLED;
  for (const fill of fills) {
    if (fill.settlement === 'voided') continue;
    sum = {
      shares: plus(sum.shares, fill.shares),
      confirmed: fill.settlement === 'confirmed' ? plus(sum.confirmed, fill.shares) : sum.confirmed,
      notional: plus(sum.notional, fill.notional),
      fees: plus(sum.fees, fill.fee),
    };
  }
  return sum;
}

/** The strategy, and the version of it, that an order was placed under. */
export interface StrategyRef {
  readonly id: StrategyId;
  readonly version: number;
}

/**
 * What determines a signed order at its venue. It is made once, before the order goes on record, so that every signature of
 * it, by any process, gives it the same identity there.
 */
export interface Envelope {
  /** In the venue adapter's own format; nothing else reads it. */
  readonly content: string;
  /** An order that was not sent by then is never sent. */
  readonly sendBy: Date;
  /**
   * The dollars of a purchase that may spend them all, for more shares than were ordered when the price is better; fees come
   * on top. Null where the venue is bound by shares.
   */
  readonly spends: Usdc | null;
  /** The largest remainder that the venue rounds away: an order that ends with no more than that left is filled. */
  readonly dust: Shares;
}

/** How an order of a strategy was counted when it was accepted: what the limits of its days stand on is proved by it. */
export interface CountedOrder {
  /** How often the paper account had begun anew; 0 with real money. */
  readonly reset: number;
  /** Its number among the counted orders of the strategy since then, from 1; paper and real money are counted separately. */
  readonly n: number;
  /** The gain from which losses of its day are measured; null while none was measured. */
  readonly start: Usdc | null;
  /** What it added to the counters of its day; absent for a purchase, which counts as one. */
  readonly counts?: AddedCounts | undefined;
}

/** What was requested, fixed when the order is put on record. */
export interface Intent {
  readonly marketId: MarketId;
  readonly marketSlug: string | null;
  readonly conditionId: string | null;
  readonly question: string | null;
  readonly outcomeLabel: string | null;
  readonly outcome: OutcomeSide;
  readonly side: Side;
  readonly price: Price;
  /** Money at the limit price, as requested: spent by a BUY, received by a SELL. */
  readonly size: Usdc;
  /** `size / price` in whole lots: what is really ordered. */
  readonly shares: Shares;
  readonly timeInForce: TimeInForce;
  readonly expiresAt: Date | null;
  readonly postOnly: boolean;
  /** What the market charged when the order was placed; null without market data. */
  readonly feeSchedule: FeeSchedule | null;
  readonly paper: boolean;
  readonly strategy: StrategyRef | null;
  /** Null for a venue without signed orders. */
  readonly envelope: Envelope | null;
  /** The dollars of a purchase that an exchange in this process spends whole; null where shares bound it, and at a venue over the network. */
  readonly spends: Usdc | null;
  /** When the order reaches the book of an exchange in this process; null where it is there at once, and over the network. */
  readonly arrivesAt: Date | null;
  /** Where the market trades. */
  readonly venue: VenueName;
  /** The sport of the market, where the order moves real money: a state of trading of a sport is checked again before it is sent. */
  readonly sport?: string | undefined;
  /** The decision of the strategy that placed the order; absent where a client did. */
  readonly decisionId?: DecisionId | undefined;
  /** The day, in the zone of the server, for whose limits it counts; absent where nothing counts it. */
  readonly day?: string | undefined;
  /** The counts of an accepted order of a strategy; absent for all others. */
  readonly counted?: CountedOrder | undefined;
  /** Absent from orders of versions before the ledger of bets. */
  readonly decidedOn?: MarketAtOrder | undefined;
}

/** When a GTD order ends: venues keep time in whole seconds, so at the last one that is not after `expiresAt`. */
export function endOf({ expiresAt }: Pick<Intent, 'expiresAt'>): Date | null {
  if (expiresAt === null) return null;
  const ms = expiresAt.getTime();
  return new Date(ms - (ms % 1000));
}

/** The dollars that a purchase spends, for as many shares as they buy; null where shares bound it. */
const dollarsOf = ({ envelope, spends }: Pick<Intent, 'envelope' | 'spends'>): Usdc | null =>
  envelope?.spends ?? spends;

/** FOK and FAK: fills at once or not at all, and never rests. */
export const isImmediate = ({ timeInForce }: Pick<Intent, 'timeInForce'>): boolean =>
  timeInForce === 'FOK' || timeInForce === 'FAK';
