import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Order } from '../../src/core/order/order.js';
import { YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { Loopback } from '../adapters/transport/loopback.js';
import { ALICE, type DraftChanges, usdc } from '../support/builders.js';
import * as faults from '../support/fake-venue/faults.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';

const NEVER_ARRIVES_BEFORE_MS = 120_000;
const here = new Loopback();
let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader({ overallMs: 600 });
  // A request that the venue held looks old to it, though it came in time.
  live.venue.state.keys.skewSeconds = 86_400;
});
afterEach(async () => {
  expect(await live.wrong()).toEqual([]);
  await live.close();
  await here.end();
});

/** The money of a placement without proof stays kept back. */
async function unproved(draft: DraftChanges = {}): Promise<Order> {
  const order = await live.place(draft);
  expect(order).toMatchObject({ state: 'unknown', refusal: { code: 'outcome_unknown' } });
  expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: usdc('10') });
  return order;
}

/**
 * LookupHistory until the order is given up, which must take two minutes at least and leave its money kept back until then.
 */
async function givenUp(order: Order): Promise<Order> {
  for (let look = 0; look < 100 && (await live.now(order)).state === 'unknown'; look++) {
    expect(await live.balance()).toMatchObject({ reserved: usdc('10') });
    await live.lookAfter();
  }
  expect(live.time.now - order.placedAt.getTime()).toBeGreaterThanOrEqual(NEVER_ARRIVES_BEFORE_MS);
  expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
  return live.now(order);
}

/** The only copy that was ever sent is found by its identity, and is the only order of the venue. */
async function foundOpen(order: Order): Promise<void> {
  await live.lookAfter(3);
  expect(await live.now(order)).toMatchObject({ state: 'open', venueOrderId: order.venueOrderId, refusal: null });
  expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: usdc('10') });
  expect([live.posts(), [...live.venue.log.accepted.keys()]]).toEqual([1, [order.venueOrderId]]);
}

describe('A placement that is not answered', () => {
  it.each(['FOK', 'FAK'] as const)(
    'row 15: a lost %s order, rejected after two minutes, stays watched',
    async (timeInForce) => {
      const held = live.venue.hold('POST /order');
      const order = await unproved({ timeInForce });
      await held.arrived;
      expect(await givenUp(order)).toMatchObject({ state: 'rejected', refusal: { code: 'never_arrived' } });
      expect(live.posts()).toBe(1);

      live.time.now += 3_600_000;
      live.venue.offer(YES, 'SELL', '0.5', '20');
      held.release();
      await expect.poll(() => live.venue.accepted(order.venueOrderId ?? '')).toBe(true);
      expect(await live.sweep()).toMatchObject({ complete: true, changed: 1, external: [] });
      expect(await live.now(order)).toMatchObject({ state: 'filled', refusal: null });
      expect(await live.balance()).toMatchObject({ cash: usdc('90'), reserved: 0n });
    },
  );

  it('row 15: a possibly resting order is cancelled before it is rejected', async () => {
    live.venue.script('POST /order', faults.forgets());
    const order = await unproved();
    expect(await givenUp(order)).toMatchObject({ state: 'rejected', refusal: { code: 'never_arrived' } });
    expect(live.venue.log.cancels.map(({ hash }) => hash)).toContain(order.venueOrderId);
    expect(live.posts()).toBe(1);
  });

  it('row 15: six orders in a row that never arrived stop nothing', async () => {
    // Closed instead of silent: nothing has to be waited for.
    live.venue.always('POST /order', faults.hangsUp({ acts: false }));
    for (let n = 0; n < 6; n += 1)
      expect(await givenUp(await unproved())).toMatchObject({ refusal: { code: 'never_arrived' } });
    const { halt, trading } = await live.ledger.read({ account: ALICE }, ({ account }) => account);
    expect([halt, trading?.states ?? []]).toEqual([null, []]);
  });

  it('row 16: an order taken silently is found by its identity', async () => {
    live.venue.script('POST /order', faults.actsAndHangs());
    await foundOpen(await unproved());
  });

  it('row 16: three silently filled orders are three fills without another purchase', async () => {
    live.venue.offer(YES, 'SELL', '0.5', '100');
    live.venue.always('POST /order', faults.actsAndHangs());
    const orders = [await live.place({ timeInForce: 'FOK' }), await live.place({ timeInForce: 'FOK' })];
    orders.push(await live.place({ timeInForce: 'FOK' }));
    await live.lookAfter(3);
    for (const order of orders) expect(await live.now(order)).toMatchObject({ state: 'filled' });
    expect(await live.balance()).toMatchObject({ cash: usdc('70'), reserved: 0n });
    expect([live.posts(), live.venue.log.accepted.size]).toEqual([3, 3]);
  });

  it('row 17: an order inserted 45 seconds late remains that one order', async () => {
    const held = live.venue.hold('POST /order');
    const order = await unproved();
    await held.arrived;
    await live.lookAfter(9);
    expect(await live.now(order)).toMatchObject({ state: 'unknown' });
    held.release();
    await expect.poll(() => live.venue.accepted(order.venueOrderId ?? '')).toBe(true);
    await foundOpen(order);
  });

  it('row 17: no order is rejected as lost before two minutes', async () => {
    const held = live.venue.hold('POST /order');
    const order = await unproved({ timeInForce: 'FOK' });
    await live.lookAfter(115, 1_000);
    expect(await live.now(order)).toMatchObject({ state: 'unknown' });
    live.venue.offer(YES, 'SELL', '0.5', '20');
    held.release();
    await expect.poll(() => live.venue.accepted(order.venueOrderId ?? '')).toBe(true);
    await live.lookAfter(3);
    expect(await live.now(order)).toMatchObject({ state: 'filled' });
    expect(live.posts()).toBe(1);
  });
});

