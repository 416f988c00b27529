import type { Market } from '../../../core/market/market.js';
import type { Envelope, Intent, Order, Refusal } from '../../../core/order/order.js';
import type {
  CancelResult,
  Exchange,
  OrderStatusReport,
  PlaceResult,
  Rejected,
  Signing,
  Unknown,
} from '../../../ports/exchange.js';
import type { Stopwatch } from '../../../ports/system.js';
import type { MassStatus, VenueAccount } from '../../../ports/venue-adapter.js';
import { notSent } from '../../transport/send-once.js';
import { type Alarm, mismatched, rejected, unknown } from '../../venue/order-results.js';
import type { CancelOutcome } from '../http/cancel-wire.js';
import type { ClobTrading } from '../http/clob-trading.js';
import type { PlaceOutcome } from '../http/place-outcomes.js';
import { POLYMARKET } from '../http/venue-name.js';
import { orderBody } from '../signing/order-body.js';
import type { Hex, Signer } from '../signing/signer.js';
import { SigningRefused } from '../signing/signing-refused.js';
import type { UserEvent } from '../websocket/user-wire.js';
import { envelopeOf, isOrderOf, type OrderWallet } from './envelope.js';
import { massStatusOf } from './mass-status.js';
import { OrderSender, type OrderSenderOptions, type Outgoing } from './order-sender.js';
import { OrderStatusLookup } from './order-status-lookup.js';
import { alarmOf, refusedResult } from './place-result.js';
import { massStatusOfEvent } from './stream-status.js';
import { acceptedBy, restOf } from './trade-evidence.js';
import { neverRests, type OwnUnsigned, unsignedIn } from './unsigned-order.js';

/** One account at the venue, and the dependencies of trading for it. */
export interface PolymarketExchangeOptions
  extends Pick<OrderSenderOptions, 'clock' | 'venueClock' | 'ending' | 'wait'> {
  readonly clob: ClobTrading;
  readonly signer: Signer;
  readonly wallet: OrderWallet;
  /** The id of the API key that orders belong to; not a secret. */
  readonly apiKey: string;
  readonly stopwatch: Stopwatch;
  /** How long an order may wait to be sent; 15 seconds when absent. */
  readonly sendWithinMs?: number;
  /** Called when the venue's data about an order is inconsistent. */
  readonly alarm: Alarm;
}

type AcceptedOutcome = Extract<PlaceOutcome, { readonly kind: 'accepted' }>;

const SEND_WITHIN_MS = 15_000;
const LOOK_AGAIN_MS = 1000;
const NOTHING = { executions: [], failed: [] };
const RESTING_WORDS = ['live', 'unmatched'];

/**
 * Trades on Polymarket for one account. At most one copy of an order arrives, under an identity that is fixed in advance; an
 * order whose outcome no answer proves is unknown, and is looked up by that identity.
 */
export class PolymarketExchange implements Exchange, VenueAccount {
  readonly venue = POLYMARKET;
  readonly local = null;
  readonly signing: Signing = {
    envelope: (intent, market) => this.#envelope(intent, market),
    identify: async (order) => hashOf(order),
  };
  readonly #options: PolymarketExchangeOptions;
  readonly #reports: OrderStatusLookup;
  readonly #sender: OrderSender;
  #isMismatched = false;

  constructor(options: PolymarketExchangeOptions) {
    this.#options = options;
    this.#reports = new OrderStatusLookup(options);
    this.#sender = new OrderSender(options);
  }

  /** While the venue does not answer, each call sends a probe, unless one is in flight. */
  closedForMs(): number | null {
    const { clob, venueClock } = this.#options;
    if (!clob.isDown) return clob.ordersHeldMs;
    void venueClock.measure();
    return LOOK_AGAIN_MS;
  }

