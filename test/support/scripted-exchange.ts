import type { Execution } from '../../src/core/order/fill.js';
import type { Order } from '../../src/core/order/order.js';
import type { Accepted, Cancellation, Exchange, Placement, Sighting } from '../../src/ports/exchange.js';

type Answer<T> = (order: Order) => T | Promise<T>;

/** What a scripted venue does when asked; tests set it, and may change it on the way. */
export interface VenueScript {
  place: Answer<Placement>;
  cancel: Answer<Cancellation>;
  find: Answer<Sighting>;
}

export interface VenueCall {
  readonly verb: keyof VenueScript;
  readonly order: Order;
}

/** A venue over a wire that does as it is told and keeps a list of what it was asked. Left alone, it rests every order. */
export class ScriptedExchange implements Exchange {
  readonly venue = 'scripted';
  readonly local = null;
  readonly calls: VenueCall[] = [];
  readonly script: VenueScript;

  constructor(script: Partial<VenueScript> = {}) {
    this.script = { place: rests(), cancel: () => ({ kind: 'cancelled' }), find: isUnsure(), ...script };
  }

  async place(order: Order): Promise<Placement> {
    this.calls.push({ verb: 'place', order });
    return this.script.place(order);
  }

  async cancel(order: Order): Promise<Cancellation> {
    this.calls.push({ verb: 'cancel', order });
    return this.script.cancel(order);
  }

  async find(order: Order): Promise<Sighting> {
    this.calls.push({ verb: 'find', order });
    return this.script.find(order);
  }

  /** How often it was asked to do this. */
  count(verb: VenueCall['verb']): number {
    return this.calls.filter((call) => call.verb === verb).length;
  }
}

/** Takes the order, executes what is given, and does with the rest as told. */
export const accepts =
  (executions: readonly Execution[], rest: Accepted['rest']) =>
  ({ id }: Order): Accepted => ({ kind: 'accepted', venueOrderId: `venue-${id}`, executions, rest });

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
  return { answer: (order) => released.then(() => then(order)), release };
}
