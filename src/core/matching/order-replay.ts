import { replay } from '../order/apply.js';
import type { OrderEvent } from '../order/event.js';
import { CANCELLED_ON_REQUEST } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';

/** What an order did at a simulated venue, and when: all that a replay needs. */
export interface OrderReplay {
  /** As it was requested: nothing of it has filled. */
  readonly order: Order;
  /** Null while it is on its way. */
  readonly arrived: Date | null;
  /** The cancellation that was granted, or that is on its way; null when there is neither. */
  readonly cancellation: Cancelling | null;
}

/** A cancellation on record. */
export interface Cancelling {
  readonly sent: Date;
  /** When it was to arrive; null where that is not on record. */
  readonly due: Date | null;
  /** Null while it is on its way. */
  readonly arrived: Date | null;
}

/** An order on record, and its replay; null where it was refused. */
export interface ReplayedOrder {
  readonly onRecord: Order;
  readonly replay: OrderReplay | null;
}

/** Reads a replay from an order's whole history; null for an order that was refused, and so never reached the book. */
export function replayOf(events: readonly OrderEvent[]): OrderReplay | null {
  const arrival = events.find(({ change }) => change.type === 'accepted');
  if (arrival === undefined && events.length > 1) return null;
  const order = replay(events.slice(0, 1));
  return { order, arrived: arrival?.at ?? null, cancellation: cancellationOf(events) };
}

/**
 * When the cancellation of an order arrived; null without one. One on its way arrives when it was due, but not before
 * anything on record of its order. Where no due time is on record, the latency applies.
 */
export function cancelledAt({ updatedAt }: Order, { cancellation }: OrderReplay, latencyMs: number): Date | null {
  if (cancellation === null || cancellation.arrived !== null) return cancellation?.arrived ?? null;
  const arrives = cancellation.due ?? new Date(cancellation.sent.getTime() + latencyMs);
  return arrives < updatedAt ? updatedAt : arrives;
}

function cancellationOf(events: readonly OrderEvent[]): OrderReplay['cancellation'] {
  const asked = events.findLast(({ change }) => change.type === 'cancel_requested');
  if (asked?.change.type !== 'cancel_requested') return null;
  const sending = { sent: asked.at, due: asked.change.arrivesAt ?? null };
  const { change, at } = events.find(({ seq, change: { type } }) => seq > asked.seq && type.startsWith('cancel')) ?? {};
  if (change === undefined || at === undefined) return { ...sending, arrived: null };
  const granted = change.type === 'cancelled' && change.reason === CANCELLED_ON_REQUEST;
  return granted ? { ...sending, arrived: at } : null;
}
