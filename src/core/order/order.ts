import type { AccountId, OrderId } from '../ids.js';
import { NOTHING_WORKING, type WorkingRisk } from '../limits/risk.js';
import { feeOfDollars, feeReserve } from '../market/fee.js';
import { type Payout, payoutFor } from '../market/lifecycle.js';
import { CENTI_SHARE } from '../market/market.js';
import { FINEST_TICK } from '../market/venue-choices.js';
import { least, minus, NO_SHARES, NO_USDC, notional, ONE, plus, type Shares, sharesFor, type Usdc } from '../money.js';
import type { Execution, Fill, Filled } from './fill.js';
import { dollarsOf, type Intent } from './intent.js';
import { isWorking, type OrderState } from './lifecycle.js';

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
 * What an order may still take from the result of its outcome, filled only where that hurts: a purchase costs what is
 * reserved for it and gives its shares; a sale takes out its shares with their cost, whatever it brings: what it gains or
 * loses is no longer at risk. Between two results the loss is at most what it is at one of them, and a part of an order hurts
 * less than all of it.
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
