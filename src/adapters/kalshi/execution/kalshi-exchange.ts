import { ExponentialBackoff } from 'cockatiel';
import type { VenueName } from '../../../core/ids.js';
import type { Market } from '../../../core/market/market.js';
import type { Usdc } from '../../../core/money.js';
import type { Envelope, Intent, Order, Refusal } from '../../../core/order/order.js';
import type {
  CancelResult,
  Exchange,
  OrderStatusReport,
  PlaceResult,
  Signing,
  Unknown,
} from '../../../ports/exchange.js';
import type { MassStatus, VenueAccount, VenueHoldings } from '../../../ports/venue-adapter.js';
import { pause } from '../../transport/backoff.js';
import { MISMATCH, mismatched, NOT_SENT, rejected, unknown, withWords } from '../../venue/order-results.js';
import type { CreateOutcome } from '../http/create-outcomes.js';
import { kalshiVenue } from '../venue-name.js';
import { type KalshiEnvelope, kalshiEnvelope, kalshiEnvelopeIn } from './envelope.js';
import { kalshiHoldings } from './holdings.js';
import { type KalshiLookupOptions, KalshiOrderLookup } from './kalshi-order-lookup.js';
import { kalshiMassStatus } from './mass-status.js';
import { executionOf } from './order-evidence.js';

/** One account at the venue, and the dependencies of trading for it. */
export interface KalshiExchangeOptions extends KalshiLookupOptions {
  /** The most that one order may be worth. */
  readonly orderCap: Usdc;
  /** Ends a wait at once, and stops all further sending. */
  readonly ending: AbortSignal;
  /** Resolves after this many milliseconds, or at once when the signal aborts; a timer when absent. */
  wait?(milliseconds: number, signal: AbortSignal): Promise<unknown>;
}

/** What a caller of `place` asks before each copy. */
interface Asked {
  readonly mayStillSend: () => boolean;
  readonly isWanted: () => Promise<boolean>;
}

type Inconclusive = Extract<CreateOutcome, { readonly kind: 'rejected' | 'not_processed' | 'unknown' }>;

/** What the copies of one order have shown so far. */
interface Copies {
  backoff: ReturnType<ExponentialBackoff<unknown>['next']>;
  /** A copy may have arrived. */
  doubt: Unknown | null;
  /** What the last copy that the venue did not process came to. */
  last: PlaceResult | null;
  /** Whether our clock may still be corrected for it. */
  mayMeasure: boolean;
}

type AcceptedOutcome = Extract<CreateOutcome, { readonly kind: 'accepted' }>;

const SEND_WITHIN_MS = 15_000;
const LOOK_AGAIN_MS = 1000;
/** The waits between copies of an order whose outcome is not known: its identity lets only one of them in. */
const PACE = { initialDelay: 1000, maxDelay: 10_000 };
const CAN_RETRY = 'Nothing was sent: the order can be placed again.';

/**
 * Trades on Kalshi for one account. An order's identity is fixed before it is sent, and the venue takes each identity once. While it is not
 * known whether the order arrived, the same body is sent again. If no answer proves what became of it, the order is looked up.
 */
export class KalshiExchange implements Exchange, VenueAccount {
  readonly venue: VenueName;
  readonly local = null;
  readonly signing: Signing = {
    envelope: (intent, market) => this.#envelope(intent, market),
    // Only `place` may refuse an order that cannot be read; otherwise it would stay in flight for ever.
    identify: async (order) => kalshiEnvelopeIn(order)?.clientOrderId ?? `unreadable-${order.id}`,
  };
  readonly #options: KalshiExchangeOptions;
  readonly #lookup: KalshiOrderLookup;
  #isMismatched = false;

  constructor(options: KalshiExchangeOptions) {
    this.#options = options;
    this.venue = kalshiVenue(options.environment);
    this.#lookup = new KalshiOrderLookup(options);
  }

  /** While the venue does not answer, each call sends a probe, unless one is in flight. */
  closedForMs(): number | null {
    const { client } = this.#options;
    if (!client.isDown) return client.ordersHeldMs;
    void client.venueClock.measure();
    return LOOK_AGAIN_MS;
  }

