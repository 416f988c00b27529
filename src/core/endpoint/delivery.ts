import type { Digest } from '../../ports/system.js';
import type { AccountId, EndpointId, OrderId } from '../ids.js';
import type { EndpointKey } from './endpoint.js';

/** How far an endpoint has come in the log of its account. */
export interface Progress {
  readonly account: AccountId;
  readonly endpointId: EndpointId;
  /** What it wants of the events up to this number was delivered, or failed and is on record as such. */
  readonly passed: number;
  /** What is urgent of the events up to this number was sent, although others before it wait; meaningless for a webhook. */
  readonly urgentPassed: number;
  /** Nothing is sent to it before; null where nothing holds it. */
  readonly heldUntil: Date | null;
  /** When the first try failed since the last that succeeded; null where the last one succeeded. */
  readonly failingSince: Date | null;
  /** When it last took something; null before. */
  readonly deliveredAt: Date | null;
  /** Grows each time that a client moves it back, or enables it: a round that began before does not move it. */
  readonly epoch: number;
}

/** An event that an endpoint did not take when it was sent, or that waits for an earlier one of its order. */
export interface EventDelivery {
  readonly account: AccountId;
  readonly endpointId: EndpointId;
  /** The number of the event in the log of its account. */
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

/** An event that is queued for delivery. */
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

const HASH_DIGITS = 16;
const DIGITS = '0123456789abcdef';

/** The id of the message about an event: the same at every try, at every endpoint, and unlike that of any other account. */
export const webhookMessageId = (account: AccountId, seq: number, digest: Digest): string =>
  `evt_${digest(account).slice(0, HASH_DIGITS)}_${seq}`;

/** A number from 0 to 99 that looks like chance: another one for each text. */
export function chanceOf(text: string, digest: Digest): number {
  const digits = digest(text);
  return DIGITS.indexOf(digits.charAt(0)) * 6 + (DIGITS.indexOf(digits.charAt(1)) % 10);
}

/** What a failed try was answered, and what the receiver asks for. */
export interface Failure {
  /** Null where there was no answer. */
  readonly status: number | null;
  /** The answer, or why there was none. */
  readonly said: string;
  /** How long it asks to wait; null where it does not. */
  readonly retryAfterMs: number | null;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The pauses before the second try, the third and so on, in seconds: 75.6 hours in all, as Standard Webhooks proposes. */
const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/** How often one event is sent before it is given up. */
export const MOST_TRIES = PAUSES.length + 1;
/** How many tries an event has before later events of its order pass it. */
export const TRIES_IN_ORDER = 5;
/** How long all of an endpoint is held back that says that it is busy, and not for how long. */
const BUSY_MS = 5000;
const BUSY: readonly (number | null)[] = [429, 502, 503, 504];
/** How many characters of an answer are kept. */
const KEPT_CHARACTERS = 200;
/** An endpoint that took nothing for so long is disabled. */
const DEAD_MS = 5 * 24 * HOUR * 1000;

/**
 * A delivery after one more try that failed at `at`: when it is tried again, whether its order waits for it, and what it was
 * answered. `chance` is from 0 to 99, and makes the pause longer by as many thousandths: what failed together does not come
 * back together.
 */
export function afterFailure(delivery: EventDelivery, failure: Failure, at: Date, chance: number): EventDelivery {
  const tries = delivery.tries + 1;
  const pause = PAUSES[tries - 1];
  const said = { status: failure.status, said: keptOf(failure.said) };
  const isPassed = delivery.isPassed || tries >= TRIES_IN_ORDER;
  const next = { ...delivery, ...said, tries, isPassed, triedAt: at };
  if (pause === undefined) return { ...next, nextAt: null };
  const waitMs = Math.max(pause * (1000 + chance), failure.retryAfterMs ?? 0);
  return { ...next, nextAt: new Date(at.getTime() + waitMs) };
}

/** The moment until which a failure holds back all that the endpoint is sent; null where it does not. */
export function heldAfter({ status, retryAfterMs }: Failure, at: Date): Date | null {
  if (retryAfterMs !== null) return new Date(at.getTime() + retryAfterMs);
  return BUSY.includes(status) ? new Date(at.getTime() + BUSY_MS) : null;
}

/** The moment until which an endpoint that fails again and again is held back. */
export const heldAfterMany = (at: Date): Date => new Date(at.getTime() + BUSY_MS);

/** True where it took nothing for so long that it is disabled. */
export const isDead = (failingSince: Date, at: Date): boolean => at.getTime() - failingSince.getTime() >= DEAD_MS;

/** The beginning of an answer in one line, without what a terminal would obey. */
const keptOf = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, KEPT_CHARACTERS);

/** The waiting deliveries, by number, whose time has come and that wait for no earlier event of the same order. */
export function dueOf(waiting: readonly EventDelivery[], at: Date): readonly EventDelivery[] {
  return waiting.filter((one) => isDue(one, at) && !isBehind(waiting, one));
}

/** True of an event that has to wait for an earlier one of its order. */
export function isBehind(
  waiting: readonly EventDelivery[],
  { orderId, seq }: Pick<EventDelivery, 'orderId' | 'seq'>,
): boolean {
  if (orderId === null) return false;
  return waiting.some((one) => one.orderId === orderId && one.seq < seq && isWaitedFor(one));
}

/** When the next of them is due; null where none waits. */
export function nextDue(waiting: readonly EventDelivery[]): Date | null {
  const free = waiting.filter((one) => one.nextAt !== null && !isBehind(waiting, one));
  return free.reduce<Date | null>(
    (first, { nextAt }) => (first === null || (nextAt !== null && nextAt < first) ? nextAt : first),
    null,
  );
}

const isDue = ({ nextAt }: EventDelivery, at: Date): boolean => nextAt !== null && nextAt <= at;
const isWaitedFor = ({ nextAt, isPassed }: EventDelivery): boolean => nextAt !== null && !isPassed;
