import { describe, expect, it } from 'vitest';
import type { EventDelivery } from '../../../src/core/endpoint/delivery.js';
import {
  afterFailure,
  dueOf,
  type Failure,
  heldAfter,
  isBehind,
  isDead,
  MOST_TRIES,
  nextDue,
  TRIES_IN_ORDER,
} from '../../../src/core/endpoint/delivery.js';
import type { OrderId } from '../../../src/core/ids.js';
import { NOON } from '../../support/builders.js';
import { aDelivery, aWebhook } from '../../support/builders-of-endpoints.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const AT = new Date(NOON);
const later = (ms: number) => new Date(AT.getTime() + ms);
const FAILED: Failure = { status: 500, said: 'no', retryAfterMs: null };
const WEBHOOK = aWebhook();

/** One that failed so often, each time with this chance, at this moment. */
function failedTimes(times: number, chance = 0, failure = FAILED): EventDelivery {
  let one = aDelivery(WEBHOOK, 1);
  for (let n = 0; n < times; n += 1) one = afterFailure(one, failure, AT, chance);
  return one;
}

const pauseAfter = (times: number, chance = 0, failure = FAILED) =>
  (failedTimes(times, chance, failure).nextAt?.getTime() ?? Number.NaN) - AT.getTime();

const ofOrder = (seq: number, changes: Partial<EventDelivery> = {}) =>
  aDelivery(WEBHOOK, seq, { orderId: 'order' as OrderId, ...changes });

describe('An event that a receiver does not take', () => {
  it('is tried ten times over three days, and then given up', () => {
    const pauses = Array.from({ length: MOST_TRIES - 1 }, (_, n) => pauseAfter(n + 1));
    const said = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];
    expect(pauses).toEqual(said);
    expect(pauses.reduce((sum, one) => sum + one, 0)).toBe(5 * SECOND + 35 * MINUTE + 75 * HOUR);
    expect(failedTimes(MOST_TRIES)).toMatchObject({ tries: 10, nextAt: null, triedAt: AT });
  });

  it('waits up to a tenth longer at random', () => {
    expect([0, 50, 99].map((chance) => pauseAfter(4, chance))).toEqual([2 * HOUR, 2.1 * HOUR, 2.198 * HOUR]);
  });

  it('waits as long as the receiver asks, if that is longer', () => {
    const asks = (retryAfterMs: number) => ({ ...FAILED, retryAfterMs });
    expect([pauseAfter(1, 0, asks(HOUR)), pauseAfter(4, 0, asks(HOUR))]).toEqual([HOUR, 2 * HOUR]);
  });

  it('keeps the start of the answer, in one line without control characters', () => {
    const said = `\u001b[31mno\n\n${'x'.repeat(500)}`;
    const { said: kept, status } = failedTimes(1, 0, { ...FAILED, said });
    expect([status, kept]).toEqual([500, `[31mno ${'x'.repeat(193)}`]);
  });

  it('is waited for by its order for five tries, and no longer', () => {
    const waited = Array.from({ length: TRIES_IN_ORDER }, (_, n) => failedTimes(n + 1).isPassed);
    expect(waited).toEqual([false, false, false, false, true]);
  });
});

describe('A receiver', () => {
  it('is held back as asked, or for five seconds if busy', () => {
    const held = (status: number | null, retryAfterMs: number | null = null) =>
      heldAfter({ status, said: '', retryAfterMs }, AT);
    expect([429, 502, 503, 504].map((status) => held(status))).toEqual(Array(4).fill(later(5 * SECOND)));
    expect([500, 404, 302, null].map((status) => held(status))).toEqual([null, null, null, null]);
    expect([held(503, HOUR), held(500, HOUR)]).toEqual([later(HOUR), later(HOUR)]);
  });

  it('is dead once it took nothing for five days, to the millisecond', () => {
    expect([5 * 24 * HOUR - 1, 5 * 24 * HOUR].map((ms) => isDead(AT, later(ms)))).toEqual([false, true]);
  });
});

describe('What waits', () => {
  it('is due at its time, after earlier events of its order', () => {
    const [first, second] = [ofOrder(1, { nextAt: later(HOUR) }), ofOrder(2, { nextAt: AT })];
    const other = ofOrder(3, { orderId: 'other' as OrderId, nextAt: AT });
    const free = aDelivery(WEBHOOK, 4, { nextAt: later(1) });
    expect(dueOf([first, second, other, free], AT)).toEqual([other]);
    expect(dueOf([first, second, other, free], later(HOUR))).toEqual([first, other, free]);
    expect(nextDue([first, second])).toEqual(later(HOUR));
    expect(nextDue([first, second, free])).toEqual(later(1));
    expect(nextDue([])).toBeNull();
  });

  it('lets later events of its order proceed once passed or given up', () => {
    const event = { orderId: 'order' as OrderId, seq: 5 };
    expect(isBehind([ofOrder(1)], event)).toBe(true);
    expect(isBehind([ofOrder(1, { isPassed: true })], event)).toBe(false);
    expect(isBehind([ofOrder(1, { nextAt: null })], event)).toBe(false);
    expect(isBehind([ofOrder(6)], event)).toBe(false);
    expect(isBehind([ofOrder(1)], { orderId: null, seq: 5 })).toBe(false);
    expect(isBehind([aDelivery(WEBHOOK, 1)], { orderId: null, seq: 5 })).toBe(false);
  });
});