  async place(order: Order, mayStillSend: () => boolean, isWanted: () => Promise<boolean>): Promise<PlaceResult> {
    if (this.#isMismatched) return mismatched();
    const own = kalshiEnvelopeIn(order);
    if (own === null || (order.venueOrderId ?? own.clientOrderId) !== own.clientOrderId) {
      return rejected('envelope_unreadable', `The recorded order cannot be read. ${CAN_RETRY}`);
    }
    if (own.environment !== this.#options.environment) {
      return rejected('environment_changed', `The order was made for the venue's ${own.environment}. ${CAN_RETRY}`);
    }
    return this.#sent(order, own, { mayStillSend, isWanted });
  }

  cancel(order: Order): Promise<CancelResult> {
    return this.#lookup.cancel(order);
  }

  find(order: Order): Promise<OrderStatusReport> {
    return this.#lookup.find(order);
  }

  massStatus(since: Date): Promise<MassStatus | Unknown> {
    const { client, alarm } = this.#options;
    return kalshiMassStatus({ client, alarm, find: (order) => this.find(order) }, since);
  }

  holdings(): Promise<VenueHoldings | Unknown> {
    return kalshiHoldings(this.#options.client);
  }

  #envelope(intent: Intent, market: Market): Envelope | Refusal {
    const { environment, clock, orderCap } = this.#options;
    return kalshiEnvelope(intent, market, { environment, orderCap, now: clock.now(), sendWithinMs: SEND_WITHIN_MS });
  }

  /**
   * Copies of one body until one has an outcome, or it is too late. Once any copy may have arrived, only an acceptance or the word that it
   * arrived proves anything: a later refusal is about the later copy.
   */
  async #sent(order: Order, own: KalshiEnvelope, asked: Asked): Promise<PlaceResult> {
    const copies: Copies = { backoff: new ExponentialBackoff(PACE).next(), doubt: null, last: null, mayMeasure: true };
    for (;;) {
      const outcome = await this.#once(own, asked);
      switch (outcome.kind) {
        case 'accepted':
          return this.#accepted(order, own, outcome);
        case 'duplicate':
          return this.#duplicate(order, own);
        case 'identity_mismatch':
          return this.#mismatched(own);
        case 'not_sent':
          return copies.doubt ?? copies.last ?? rejected('not_sent', NOT_SENT[outcome.reason]);
        default:
          if (!(await this.#mayFollow(own, asked, outcome, copies)))
            return copies.doubt ?? this.#kalshiResult(outcome, own);
      }
    }
  }

  /** Whether another copy follows this outcome, now that its wait is over. */
  async #mayFollow(own: KalshiEnvelope, asked: Asked, outcome: Inconclusive, copies: Copies): Promise<boolean> {
    if (outcome.kind === 'rejected') {
      if (copies.doubt !== null || outcome.retry === null || !copies.mayMeasure) return false;
      copies.mayMeasure = false;
      return (await this.#options.client.venueClock.measure()) && wanted(asked);
    }
    if (outcome.kind === 'unknown') copies.doubt = unknown(withWords(outcome));
    else copies.last = this.#kalshiResult(outcome, own);
    const { backoff } = copies;
    copies.backoff = backoff.next(undefined);
    return this.#waited(own, asked, backoff.duration);
  }

  #once(own: KalshiEnvelope, { mayStillSend }: Asked): Promise<CreateOutcome> {
    const maySend = () => this.#maySend(own, mayStillSend);
    return this.#options.client.create(own.body, own.clientOrderId, { mayStillSend: maySend });
  }

  #maySend({ sendBy }: KalshiEnvelope, mayStillSend: () => boolean): boolean {
    const { ending, clock } = this.#options;
    return !ending.aborted && !this.#isMismatched && clock.now() <= sendBy && mayStillSend();
  }

  /** False at once when the wait would end too late for another copy. */
  async #waited(own: KalshiEnvelope, asked: Asked, duration: number): Promise<boolean> {
    const { clock, ending, wait = pause } = this.#options;
    const waitMs = Math.min(Math.max(duration, PACE.initialDelay), PACE.maxDelay);
    if (clock.now().getTime() + waitMs > own.sendBy.getTime() || !this.#maySend(own, asked.mayStillSend)) return false;
    await wait(waitMs, ending);
    return wanted(asked);
  }

  #kalshiResult(outcome: Inconclusive, own: KalshiEnvelope): PlaceResult {
    const message = withWords(outcome);
    const halt = outcome.halt ? { halt: { code: outcome.code, message } } : {};
    if (outcome.halt)
      this.#options.alarm(`${outcome.message} Its account is halted until it is released.`, own.clientOrderId);
    if (outcome.kind === 'unknown') return { ...unknown(message), ...halt };
    return { ...rejected(outcome.code, message), ...halt };
  }

  /** The fills are read: an acceptance gives their sum alone, and its average price is of the first outcome (K7). */
  async #accepted(
    order: Order,
    own: KalshiEnvelope,
    { orderId, filled, remaining }: AcceptedOutcome,
  ): Promise<PlaceResult> {
    const fills = filled === 0n ? null : await this.#options.client.fills({ orderId });
    const executions = fills?.kind === 'ok' ? fills.items.filter((fill) => fill.orderId === orderId) : [];
    const known = executions.reduce((sum, { shares }) => sum + shares, 0n);
    const isWhole = known >= filled;
    const isOver = remaining === 0n;
    const rest = isWhole && isOver ? (filled >= order.intent.shares ? 'none' : 'cancelled') : 'open';
    return {
      kind: 'accepted',
      venueOrderId: own.clientOrderId,
      venueReference: orderId,
      executions: executions.map((fill) => executionOf(own, fill)),
      failed: [],
      rest,
    };
  }

  /** An earlier copy arrived, which says nothing about its outcome. */
  async #duplicate(order: Order, own: KalshiEnvelope): Promise<PlaceResult> {
    this.#lookup.noteArrived(own.clientOrderId);
    const report = await this.find(order);
    return report.kind === 'accepted'
      ? report
      : unknown('The venue already has the order and does not show its outcome.');
  }

  #mismatched(own: KalshiEnvelope): Unknown {
    this.#isMismatched = true;
    this.#options.alarm(MISMATCH.message, own.clientOrderId);
    return { kind: 'unknown', reason: MISMATCH.message, halt: MISMATCH };
  }
}

const wanted = ({ isWanted }: Asked): Promise<boolean> => isWanted().catch(() => false);
