import type { MarketId, VenueName } from '../../src/core/ids.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import type { Shares, Usdc } from '../../src/core/money.js';
import type { Execution, Order, Refusal } from '../../src/core/order/order.js';
import type {
  Accepted,
  CancelResult,
  Exchange,
  LocalVenue,
  OrderStatusReport,
  PlaceResult,
  Signing,
  Unknown,
} from '../../src/ports/exchange.js';
import type { MassStatus, NamedOrder, VenueAccount } from '../../src/ports/venue-adapter.js';

type Answer<T> = (order: Order, mayStillSend: () => boolean) => T | Promise<T>;

/** The behaviour of a scripted venue; tests set it, and may change it on the way. */
export interface VenueScript {
  place: Answer<PlaceResult>;
  cancel: Answer<CancelResult>;
  find: Answer<OrderStatusReport>;
}

export interface VenueCall {
  readonly verb: keyof VenueScript;
  readonly order: Order;
}

/** A scripted venue over a wire that records its calls. By default it rests every order. */
export class ScriptedExchange implements Exchange {
  readonly venue: VenueName = NO_VENUE;
  readonly local: LocalVenue | null = null;
  readonly signing: Signing | null = null;
  readonly calls: VenueCall[] = [];
  readonly script: VenueScript;

  constructor(script: Partial<VenueScript> = {}) {
    this.script = { place: rests(), cancel: () => ({ kind: 'cancelled' }), find: isUnsure(), ...script };
  }

  closedForMs(): number | null {
    return null;
  }

  async place(order: Order, mayStillSend: () => boolean, _isWanted?: () => Promise<boolean>): Promise<PlaceResult> {
    this.calls.push({ verb: 'place', order });
    return this.script.place(order, mayStillSend);
  }

  async cancel(order: Order): Promise<CancelResult> {
    this.calls.push({ verb: 'cancel', order });
    return this.script.cancel(order, () => true);
  }

  async find(order: Order): Promise<OrderStatusReport> {
    this.calls.push({ verb: 'find', order });
    return this.script.find(order, () => true);
  }

  /** How often this was called. */
  count(verb: VenueCall['verb']): number {
    return this.calls.filter((call) => call.verb === verb).length;
  }
}

/** The same in this process, where its answer takes time. */
export class ScriptedSimulator extends ScriptedExchange {
  override readonly local: LocalVenue = {
    lease: () => undefined,
    arrival: () => null,
    prepare: async () => {},
    decide: () => null,
  };
}

/** Accepts the order, executes what is given, and handles the rest as given. */
export const accepts =
  (executions: readonly Execution[], rest: Accepted['rest']) =>
  ({ id }: Order): Accepted => ({ kind: 'accepted', venueOrderId: `venue-${id}`, executions, failed: [], rest });

export const rests = () => accepts([], 'open');
export const delays = () => accepts([], 'delayed');

/** Refuses, with proof. */
export const rejects = (code: string, message = 'The venue said no.') => {
  return () => ({ kind: 'rejected', refusal: { code, message } }) as const;
};

/** Proves neither outcome. */
export const isUnsure = (reason = 'not known') => {
  return () => ({ kind: 'unknown', reason }) as const;
};

/** The connection breaks before an answer comes. */
export const breaks = () => (): never => {
  throw new Error('socket hang up');
};

/** Never answers; `released` lets all waiting calls go on to `then`. */
export function hangs<T>(then: Answer<T>): { answer: Answer<T>; release: () => void } {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { answer: (order, mayStillSend) => released.then(() => then(order, mayStillSend)), release };
}

/** A venue that signs orders: the identity of an order there is `0x` and the content of its envelope. */
export class SigningExchange extends ScriptedExchange {
  envelopes = 0;
  /** Until when an order may be sent. */
  sendBy = new Date('2026-03-01T12:00:15.000Z');
  refusal: Refusal | null = null;
  /** Of purchases that fill at once; null where shares bound them. */
  spends: Usdc | null = null;
  /** What happens after an order is on record, and before it has its identity. */
  whileSigning: () => Promise<unknown> = async () => {};

  override readonly signing: Signing = {
    envelope: () => {
      this.envelopes += 1;
      return this.refusal ?? { content: `${this.envelopes}`, sendBy: this.sendBy, spends: this.spends, dust: DUST };
    },
    identify: async ({ intent }) => {
      await this.whileSigning();
      return `0x${intent.envelope?.content}`;
    },
  };
}

/** The remainder of an order that the venue rounds away. */
const DUST = 10_000n as Shares;

/** Accepts the order under the identity it came with. */
export const takes =
  (executions: readonly Execution[] = [], rest: Accepted['rest'] = 'open') =>
  ({ venueOrderId }: Order): Accepted => ({
    kind: 'accepted',
    venueOrderId: `${venueOrderId}`,
    executions,
    failed: [],
    rest,
  });

/** A venue that shows its whole wallet too: the resting orders and the results of lookups, as set by tests. */
export class ReportingExchange extends SigningExchange implements VenueAccount {
  /** Null: the venue returns an incomplete list. */
  named: readonly NamedOrder[] | null = [];
  /** Called for each order that a mass status is compared with. */
  report: (order: Order) => OrderStatusReport | Promise<OrderStatusReport> = isUnsure();
  readonly since: Date[] = [];

  async massStatus(since: Date): Promise<MassStatus | Unknown> {
    this.since.push(since);
    return this.named === null ? { kind: 'unknown', reason: 'half a page' } : this.message(this.named);
  }

  /** One message, or one mass status, that names these. */
  message(named: readonly NamedOrder[]): MassStatus {
    return { kind: 'mass_status', unread: null, named, reportOf: async (order) => this.report(order) };
  }
}

/** An order as the venue names it; by default it rests. */
export const namedOrder = (venueOrderId: string, resting = true): NamedOrder => ({
  venueOrderId,
  marketId: '0xc0' as MarketId,
  tokenId: '1',
  side: 'BUY',
  resting,
  price: null,
  shares: null,
});
