import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OrderSender } from '../../../../src/adapters/polymarket/execution/order-sender.js';
import type { PlaceOutcome } from '../../../../src/adapters/polymarket/http/place-outcomes.js';
import { VenueClock } from '../../../../src/adapters/venue/venue-clock.js';
import type { Fault } from '../../../support/fake-venue/faults.js';
import { actsAndHangs, hangsUp, misnames, passes, refuses, throttles } from '../../../support/fake-venue/faults.js';
import { REFUSALS } from '../../../support/fake-venue/refusals.js';
import { NOON } from '../../../support/fake-venue/trading-day.js';
import { error, HASH, outcome } from '../http/place-answers.js';
import { aFixture } from './exchange-fixture.js';

let fixture: Awaited<ReturnType<typeof aFixture>>;
beforeEach(async () => {
  fixture = await aFixture({ overallMs: 1500 });
});
afterEach(() => fixture.close());

const restarts = () => refuses(REFUSALS.restarting());
const bodies = () => fixture.venue.log.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);

describe('an order that the venue did not process', () => {
  test('is resent in the same bytes until accepted, as one order', async () => {
    fixture.venue.script('POST /order', restarts(), restarts(), restarts(), passes());
    const order = await fixture.order();
    expect(await fixture.sends(order)).toMatchObject({ kind: 'accepted', rest: 'open' });
    expect(new Set(bodies())).toHaveProperty('size', 1);
    expect(fixture.posts()).toBe(4);
    expect(fixture.waits).toHaveLength(3);
    for (const wait of fixture.waits) expect(wait).toBeGreaterThanOrEqual(1000);
    expect(fixture.venue.log.posts(order.venueOrderId ?? '')).toMatchObject({ accepted: 1, duplicate: 0 });
  });

  test('waits for as long as the venue asks', async () => {
    fixture.venue.script('POST /order', throttles('0'), refuses(REFUSALS.postOnlyMode()), passes());
    expect(await fixture.sends(await fixture.order())).toMatchObject({ refusal: { code: 'post_only_mode' } });
    expect([fixture.waits, fixture.posts()]).toEqual([[0], 2]);
  });

  test.each<[string, Fault, string]>([
    ['a restart of the engine', restarts(), 'engine_restarting'],
    ['a stop of trading', refuses(REFUSALS.disabled()), 'trading_disabled'],
    ['a time for cancellations only', refuses(REFUSALS.cancelOnly()), 'cancel_only'],
    ['a time for post-only orders', refuses(REFUSALS.postOnlyMode()), 'post_only_mode'],
    ['too many requests', throttles('3600'), 'throttled'],
    ['too many requests until a date far away', throttles('Fri, 31 Dec 2100 00:00:00 GMT'), 'throttled'],
  ])('is rejected by its send-by moment in %s', async (_name, fault, code) => {
    fixture.venue.always('POST /order', fault);
    const order = await fixture.order();
    expect(await fixture.sends(order)).toMatchObject({ kind: 'rejected', refusal: { code } });
    expect(fixture.time.now).toBeLessThanOrEqual(NOON + 15_000);
    expect(fixture.venue.accepted(order.venueOrderId ?? '')).toBe(false);
    expect(fixture.halts).toEqual([]);
  });

  test('does not follow for a sender that lost it in between', async () => {
    fixture.venue.script('POST /order', restarts(), passes());
    let isMine = true;
    fixture.onWait = async () => {
      isMine = false;
    };
    const placed = await fixture.exchange.place(
      await fixture.order(),
      () => isMine,
      async () => true,
    );
    expect(placed).toMatchObject({ kind: 'rejected', refusal: { code: 'engine_restarting' } });
    expect(fixture.posts()).toBe(1);
  });

  test('does not follow once the server is shutting down', async () => {
    fixture.venue.script('POST /order', restarts(), passes());
    fixture.onWait = async () => fixture.ending.abort();
    expect(await fixture.sends(await fixture.order())).toMatchObject({ refusal: { code: 'engine_restarting' } });
    expect(await fixture.sends(await fixture.order())).toMatchObject({
      refusal: { code: 'not_sent', message: expect.stringMatching(/^The server is shutting down/) },
    });
    expect(fixture.posts()).toBe(1);
  });

  test.each<[string, Fault, string]>([
    ['is unknown', hangsUp({ acts: false }), 'unknown'],
    ['is unknown, late', actsAndHangs(), 'unknown'],
    ['names another order', misnames(`0x${'ab'.repeat(32)}`), 'unknown'],
    ['is a refusal', refuses(REFUSALS.notReady()), 'rejected'],
  ])('and whose second copy %s is not sent a third time', async (_name, fault, kind) => {
    fixture.venue.script('POST /order', restarts(), fault, passes());
    expect(await fixture.sends(await fixture.order())).toMatchObject({ kind });
    expect(fixture.posts()).toBe(2);
  });
});

/** The requests sent when the venue gives these answers in turn, with a minute or more to send. */
async function sent(answers: readonly PlaceOutcome[], sendWithinMs = 200_000) {
  const waits: number[] = [];
  const left = [...answers];
  let now = NOON;
  const clock = { now: () => new Date(now) };
  const sending = new OrderSender({
    clob: { placeOrder: async () => left.shift() ?? outcome({}) },
    clock,
    venueClock: new VenueClock({ clock, readSeconds: async () => NOON / 1000, reportSkew() {} }),
    wait: async (ms) => {
      waits.push(ms);
      now += ms;
    },
  });
  const sendBy = new Date(NOON + sendWithinMs);
  const placed = await sending.send({
    body: '',
    hash: HASH as `0x${string}`,
    sendBy,
    mayStillSend: () => true,
    isWanted: async () => true,
  });
  return { placed, waits, copies: answers.length - left.length };
}

const asks = (seconds: string) =>
  outcome({
    ...error(429, 'Too Many Requests'),
    headers: { 'content-type': 'application/json', 'retry-after': seconds },
  });
const accepted = outcome({ body: { success: true, orderID: HASH, status: 'live' } });

describe('the wait', () => {
  test('is what the venue requests, and a minute at most', async () => {
    const { placed, waits } = await sent([asks('7'), asks('1000000000'), accepted]);
    expect([placed.kind, waits]).toEqual(['accepted', [7000, 60_000]]);
  });

  test('grows from one second to thirty when the venue gives none', async () => {
    const { waits } = await sent([...Array(12).fill(asks('-1')), accepted], 600_000);
    expect(waits).toHaveLength(12);
    for (const wait of waits) expect([wait >= 1000, wait <= 30_000]).toEqual([true, true]);
    expect(Math.max(...waits)).toBeGreaterThan(5000);
  });

  test('that would end too late is not begun', async () => {
    const { placed, waits, copies } = await sent([asks('5'), asks('6'), accepted], 10_999);
    expect([placed, waits, copies]).toMatchObject([{ kind: 'not_processed', code: 'throttled' }, [5000], 2]);
    expect(await sent([asks('5'), asks('6'), accepted], 11_000)).toMatchObject({ copies: 3 });
  });

  test('ends at an unknown answer, and the order keeps its money', async () => {
    const unheard: PlaceOutcome = outcome({ status: 502 });
    expect(await sent([asks('1'), unheard, accepted])).toMatchObject({ placed: { kind: 'unknown' }, copies: 2 });
  });

  test('when a copy is not sent, ends with the previous answer', async () => {
    const { placed } = await sent([asks('1'), { kind: 'not_sent', reason: 'unreachable', waitMs: null }]);
    expect(placed).toMatchObject({ kind: 'not_processed', code: 'throttled' });
  });
});
