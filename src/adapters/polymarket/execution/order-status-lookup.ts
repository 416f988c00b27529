import type { Shares } from '../../../core/money.js';
import type { OrderState } from '../../../core/order/lifecycle.js';
import type { Order } from '../../../core/order/order.js';
import type { Accepted, CancelResult, OrderStatusReport, Unknown } from '../../../ports/order-results.js';
import type { Clock, Stopwatch } from '../../../ports/system.js';
import { isOver, isUnknownOrder, wasCancelled } from '../http/cancel-wire.js';
import type { ClobTrading } from '../http/clob-trading.js';
import { sizesOf, type VenueOrder } from '../http/order-wire.js';
import type { VenueTrade } from '../http/trade-wire.js';
import { mayName } from '../http/unreadable.js';
import type { VenueClock } from '../http/venue-clock.js';
import { isPaidBy, isSignedBy, type OrderWallet } from './envelope.js';
import { LookupHistory } from './lookup-history.js';
import { rejected } from './place-result.js';
import {
  type Alarm,
  acceptedBy,
  evidenceIn,
  hasEnded,
  isAnother,
  restOf,
  type TradeEvidence,
} from './trade-evidence.js';
import { neverRests, type OwnUnsigned, unsignedIn, unsignedShares } from './unsigned-order.js';

/** What looking for orders takes. */
export interface OrderStatusLookupOptions {
  readonly clob: ClobTrading;
  readonly clock: Clock;
  readonly venueClock: VenueClock;
  readonly stopwatch: Stopwatch;
  readonly wallet: OrderWallet;
  readonly alarm: Alarm;
}

/** An order that was matched before it was signed is none of ours; clocks may be a little off. */
const TRADES_SINCE_MS = 600_000;
/** Of an order that was rejected nothing is known, should it turn out to have arrived. */
const ENDED: ReadonlySet<OrderState> = new Set(['filled', 'cancelled', 'expired', 'failed']);
/** Of these the venue shows what rests, unless it hides all. */
const RESTING: ReadonlySet<OrderState> = new Set(['delayed', 'open', 'cancel_pending']);
/** At times its orders are not shown at all (`polymarket.md` 8 H21). */
const DEPOSIT_WALLET = 3;
const OTHER_WALLET = 'The order belongs to another wallet, of which this key is shown nothing.';
const OTHER_KEY = 'The order was signed by another key of the wallet, which may be shown more than this one.';
const NOTHING = { executions: [], failed: [] };
const NO_TRACE = 'The exchange shows no trace of the order.';

/** Looks for orders by their identity, in orders and in trades, and remembers how often it found nothing. */
export class OrderStatusLookup {
  readonly #options: OrderStatusLookupOptions;
  readonly #looks: LookupHistory;
  /** Whether what rests is shown at all: only then does it mean something that an order is not. */
  #isShown: boolean;

  constructor(options: OrderStatusLookupOptions) {
    this.#options = options;
    this.#isShown = options.wallet.signatureType !== DEPOSIT_WALLET;
    this.#looks = new LookupHistory(options.stopwatch);
  }

