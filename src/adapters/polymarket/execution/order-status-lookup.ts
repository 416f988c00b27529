import type { Shares } from '../../../core/money.js';
import type { OrderState } from '../../../core/order/lifecycle.js';
import type { Order } from '../../../core/order/order.js';
import type { Accepted, CancelResult, OrderStatusReport } from '../../../ports/exchange.js';
import type { Clock, Stopwatch } from '../../../ports/system.js';
import { LookupHistory } from '../../venue/lookup-history.js';
import { type Alarm, rejected, unknown } from '../../venue/order-results.js';
import type { VenueClock } from '../../venue/venue-clock.js';
import { isOver, isUnknownOrder, wasCancelled } from '../http/cancel-wire.js';
import type { ClobTrading } from '../http/clob-trading.js';
import { sizesOf, type VenueOrder } from '../http/order-wire.js';
import type { VenueTrade } from '../http/trade-wire.js';
import { mayName } from '../http/unreadable.js';
import { isPaidBy, isSignedBy, type OrderWallet } from './envelope.js';
import { acceptedBy, evidenceIn, hasEnded, isAnother, restOf, type TradeEvidence } from './trade-evidence.js';
import { neverRests, type OwnUnsigned, unsignedIn, unsignedShares } from './unsigned-order.js';

/** The dependencies of order lookups. */
export interface OrderStatusLookupOptions {
  readonly clob: ClobTrading;
  readonly clock: Clock;
  readonly venueClock: VenueClock;
  readonly stopwatch: Stopwatch;
  readonly wallet: OrderWallet;
  readonly alarm: Alarm;
}

/** A trade matched before the order was signed is not ours; the margin allows for clock differences. */
const TRADES_SINCE_MS = 600_000;
/** The states of ended orders, without `rejected`: if such an order turns out to have arrived, nothing is known about it. */
const ENDED: ReadonlySet<OrderState> = new Set(['filled', 'cancelled', 'expired', 'failed']);
/** The states in which the venue shows a resting order, unless it hides all orders. */
const RESTING: ReadonlySet<OrderState> = new Set(['delayed', 'open', 'cancel_pending']);
/** At times the venue shows none of its orders (`polymarket.md` 8 H21). */
const DEPOSIT_WALLET = 3;
const OTHER_WALLET = 'The order belongs to another wallet, whose orders this key cannot see.';
const OTHER_KEY = 'The order was signed by another key of the wallet, which may see more than this one.';
const NOTHING = { executions: [], failed: [] };
const NO_TRACE = 'The venue shows no trace of the order.';

/** Looks up orders by their identity, in orders and in trades, and remembers how often nothing was found. */
export class OrderStatusLookup {
  readonly #options: OrderStatusLookupOptions;
  readonly #looks: LookupHistory;
  /** Whether resting orders are shown at all: only then does an order's absence mean anything. */
  #isShown: boolean;

  constructor(options: OrderStatusLookupOptions) {
    this.#options = options;
    this.#isShown = options.wallet.signatureType !== DEPOSIT_WALLET;
    this.#looks = new LookupHistory(options.stopwatch);
  }

