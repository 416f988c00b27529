import { describe, expect, it } from 'vitest';
import { beginning, type EventDelivery } from '../../../src/core/endpoint/delivery.js';
import { DeliveryRound, MOST_READ } from '../../../src/core/endpoint/delivery-round.js';
import type { OrderId } from '../../../src/core/ids.js';
import { NOON } from '../../support/builders.js';
import { aDelivery, aWebhook } from '../../support/builders-of-endpoints.js';

const AT = new Date(NOON);
const later = (ms: number) => new Date(AT.getTime() + ms);
const WEBHOOK = aWebhook({ startsAfter: 7 });
const FAILED = { status: 500, said: 'no', retryAfterMs: null };
const ORDER = 'order' as OrderId;

const event = (seq: number, orderId: OrderId | null = null) => ({ seq, type: 'order.fill', orderId });
const aRound = (waiting: readonly EventDelivery[] = [], progress = beginning(WEBHOOK, 7)) =>
  new DeliveryRound(WEBHOOK, progress, waiting);
const fail = (round: DeliveryRound, ...seqs: readonly number[]) => {
  for (const seq of seqs) round.failed(event(seq), FAILED, AT, 0);
};

describe('A round of deliveries', () => {
  it('begins where the webhook begins, or where the last one ended', () => {
    expect(new DeliveryRound(WEBHOOK, undefined, []).passed).toBe(7);
    expect(aRound([], beginning(WEBHOOK, 40)).passed).toBe(40);
  });

  it('never goes back in the log', () => {
    const round = aRound([], beginning(WEBHOOK, 40));
    round.pass(12);
    expect(round.passed).toBe(40);
  });

  it('ends after three failures in a row, and pauses five seconds', () => {
    const round = aRound();
    fail(round, 8, 9);
    expect(round.isOver(AT)).toBe(false);
    fail(round, 10);
    expect([round.isOver(AT), round.isOver(later(60_000)), round.nextAt]).toEqual([true, true, later(5000)]);
    expect(aRound([], round.changes.progress).isOver(later(4999))).toBe(true);
    expect(aRound([], round.changes.progress).isOver(later(5000))).toBe(false);
  });

  it('goes on where one of them was taken between', () => {
    const round = aRound();
    fail(round, 8, 9);
    round.taken(10, AT);
    fail(round, 11, 12);
    expect(round.isOver(AT)).toBe(false);
  });

  it('holds everything back for as long as a receiver asks', () => {
    const round = aRound();
    round.failed(event(8), { ...FAILED, status: 429, retryAfterMs: 3_600_000 }, AT, 0);
    expect([round.isOver(later(3_599_999)), round.isOver(later(3_600_000))]).toEqual([true, false]);
    expect(round.nextAt).toEqual(later(3_600_000));
  });

  it('counts five days from the first failure since the last success', () => {
    const days = (n: number) => later(n * 86_400_000);
    const round = aRound();
    round.failed(event(8), FAILED, AT, 0);
    round.failed(event(9), FAILED, days(3), 0);
    expect([round.isDead(days(4.9)), round.isDead(days(5))]).toEqual([false, true]);
    round.taken(10, days(4));
    expect([round.isDead(days(5)), round.changes.progress]).toMatchObject([
      false,
      { failingSince: null, heldUntil: null, deliveredAt: days(4) },
    ]);
  });

  it('makes only later events of the same order wait', () => {
    const round = aRound();
    round.failed(event(8, ORDER), FAILED, AT, 0);
    expect(round.behind(event(9, ORDER), AT)).toMatchObject({ seq: 9, orderId: ORDER, tries: 0, nextAt: AT });
    expect(round.behind(event(10, 'other' as OrderId), AT)).toBeNull();
    expect(round.behind(event(11), AT)).toBeNull();
  });

  it('reports once each that an event was passed and given up', () => {
    const told = (tries: number, orderId: OrderId | null) => {
      const round = aRound([aDelivery(WEBHOOK, 8, { tries, orderId })]);
      round.failed(event(8, orderId), FAILED, AT, 0);
      return round.skipped;
    };
    expect([3, 4, 5, 8, 9, 10].map((tries) => told(tries, ORDER).map(({ because }) => because))).toEqual([
      [],
      ['passed'],
      [],
      [],
      ['given_up'],
      [],
    ]);
    expect(told(4, null)).toEqual([]);
    expect(told(9, null)).toEqual([{ from: 8, to: 8, orderId: null, because: 'given_up' }]);
  });

  it('stores what failed, and takes off what was taken after all', () => {
    const waits = aDelivery(WEBHOOK, 8, { tries: 2 });
    const round = aRound([waits]);
    round.taken(8, AT);
    round.failed(event(9), FAILED, AT, 0);
    expect(round.changes).toMatchObject({ put: [{ seq: 9, tries: 1, status: 500, said: 'no' }], remove: [waits] });
    expect([round.waits(8, AT), round.waits(9, AT), round.waits(9, later(5000))]).toEqual([false, true, false]);
  });

  it('keeps an event that was taken and then failed on resend', () => {
    const round = aRound([aDelivery(WEBHOOK, 8)]);
    round.taken(8, AT);
    round.failed(event(8), FAILED, AT, 0);
    expect(round.changes).toMatchObject({ put: [{ seq: 8, tries: 1 }], remove: [] });
  });

  it('reports events gone from the log, and keeps deliveries that wait', () => {
    const round = aRound([aDelivery(WEBHOOK, 9)]);
    round.jump(30, 40);
    round.lose(event(9));
    expect(round.skipped).toEqual([
      { from: 8, to: 30, orderId: null, because: 'gone' },
      { from: 9, to: 9, orderId: null, because: 'gone' },
    ]);
    expect([round.passed, round.changes.put]).toMatchObject([30, [{ seq: 9, nextAt: null }]]);
  });

  it('goes back to the end of a log that became shorter', () => {
    const kept = aDelivery(WEBHOOK, 40);
    const round = aRound([kept, aDelivery(WEBHOOK, 41)], { ...beginning(WEBHOOK, 90), epoch: 3 });
    round.jump(0, 40);
    expect(round.changes).toMatchObject({ progress: { passed: 40, epoch: 4 }, put: [{ seq: 41, nextAt: null }] });
    expect(round.skipped).toEqual([{ from: 41, to: 41, orderId: null, because: 'gone' }]);
    expect(round.due(AT)).toEqual([kept]);
  });

  it('sends a delivery beyond its log position once reached, keeping its tries', () => {
    const waits = aDelivery(WEBHOOK, 20, { nextAt: AT, tries: 3, orderId: ORDER });
    const round = aRound([waits]);
    expect([round.due(AT), round.nextAt, round.waits(20, AT)]).toEqual([[], null, false]);
    round.failed(event(19, ORDER), FAILED, AT, 0);
    expect(round.behind(event(20, ORDER), AT)).toEqual(waits);
    round.taken(19, AT);
    round.pass(20);
    expect([round.due(AT), round.nextAt]).toEqual([[waits], AT]);
  });

  it('looks no further in the log while as much waits as may', () => {
    const most = MOST_READ / 2;
    const waiting = Array.from({ length: most - 1 }, (_, n) => aDelivery(WEBHOOK, 8 + n));
    const round = aRound(waiting, beginning(WEBHOOK, 6 + most));
    expect(round.hasRoom).toBe(true);
    fail(round, 7 + most);
    round.pass(7 + most);
    expect(round.hasRoom).toBe(false);
    expect(aRound(waiting).hasRoom).toBe(true);
  });

  it('runs next when deliveries are due, at once if events remain', () => {
    const waits = aDelivery(WEBHOOK, 8, { nextAt: later(60_000) });
    const round = aRound([waits], beginning(WEBHOOK, 8));
    expect([aRound().nextAt, round.nextAt]).toEqual([null, later(60_000)]);
    round.again(AT);
    expect(round.nextAt).toEqual(AT);
    const held = aRound([waits], { ...beginning(WEBHOOK, 8), heldUntil: later(90_000) });
    expect(held.nextAt).toEqual(later(90_000));
  });
});
