import { replay } from '../order/apply.js';
import type { OrderEvent } from '../order/event.js';
import type { Order } from '../order/order.js';
import { CANCELLED_ON_REQUEST } from '../order/outcome.js';

/** What an order did at a simulated venue, and when: all that it takes to let the same happen again. */
export interface Course {
  /** As it was requested: nothing of it has filled. */
  readonly order: Order;
  /** Null while it is on its way. */
  readonly arrived: Date | null;
  /** The cancellation that was granted, or that is on its way (`arrived` is null); null when there is neither. */
  readonly cancellation: { readonly sent: Date; readonly arrived: Date | null } | null;
}

/** An order on record, and its course; null where it was refused. */
export interface Retraced {
  readonly onRecord: Order;
  readonly course: Course | null;
}

/** Reads a course from an order's whole history; null for an order that was refused, and so was never met by anybody. */
export function courseOf(events: readonly OrderEvent[]): Course | null {
  const arrival = events.find(({ change }) => change.type === 'accepted');
  if (arrival === undefined && events.length > 1) return null;
  const order = replay(events.slice(0, 1));
  return { order, arrived: arrival?.at ?? null, cancellation: cancellationOf(events) };
}

function cancellationOf(events: readonly OrderEvent[]): Course['cancellation'] {
  const asked = events.findLast(({ change }) => change.type === 'cancel_requested');
  if (asked === undefined) return null;
  const { change, at } = events.find(({ seq, change: { type } }) => seq > asked.seq && type.startsWith('cancel')) ?? {};
  if (change === undefined || at === undefined) return { sent: asked.at, arrived: null };
  const granted = change.type === 'cancelled' && change.reason === CANCELLED_ON_REQUEST;
  return granted ? { sent: asked.at, arrived: at } : null;
}
