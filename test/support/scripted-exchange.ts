import type { MarketId, VenueName } from '../../src/core/ids.js';
import { NO_VENUE } from '../../src/core/market/venue.js';
import type { Shares, Usdc } from '../../src/core/money.js';
import type { Execution } from '../../src/core/order/fill.js';
import type { Order, Refusal } from '../../src/core/order/order.js';
import type { Exchange, Signing } from '../../src/ports/exchange.js';
import type { Accepted, CancelResult, OrderStatusReport, PlaceResult, Unknown } from '../../src/ports/order-results.js';
import type { MassStatus, NamedOrder, VenueAccount } from '../../src/ports/venue-account.js';

type Answer<T> = (order: Order, mayStillSend: () => boolean) => T | Promise<T>;

/** What a scripted venue does when asked; tests set it, and may change it on the way. */
export interface VenueScript {
  place: Answer<PlaceResult>;
  cancel: Answer<CancelResult>;
  find: Answer<OrderStatusReport>;
}

export interface VenueCall {
  readonly verb: keyof VenueScript;
  readonly order: Order;
}

/** A venue over a wire that does as it is told and keeps a list of what it was asked. Left alone, it rests every order. */
export class ScriptedExchange implements Exchange {
  readonly venue: VenueName = NO_VENUE;
  readonly local = null;
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

  /** How often it was asked to do this. */
  count(verb: VenueCall['verb']): number {
    return this.calls.filter((call) => call.verb === verb).length;
  }
}

/** Takes the order, executes what is given, and does with the rest as told. */
export const accepts =
  (executions: readonly Execution[], rest: Accepted['rest']) =>
  ({ id }: Order): Accepted => ({ kind: 'accepted', venueOrderId: `venue-${id}`, executions, failed: [], rest });

export const rests = () => accepts([], 'open');
export const delays = () => accepts([], 'delayed');

/** Says no, and proves it. */
export const rejects = (code: string, message = 'The exchange said no.') => {
  return () => ({ kind: 'rejected', refusal: { code, message } }) as const;
};

/** Says neither yes nor no. */
export const isUnsure = (reason = 'nobody knows') => {
  return () => ({ kind: 'unknown', reason }) as const;
};

/** The connection breaks before an answer comes. */
export const breaks = () => (): never => {
  throw new Error('socket hang up');
};

/** Never answers; `released` lets everything that waits go on to `then`. */
export function hangs<T>(then: Answer<T>): { answer: Answer<T>; release: () => void } {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { answer: (order, mayStillSend) => released.then(() => then(order, mayStillSend)), release };
}

/** A venue that has its orders signed: the identity of an order there is `0x` and what is in its envelope. */
export class SigningExchange extends ScriptedExchange {
  envelopes = 0;
  /** Until when an order may be sent. */
  sendBy = new Date('2026-03-01T12:00:15.000Z');
  refusal: Refusal | null = null;
  /** Of purchases that fill at once; null where shares bound them. */
  spends: Usdc | null = null;

  override readonly signing: Signing = {
    envelope: () => {
      this.envelopes += 1;
      return this.refusal ?? { content: `${this.envelopes}`, sendBy: this.sendBy, spends: this.spends, dust: DUST };
    },
    sign: async ({ intent }) => `0x${intent.envelope?.content}`,
  };
}

/** What the venue rounds away of an order. */
const DUST = 10_000n as Shares;

/** Takes the order under the identity that it came with. */
export const takes =
  (executions: readonly Execution[] = [], rest: Accepted['rest'] = 'open') =>
  ({ venueOrderId }: Order): Accepted => ({
    kind: 'accepted',
    venueOrderId: `${venueOrderId}`,
    executions,
    failed: [],
    rest,
  });

/** A venue that shows its whole wallet too: what rests there, and what a look at an order tells, as tests set them. */
export class ReportingExchange extends SigningExchange implements VenueAccount {
  /** Null: the venue does not tell everything. */
  named: readonly NamedOrder[] | null = [];
  /** Asked for each order that a mass status is held against. */
  report: (order: Order) => OrderStatusReport | Promise<OrderStatusReport> = isUnsure();
  readonly since: Date[] = [];

  async massStatus(since: Date): Promise<MassStatus | Unknown> {
    this.since.push(since);
    return this.named === null ? { kind: 'unknown', reason: 'half a page' } : this.message(this.named);
  }

  /** One message, or one look, that names these. */
  message(named: readonly NamedOrder[]): MassStatus {
    return { kind: 'mass_status', unread: null, named, reportOf: async (order) => this.report(order) };
  }
}

/** An order as the venue names it; it rests unless told otherwise. */
export const namedOrder = (venueOrderId: string, resting = true): NamedOrder => ({
  ...{ venueOrderId, marketId: '0xc0' as MarketId, tokenId: '1', side: 'BUY', resting },
  ...{ price: null, shares: null },
});