  /** What orders and trades show together of an order; `streamed` is how the venue's stream reported its end, if it did. */
  async find(order: Order, streamed: VenueOrder | null = null): Promise<OrderStatusReport> {
    const own = unsignedIn(order);
    if (own === null) return unknown('The identity of the order is not on record as it should be.');
    if (!isPaidBy(own, this.#options.wallet)) return unknown(OTHER_WALLET);
    const [seen, { evidence }] = await Promise.all([this.#options.clob.order(own.hash), this.trades(order, own)]);
    const isHidden = seen.kind === 'absent';
    const shown = seen.kind === 'ok' ? seen.value : isHidden ? streamed : null;
    if (shown !== null && isAnother(own, shown)) {
      this.#options.alarm('another order under our identity', own.hash);
      return unknown('The exchange shows another order under the identity of this one.');
    }
    const isConclusive = isHidden && evidence.whole && isSignedBy(own, this.#options.wallet);
    const isGone = isConclusive && streamed === null && (await this.#hasGone(order, own, evidence));
    if (shown !== null || evidence.named || isGone) {
      return this.#arrived(order, own, shown, evidence, { isHidden, isGone });
    }
    if (seen.kind === 'no_answer') return unknown(`The exchange does not tell of the order (${seen.reason}).`);
    if (!evidence.whole) return unknown('The exchange does not tell all of its trades.');
    return isConclusive ? this.#missing(order, own) : unknown(OTHER_KEY);
  }

  /**
   * The trades of the account in the order's market, from before it was signed, and what they tell of it. All tokens: who
   * rested on one may be matched with a taker of the other, whose token the trade then names.
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
   * An order that the venue hides has ended, when all that it wanted was traded, even if some of that failed, or when it has
   * ended on record; so has one that never rests, or that it shows as ended without telling its size, once its trades stay the
   * same.
   */
  #arrived(
    order: Order,
    own: OwnUnsigned,
    shown: VenueOrder | null,
    evidence: TradeEvidence,
    { isHidden, isGone }: { readonly isHidden: boolean; readonly isGone: boolean },
  ): Accepted {
    const isUntold = !isHidden && shown !== null && endedUntold(shown, own);
    if (shown !== null && isHidden) this.mentioned(own.hash);
    else if (isUntold) this.#isShown = true;
    else if (shown !== null) this.seen(own.hash);
    const isEnded = isGone || ENDED.has(order.state) || this.#looks.isTaken(own.hash);
    const isKnownToBeOver = isEnded || evidence.traded >= unsignedShares(own);
    const waits = isUntold || (isHidden && neverRests(own));
    const isOver = evidence.whole && ((isHidden && isKnownToBeOver) || (waits && this.#isSettled(own, evidence)));
    return acceptedBy(own, evidence, restOf(order, own, shown, evidence, this.#options.alarm, isOver));
  }

  /** The venue shows the order where it is looked up: what looks did not find before does not count any more. */
  seen(venueOrderId: string): void {
    this.#isShown = true;
    this.#looks.forget(venueOrderId);
  }

  /** The venue speaks of the order as one that lives, which is no proof that it shows what it is asked for. */
  mentioned(venueOrderId: string): void {
    this.#looks.forget(venueOrderId);
  }

  /**
   * An order that rested, and that the venue shows no more at look after look, has ended once its time is over; any other is
   * cancelled there first, which counts from the next look on.
   */
  async #hasGone({ state }: Order, own: OwnUnsigned, { traded }: TradeEvidence): Promise<boolean> {
    if (!this.#isShown || neverRests(own) || !RESTING.has(state)) return false;
    if (!this.#looks.note(own.hash, `hidden, traded ${traded}`)) return false;
    if (this.#hasExpired(own) || this.#looks.isCancelled(own.hash)) return true;
    this.#options.alarm('an order that rested is shown no more; it is cancelled to be sure', own.hash);
    const outcome = await this.#options.clob.cancelOrder(own.hash);
    const hash = own.hash.toLowerCase();
    if (outcome.kind === 'ok' && outcome.cancelled.has(hash)) this.#looks.noteCancelled(own.hash, 'taken');
    else if (outcome.kind === 'ok' && isOver(outcome.refused.get(hash))) {
      this.#looks.noteCancelled(own.hash, 'nothing there');
    }
    return false;
  }

  /**
   * That there is nothing to cancel at the venue is a refusal only where trades explain it: what it cancelled before stays
   * cancelled, and what became of any other order is for later looks to tell.
   */
  async cancel(order: Order): Promise<CancelResult> {
    const own = unsignedIn(order);
    if (own === null || order.venueOrderId === null) return unknown('The order has no identity at the exchange.');
    if (!isPaidBy(own, this.#options.wallet)) return unknown(OTHER_WALLET);
    const outcome = await this.#options.clob.cancelOrder(own.hash);
    if (outcome.kind === 'no_answer') {
      return unknown(`The exchange did not answer the cancellation (${outcome.reason}).`);
    }
    const hash = own.hash.toLowerCase();
    const reason = outcome.refused.get(hash);
    if (outcome.cancelled.has(hash)) {
      this.#looks.noteCancelled(own.hash, 'taken');
      return { kind: 'cancelled' };
    }
    if (reason === undefined) return unknown('The exchange did not speak of the order.');
    if (!isOver(reason)) return { kind: 'refused', reason };
    if (!isSignedBy(own, this.#options.wallet)) return unknown(OTHER_KEY);
    const { evidence } = await this.trades(order, own);
    if (evidence.traded >= unsignedShares(own)) return { kind: 'refused', reason };
    return this.#looks.isTaken(own.hash) ? { kind: 'cancelled' } : unknown(reason);
  }

  #isSettled(own: OwnUnsigned, { traded }: TradeEvidence): boolean {
    return this.#looks.note(own.hash, `traded ${traded}`);
  }

  /** Nothing found is no proof by itself: an order that is known to have arrived, and may rest, is never lost by it. */
  async #missing(order: Order, own: OwnUnsigned): Promise<OrderStatusReport> {
    const { state, fills } = order;
    const isUnproved = state === 'submitting' || state === 'unknown';
    if (!isUnproved && !(RESTING.has(state) && neverRests(own))) return unknown(NO_TRACE);
    if (this.#options.clock.now() <= own.sendBy || !this.#looks.note(own.hash, 'nothing')) return unknown(NO_TRACE);
    if (state === 'delayed' && fills.length === 0) {
      return rejected('dropped_after_delay', 'The exchange held the order, and shows no trace of it since.');
    }
    if (!isUnproved || this.#looks.isTaken(own.hash)) return acceptedBy(own, NOTHING, 'cancelled');
    if (neverRests(own) || this.#hasExpired(own) || this.#looks.isCancelled(own.hash)) {
      return { kind: 'absent' };
    }
    return this.#cancelled(order, own);
  }

  /**
   * It could still arrive, and rest: so it is cancelled. The venue's word that it knows no such order, or has cancelled it
   * before, counts from the next look on, which sees what may have happened meanwhile.
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

/** The venue shows it as ended, and not what was matched of it; of one that may rest only where it names no size at all. */
function endedUntold(shown: VenueOrder, own: OwnUnsigned): boolean {
  const isNamed = shown.sizeMatched !== '' && !neverRests(own);
  return hasEnded(shown) && !isNamed && sizesOf(shown, unsignedShares(own) as Shares) === null;
}

/** No proof either way. */
export function unknown(reason: string): Unknown {
  return { kind: 'unknown', reason };
}