describe('A placement whose answer breaks', () => {
  it('row 20: a reset request leaves the order unknown, without resending', async () => {
    live.venue.script('POST /order', faults.resetsAfter(100));
    const order = await unproved({ timeInForce: 'FOK' });
    expect(await givenUp(order)).toMatchObject({ state: 'rejected', refusal: { code: 'never_arrived' } });
    expect([live.posts(), live.venue.log.accepted.size]).toEqual([1, 0]);
  });

  it('row 21: a reset answer leaves the order unknown, then found', async () => {
    live.venue.script('POST /order', faults.resetsInAnswer());
    await foundOpen(await unproved());
  });

  it('row 22: a truncated answer leaves the order unknown, then found', async () => {
    live.venue.script('POST /order', faults.breaksJson());
    await foundOpen(await unproved());
  });

  it.each([200, 403])('row 23: a gateway page (%i) leaves the order unknown, with alarm', async (status) => {
    live.venue.script('POST /order', faults.showsPage(status));
    const order = await unproved();
    expect(live.alarms).toEqual([expect.stringMatching(/page|gateway/)]);
    await foundOpen(order);
  });

  it('row 26: after a refusal without a reason the order is found', async () => {
    live.venue.script('POST /order', faults.refusesSilently({ acts: true }));
    await foundOpen(await unproved());
  });

  it('row 26: a refusal without a reason counts only after two minutes', async () => {
    live.venue.script('POST /order', faults.refusesSilently());
    expect(await givenUp(await unproved({ timeInForce: 'FAK' }))).toMatchObject({
      refusal: { code: 'never_arrived' },
    });
  });

  it('row 39: a dripping answer times out, and the order is found', async () => {
    live.venue.script('POST /order', faults.drips(100));
    const began = performance.now();
    const order = await unproved();
    expect(performance.now() - began).toBeLessThan(10_000);
    await foundOpen(order);
  });
});

describe('A placement that meets a failure of the venue', () => {
  it.each([
    ['could not run the execution', 500],
    ['order timed out', 500],
  ])('row 36: “%s” proves nothing: a matched order is still booked', async (error, status) => {
    live.venue.offer(YES, 'SELL', '0.5', '20');
    live.venue.script('POST /order', faults.answers(status, { error }, {}, { acts: true }));
    const order = await unproved({ timeInForce: 'FOK' });
    await live.lookAfter(3);
    expect(await live.now(order)).toMatchObject({ state: 'filled', venueOrderId: order.venueOrderId });
    expect(await live.balance()).toMatchObject({ cash: usdc('90'), reserved: 0n });
    expect(live.posts()).toBe(1);
  });

  it.each([502, 504])('row 37: gateway status %i proves nothing: the order is found', async (status) => {
    live.venue.script('POST /order', faults.answers(status, 'Bad Gateway', {}, { acts: true }));
    await foundOpen(await unproved());
  });

  it.each([301, 307] as const)('row 42: redirect %i is not followed, and the order is found', async (status) => {
    const elsewhere = await here.script('{"success":true,"orderID":"0x00"}');
    live.venue.script('POST /order', faults.redirects(status, `${elsewhere.url}order`, { acts: true }));
    await foundOpen(await unproved());
    expect(elsewhere.connections).toBe(0);
  });
});