  /** Once the venue has named a different order from the signed one, nothing is signed or sent any more. */
  async place(order: Order, mayStillSend: () => boolean, isWanted: () => Promise<boolean>): Promise<PlaceResult> {
    if (this.#isMismatched) return mismatched();
    if (this.#options.ending?.aborted === true) return refusedResult(notSent('aborted'));
    const own = unsignedIn(order);
    if (own === null || !isSame(order.venueOrderId ?? own.hash, own.hash)) {
      return rejected('envelope_unreadable', 'The recorded unsigned order cannot be read. Nothing was sent.');
    }
    const signature = await this.#signature(own);
    if (typeof signature !== 'string') return signature;
    const outcome = await this.#send(own, signature, { mayStillSend, isWanted });
    const strange = alarmOf(outcome);
    if (strange !== null) this.#options.alarm(strange, own.hash);
    if (outcome.kind === 'identity_mismatch') this.#isMismatched = true;
    if (outcome.kind === 'accepted') return this.#accepted(order, own, outcome);
    return outcome.kind === 'duplicate' ? this.#duplicate(order) : refusedResult(outcome);
  }

  cancel(order: Order): Promise<CancelResult> {
    return this.#reports.cancel(order);
  }

  /**
   * An order without a trace at the venue is `absent` only after lookups over two minutes, and once it can no longer arrive
   * (`reliability.md` 3.3). One that could rest is cancelled at the venue before it counts as absent.
   */
  find(order: Order): Promise<OrderStatusReport> {
    return this.#reports.find(order);
  }

  async massStatus(since: Date): Promise<MassStatus | Unknown> {
    return massStatusOf({ ...this.#looking(), offsetMs: this.#options.venueClock.offsetMs }, since);
  }

  /** False of an order that another wallet paid for: this wallet's key cannot see it. */
  isOwn(order: Order): boolean {
    return isOrderOf(order, this.#options.wallet);
  }

  /** What a message of the venue's user stream shows. */
  massStatusOf(event: UserEvent): MassStatus {
    return massStatusOfEvent(event, {
      ...this.#looking(),
      onShown: (venueOrderId) => this.#reports.mentioned(venueOrderId),
      findEnded: (order, result) => this.#reports.find(order, result),
    });
  }

  /** Cancels every order of the account, including those unknown to us. Safe to repeat. */
  cancelAll(): Promise<CancelOutcome> {
    return this.#options.clob.cancelAll();
  }

  #looking() {
    const { clob, alarm, apiKey, wallet } = this.#options;
    return {
      clob,
      alarm,
      names: { apiKey, wallet: wallet.funder ?? wallet.address },
      find: (order: Order) => this.find(order),
      onShown: (venueOrderId: string) => this.#reports.shown(venueOrderId),
    };
  }

  #envelope(intent: Intent, market: Market): Envelope | Refusal {
    const { wallet, clock, venueClock, sendWithinMs = SEND_WITHIN_MS } = this.#options;
    return envelopeOf(intent, market, wallet, { now: clock.now(), offsetMs: venueClock.offsetMs, sendWithinMs });
  }

  async #signature({ struct, domain }: OwnUnsigned): Promise<Hex | Rejected> {
    try {
      return await this.#options.signer.signOrder(struct, domain);
    } catch (error) {
      if (error instanceof SigningRefused) return rejected(error.code, error.message);
      return rejected('signer_failed', 'The signer did not sign the order. Nothing was sent.');
    }
  }

  #send(own: OwnUnsigned, signature: Hex, asked: Pick<Outgoing, 'mayStillSend' | 'isWanted'>): Promise<PlaceOutcome> {
    const { struct, orderType, expiration, postOnly, hash, sendBy } = own;
    const terms = { owner: this.#options.apiKey, orderType, expiration, postOnly, deferExec: false };
    const body = orderBody(struct, signature, terms);
    const mayStillSend = () => asked.mayStillSend() && !this.#isMismatched;
    return this.#sender.send({ body, hash, sendBy, mayStillSend, isWanted: asked.isWanted });
  }

  async #accepted(order: Order, own: OwnUnsigned, outcome: AcceptedOutcome): Promise<PlaceResult> {
    if (outcome.status === 'delayed') return acceptedBy(own, NOTHING, 'delayed');
    if (outcome.status === 'matched') return this.#matched(order, own, outcome);
    if (!RESTING_WORDS.includes(outcome.status)) this.#options.alarm(`accepted as “${outcome.status}”`, own.hash);
    return acceptedBy(own, NOTHING, 'open');
  }

  /** Trades show what was matched; until all that the answer names are known, the rest counts as open. */
  async #matched(order: Order, own: OwnUnsigned, { tradeIds }: AcceptedOutcome): Promise<PlaceResult> {
    const { trades, evidence } = await this.#reports.trades(order, own);
    const known = new Set(trades.map(({ tradeId }) => tradeId));
    const whole = evidence.whole && tradeIds.every((id) => known.has(id));
    const isOver = whole && tradeIds.length > 0 && neverRests(own);
    const rest = restOf(order, own, null, { ...evidence, whole }, this.#options.alarm, isOver);
    return acceptedBy(own, evidence, rest);
  }

  /** An earlier copy arrived, which says nothing about its outcome. */
  async #duplicate(order: Order): Promise<PlaceResult> {
    const report = await this.find(order);
    if (report.kind === 'accepted') return report;
    return unknown('The venue already has the order and does not show its outcome.');
  }
}

function hashOf(order: Order): string {
  const own = unsignedIn(order);
  // Only `place` may refuse an order; otherwise it would stay in flight for ever.
  return own?.hash ?? `unreadable-${order.id}`;
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
