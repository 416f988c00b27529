import type { AccountId, EndpointId, OrderId } from '../ids.js';
import type { EndpointKey } from './endpoint.js';

/** How far an endpoint has come in the log of its account. */
export interface Progress {
  readonly account: AccountId;
  readonly endpointId: EndpointId;
  /** What it wants of the events up to this number was delivered, or failed and is on record as such. */
  readonly passed: number;
  /** What is urgent of the events up to this number was told, although others before it wait; nothing to a webhook. */
  readonly urgentPassed: number;
  /** Nothing is sent to it before; null where nothing holds it. */
  readonly heldUntil: Date | null;
  /** When the first try failed since the last that succeeded; null where the last one succeeded. */
  readonly failingSince: Date | null;
  /** When it last took something; null before. */
  readonly deliveredAt: Date | null;
  /** Grows each time that somebody sends it back, or enables it: a round that began before does not move it. */
  readonly epoch: number;
}

/** An event that an endpoint did not take when it was sent, or that waits for an earlier one of its order. */
export interface EventDelivery {
  readonly account: AccountId;
  readonly endpointId: EndpointId;
  /** Of the event, in the log of its account. */
  readonly seq: number;
  readonly type: string;
  /** The order that the event is about; null where it is about none. */
  readonly orderId: OrderId | null;
  readonly tries: number;
  /** When it is tried again; null where it was given up. */
  readonly nextAt: Date | null;
  /** Whether later events of its order wait for it no more. */
  readonly isPassed: boolean;
  /** When it was last tried; null where it only waits. */
  readonly triedAt: Date | null;
  /** What the last try was answered; null where there was no answer. */
  readonly status: number | null;
  /** The beginning of that answer, or why there was none; empty before a try. */
  readonly said: string;
}

/** Where an endpoint begins. */
export const beginning = ({ account, id }: EndpointKey, passed: number): Progress => ({
  account,
  endpointId: id,
  passed,
  urgentPassed: 0,
  epoch: 0,
  heldUntil: null,
  failingSince: null,
  deliveredAt: null,
});

/** An event that waits for its turn. */
export const waitingFor = (
  { account, id }: EndpointKey,
  event: Pick<EventDelivery, 'seq' | 'type' | 'orderId'>,
  nextAt: Date,
): EventDelivery => ({
  account,
  endpointId: id,
  ...event,
  tries: 0,
  nextAt,
  isPassed: false,
  triedAt: null,
  status: null,
  said: '',
});