  /**
   * What orders and trades together show of an order; `streamed` is its end as the venue's stream reported it, if it did.
   */
  async find(order: Order, streamed: VenueOrder | null = null): Promise<OrderStatusReport> {
    const own = unsignedIn(order);
    if (own === null) return unknown('The recorded identity of the order cannot be read.');
    if (!isPaidBy(own, this.#options.wallet)) return unknown(OTHER_WALLET);
    const [answer, { evidence }] = await Promise.all([this.#options.clob.order(own.hash), this.trades(order, own)]);
    const isHidden = answer.kind === 'absent';
    const shown = answer.kind === 'ok' ? answer.value : isHidden ? streamed : null;
    if (shown !== null && isAnother(own, shown)) {
      this.#options.alarm('another order under our identity', own.hash);
      return unknown('The venue shows another order under the identity of this one.');
    }
    const isConclusive = isHidden && evidence.whole && isSignedBy(own, this.#options.wallet);
    const isGone = isConclusive && streamed === null && (await this.#hasGone(order, own, evidence));
    if (shown !== null || evidence.named || isGone) {
      return this.#arrived(order, own, shown, evidence, { isHidden, isGone });
    }
    if (answer.kind === 'no_answer') return unknown(`The venue did not return the order (${answer.reason}).`);
    if (!evidence.whole) return unknown('The venue did not return all of its trades.');
    return isConclusive ? this.#missing(order, own) : unknown(OTHER_KEY);
  }

  /**
   * The account's trades in the order's market, from before it was signed, and what they prove of it. All tokens: a maker in
   * one token may be matched with a taker of the other, and the trade then names the taker's token.
   */
  async trades(order: Order, own: OwnUnsigned): Promise<{ trades: readonly VenueTrade[]; evidence: TradeEvidence }> {
    const after = new Date(Number(own.struct.timestamp) - TRADES_SINCE_MS);
    const result = await this.#options.clob.trades({ market: own.conditionId, after });
    const trades = result.kind === 'ok' ? result.items : [];
    const evidence = evidenceIn(order, own, trades, this.#options.alarm);
    const isComplete = result.kind === 'ok' && result.ended && !mayName(result.unreadable, own.hash);
    return { trades, evidence: { ...evidence, whole: evidence.whole && isComplete } };
  }

  /**
   * An order that the venue hides has ended when its full size was traded, even if some trades failed, or when it is
   * recorded as ended. An order that never rests, or that the venue shows as ended without its matched size, has ended once
   * its trades stay the same.
   */
  #arrived(
    order: Order,
    own: OwnUnsigned,
    shown: VenueOrder | null,
    evidence: TradeEvidence,
    { isHidden, isGone }: { readonly isHidden: boolean; readonly isGone: boolean },
  ): Accepted {
    const isUnsized = !isHidden && shown !== null && endedUnsized(shown, own);
    if (shown !== null && isHidden) this.mentioned(own.hash);
    else if (isUnsized) this.#isShown = true;
    else if (shown !== null) this.shown(own.hash);
    const isEnded = isGone || ENDED.has(order.state) || this.#looks.isTaken(own.hash);
    const isKnownToBeOver = isEnded || evidence.traded >= unsignedShares(own);
    const waits = isUnsized || (isHidden && neverRests(own));
    const isOver = evidence.whole && ((isHidden && isKnownToBeOver) || (waits && this.#isSettled(own, evidence)));
    return acceptedBy(own, evidence, restOf(order, own, shown, evidence, this.#options.alarm, isOver));
  }

  /** The venue shows the order in a lookup: earlier lookups without a result no longer count. */
  shown(venueOrderId: string): void {
    this.#isShown = true;
    this.#looks.forget(venueOrderId);
  }

  /** The venue mentions the order as live, which does not prove that lookups show it. */
  mentioned(venueOrderId: string): void {
    this.#looks.forget(venueOrderId);
  }

  /**
   * An order that rested, and that repeated lookups no longer show, has ended once it has expired. Any other is first
   * cancelled at the venue, which counts from the next lookup on.
   */
  async #hasGone({ state }: Order, own: OwnUnsigned, { traded }: TradeEvidence): Promise<boolean> {
    if (!this.#isShown || neverRests(own) || !RESTING.has(state)) return false;
    if (!this.#looks.note(own.hash, `hidden, traded ${traded}`)) return false;
    if (this.#hasExpired(own) || this.#looks.isCancelled(own.hash)) return true;
    this.#options.alarm('an order that rested is no longer shown; it is cancelled to be safe', own.hash);
    const outcome = await this.#options.clob.cancelOrder(own.hash);
    const hash = own.hash.toLowerCase();
    if (outcome.kind === 'ok' && outcome.cancelled.has(hash)) this.#looks.noteCancelled(own.hash, 'taken');
    else if (outcome.kind === 'ok' && isOver(outcome.refused.get(hash))) {
      this.#looks.noteCancelled(own.hash, 'nothing there');
    }
    return false;
  }

  /**
   * The venue's answer that there is nothing to cancel is a refusal only when trades explain it. What it cancelled before
   * stays cancelled; the outcome of any other order is left to later lookups.
   */
  async cancel(order: Order): Promise<CancelResult> {
    const own = unsignedIn(order);
    if (own === null || order.venueOrderId === null) return unknown('The order has no identity at the venue.');
    if (!isPaidBy(own, this.#options.wallet)) return unknown(OTHER_WALLET);
    const outcome = await this.#options.clob.cancelOrder(own.hash);
    if (outcome.kind === 'no_answer') {
      return unknown(`The venue did not answer the cancellation (${outcome.reason}).`);
    }
    const hash = own.hash.toLowerCase();
    const reason = outcome.refused.get(hash);
    if (outcome.cancelled.has(hash)) {
      this.#looks.noteCancelled(own.hash, 'taken');
      return { kind: 'cancelled' };
    }
    if (reason === undefined) return unknown('The answer of the venue does not mention the order.');
    if (!isOver(reason)) return { kind: 'refused', reason };
    if (!isSignedBy(own, this.#options.wallet)) return unknown(OTHER_KEY);
    const { evidence } = await this.trades(order, own);
    if (evidence.traded >= unsignedShares(own)) return { kind: 'refused', reason };
    return this.#looks.isTaken(own.hash) ? { kind: 'cancelled' } : unknown(reason);
  }

  #isSettled(own: OwnUnsigned, { traded }: TradeEvidence): boolean {
    return this.#looks.note(own.hash, `traded ${traded}`);
  }

  /** An empty result proves nothing by itself: it never makes an order lost that is known to have arrived and may rest. */
  async #missing(order: Order, own: OwnUnsigned): Promise<OrderStatusReport> {
    const { state, fills } = order;
    const isUnproved = state === 'submitting' || state === 'unknown';
    if (!isUnproved && !(RESTING.has(state) && neverRests(own))) return unknown(NO_TRACE);
    if (this.#options.clock.now() <= own.sendBy || !this.#looks.note(own.hash, 'nothing')) return unknown(NO_TRACE);
    if (state === 'delayed' && fills.length === 0) {
      return rejected('dropped_after_delay', 'The venue delayed the order and has shown no trace of it since.');
    }
    if (!isUnproved || this.#looks.isTaken(own.hash)) return acceptedBy(own, NOTHING, 'cancelled');
    if (neverRests(own) || this.#hasExpired(own) || this.#looks.isCancelled(own.hash)) {
      return { kind: 'absent' };
    }
    return this.#cancelled(order, own);
  }

  /**
   * The order could still arrive and rest, so it is cancelled. The venue's answer that it does not know the order, or has
   * already cancelled it, counts from the next lookup on, which sees what happened in between.
   */
  async #cancelled(order: Order, own: OwnUnsigned): Promise<OrderStatusReport> {
    const outcome = await this.#options.clob.cancelOrder(own.hash);
    if (outcome.kind === 'no_answer') return unknown(NO_TRACE);
    const hash = own.hash.toLowerCase();
    if (outcome.cancelled.has(hash)) {
      const { evidence } = await this.trades(order, own);
      const rest = restOf(order, own, null, evidence, this.#options.alarm, evidence.whole);
      return acceptedBy(own, evidence, rest);
    }
    const reason = outcome.refused.get(hash);
    if (isUnknownOrder(reason)) this.#looks.noteCancelled(own.hash, 'nothing there');
    else if (wasCancelled(reason)) this.#looks.noteCancelled(own.hash, 'taken');
    return unknown(NO_TRACE);
  }

  #hasExpired({ orderType, expiration }: OwnUnsigned): boolean {
    const { clock, venueClock } = this.#options;
    return orderType === 'GTD' && clock.now().getTime() + venueClock.offsetMs > expiration * 1000;
  }
}

/** The venue shows it as ended without its matched size; for an order that may rest, only when it gives no size at all. */
function endedUnsized(shown: VenueOrder, own: OwnUnsigned): boolean {
  const isNamed = shown.sizeMatched !== '' && !neverRests(own);
  return hasEnded(shown) && !isNamed && sizesOf(shown, unsignedShares(own) as Shares) === null;
}
