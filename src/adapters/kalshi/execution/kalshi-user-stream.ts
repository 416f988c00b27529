import * as v from 'valibot';
import type { MarketId } from '../../../core/ids.js';
import type { Order } from '../../../core/order/order.js';
import type { OrderStatusReport } from '../../../ports/exchange.js';
import type { AccountListener, MassStatus, NamedOrder } from '../../../ports/venue-adapter.js';
import { unknown } from '../../venue/order-results.js';
import { boundedText } from '../../venue/wire-types.js';
import { type KalshiFill, kalshiFill } from '../http/account-records.js';
import { type KalshiFrame, KalshiSocket, type KalshiSocketOptions } from '../websocket/kalshi-socket.js';
import { kalshiEnvelopeIn } from './envelope.js';
import { executionOf } from './order-evidence.js';

/** What the account's messages are heard for. */
export interface UserStreamParts {
  readonly listener: AccountListener;
  /** Looks up a single order. */
  find(order: Order): Promise<OrderStatusReport>;
  /** Called with why the connection ended or what could not be read, without any of the venue's text. */
  report(reason: string): void;
  /** How often everything is read again though nothing seems lost: the channels of an account do not count their messages. */
  readonly sweepMs?: number;
}

const CHANNELS = ['user_orders', 'fill'];
/** Losses of these channels are silent (`kalshi.md` 7): the account is read anew so often. */
const SWEEP_MS = 180_000;

const userOrder = v.object({
  order_id: boundedText,
  client_order_id: v.nullish(boundedText, ''),
  ticker: boundedText,
  status: v.fallback(boundedText, 'unknown'),
});
type UserOrder = v.InferOutput<typeof userOrder>;

/**
 * The venue's messages about the account's orders and fills, over a connection that is renewed until it is closed. Nothing is replayed, and
 * nothing is counted: whatever was missed is read by REST.
 */
export class KalshiUserStream {
  readonly #parts: UserStreamParts;
  readonly #socket: KalshiSocket;
  readonly #sweeping: NodeJS.Timeout;
  /** How many channels the venue has opened on this connection. */
  #open = 0;

  constructor(options: KalshiSocketOptions, parts: UserStreamParts) {
    this.#parts = parts;
    this.#socket = new KalshiSocket(options, {
      opened: () => this.#opened(),
      received: (frame) => this.#received(frame),
      lost: (reason) => parts.report(reason),
    });
    this.#sweeping = setInterval(() => this.#gap(), parts.sweepMs ?? SWEEP_MS);
    this.#sweeping.unref();
  }

  /** Resolves once nothing of it is left. */
  close(): Promise<void> {
    clearInterval(this.#sweeping);
    return this.#socket.close();
  }

  #opened(): void {
    this.#open = 0;
    this.#socket.send('subscribe', { channels: CHANNELS });
    this.#gap();
  }

  #received({ type, msg }: KalshiFrame): void {
    if (type === 'fill') this.#take(kalshiFill, msg, (fill) => this.#ofFill(fill));
    else if (type === 'user_order') this.#take(userOrder, msg, (order) => this.#ofOrder(order));
    else if (type === 'subscribed') this.#subscribed();
    else if (type === 'error') this.#lost('the venue refused a subscription of the account');
  }

  /** What happened before the channels were open was not told by them, and may have been read too early by the sweep of the connection. */
  #subscribed(): void {
    this.#open += 1;
    if (this.#open === CHANNELS.length) this.#gap();
  }

  #take<T>(schema: v.GenericSchema<unknown, T>, msg: unknown, statusOf: (read: T) => MassStatus): void {
    const read = v.safeParse(schema, msg);
    if (!read.success) {
      this.#lost('a message about the account has an unknown shape');
      return;
    }
    try {
      this.#parts.listener.received(statusOf(read.output));
    } catch {
      this.#lost('a message about the account could not be taken');
    }
  }

  /** A fill names the identity of its order, which its record by REST does not. It says nothing of the order's other shares. */
  #ofFill(fill: KalshiFill): MassStatus {
    const named = namedBy(fill.clientOrderId ?? fill.orderId, fill.ticker, false);
    return this.#status(named, fill.clientOrderId, (order) => {
      const own = kalshiEnvelopeIn(order);
      if (own === null || own.ticker !== fill.ticker) return this.#parts.find(order);
      return {
        kind: 'accepted',
        venueOrderId: own.clientOrderId,
        venueReference: fill.orderId,
        executions: [executionOf(own, fill)],
        failed: [],
        rest: 'open',
      };
    });
  }

  /** The fills of an order that ended are read from the venue: they may not have come yet. */
  #ofOrder({ order_id, client_order_id, ticker, status }: UserOrder): MassStatus {
    const named = namedBy(client_order_id || order_id, ticker, status === 'resting');
    return this.#status(named, client_order_id || null, (order) => this.#parts.find(order));
  }

  #status(
    named: NamedOrder,
    identity: string | null,
    report: (order: Order) => OrderStatusReport | Promise<OrderStatusReport>,
  ): MassStatus {
    return {
      kind: 'mass_status',
      unread: null,
      named: [named],
      reportOf: async (order) =>
        kalshiEnvelopeIn(order)?.clientOrderId === identity
          ? report(order)
          : unknown('The message does not mention the order.'),
    };
  }

  #lost(reason: string): void {
    this.#parts.report(reason);
    this.#gap();
  }

  /** A failing listener must not end the process. */
  #gap(): void {
    try {
      this.#parts.listener.gap();
    } catch {
      this.#parts.report('a sweep could not be begun');
    }
  }
}

const namedBy = (venueOrderId: string, ticker: string, resting: boolean): NamedOrder => ({
  venueOrderId,
  marketId: ticker as MarketId,
  tokenId: null,
  side: null,
  price: null,
  shares: null,
  resting,
});
