import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { shares, usdc } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { actsAndHangs, forgets, hangsUp } from '../support/fake-venue/faults.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';
import { listeningAt } from './user-stream.js';

let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader({});
});
afterEach(() => live.close());

/** A trader that waits for no answer longer than a moment. */
async function impatient(): Promise<void> {
  await live.close();
  live = await liveTrader({ overallMs: 1500 });
}

/** So many sweeps, half a minute apart. */
async function sweeps(count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    live.time.now += 30_000;
    await live.sweep();
  }
}

describe('A cancellation', () => {
  it.each(['reported at once', 'found by a sweep alone'])(
    'row 56: keeps the fills of a partially filled order, %s',
    async (how) => {
      const order = await live.place();
      const stream = how === 'reported at once' ? await listeningAt(live) : null;
      live.venue.offer(YES, 'SELL', '0.5', '8');
      await stream?.caughtUp();
      await live.cancel(order);
      await stream?.caughtUp();
      await live.sweep();
      expect(await live.now(order)).toMatchObject({ state: 'cancelled', filled: { shares: shares('8') } });
      expect(await live.left(order)).toBe(shares('12'));
      expect(await live.balance()).toMatchObject({ cash: usdc('96'), reserved: 0n });
      expect(await live.positions()).toMatchObject([{ shares: shares('8'), cost: usdc('4') }]);
      expect(await live.wrong()).toEqual([]);
    },
  );

  it.each(['by the stream', 'by a sweep'])(
    'row 57: stays although a later trade, %s, is booked and paid',
    async (how) => {
      const stream = how === 'by the stream' ? await listeningAt(live) : null;
      const order = await live.place();
      expect(await live.cancel(order)).toMatchObject({ state: 'cancelled' });
      live.venue.fillLate(order.venueOrderId ?? '', '8');
      await stream?.caughtUp();
      if (stream === null) await live.sweep();
      expect(await live.now(order)).toMatchObject({ state: 'cancelled', filled: { shares: shares('8') } });
      expect((await live.types(order)).slice(-2)).toEqual(['cancelled', 'fill']);
      expect(await live.balance()).toMatchObject({ cash: usdc('96'), reserved: 0n });
      expect(await live.wrong()).toEqual([]);
    },
  );

  it('row 58: of an order just filled finds the fill without error', async () => {
    const order = await live.place();
    live.venue.offer(YES, 'SELL', '0.5', '20');
    expect(await live.cancel(order)).toMatchObject({ state: 'filled', filled: { shares: shares('20') } });
    expect(live.venue.log.cancels).toMatchObject([{ reason: 'order already matched' }]);
    expect(await live.balance()).toMatchObject({ cash: usdc('90'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });

  it('row 58: of an order already ended frees its money without error', async () => {
    const order = await live.place();
    live.venue.state.lapse(live.credentials);
    await live.cancel(order);
    expect(live.venue.log.cancels).toMatchObject([{ reason: 'already canceled or matched' }]);
    await sweeps(8);
    expect(await live.now(order)).toMatchObject({ state: 'cancelled', filled: { shares: 0n } });
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });

  it('row 59: without an answer stays pending until sweeps agree on it', async () => {
    await impatient();
    const order = await live.place();
    live.venue.script('DELETE /order', actsAndHangs());
    expect(await live.cancel(order)).toMatchObject({ state: 'cancel_pending' });
    await sweeps(1);
    expect(await live.now(order)).toMatchObject({ state: 'cancel_pending' });
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: usdc('10') });
    await sweeps(8);
    expect(await live.now(order)).toMatchObject({ state: 'cancelled' });
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });

  it('row 59: without an answer counts once the stream reports it', async () => {
    await impatient();
    const stream = await listeningAt(live);
    const order = await live.place();
    live.venue.script('DELETE /order', actsAndHangs());
    await live.cancel(order);
    await stream.caughtUp();
    expect(await live.now(order)).toMatchObject({ state: 'cancelled' });
    expect(await live.wrong()).toEqual([]);
  });

  it('row 59: that never arrived is resent while the order rests', async () => {
    await impatient();
    const order = await live.place();
    live.venue.script('DELETE /order', forgets());
    expect(await live.cancel(order)).toMatchObject({ state: 'cancel_pending' });
    live.venue.offer(YES, 'SELL', '0.5', '8');
    await sweeps(1);
    await sweeps(1);
    expect(live.venue.log.cancels).toMatchObject([{ hash: order.venueOrderId, reason: null }]);
    expect(await live.now(order)).toMatchObject({ state: 'cancelled', filled: { shares: shares('8') } });
    expect(await live.balance()).toMatchObject({ cash: usdc('96'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });

  it('row 60: of a possibly arrived order is sent immediately by identity', async () => {
    await impatient();
    live.venue.script('POST /order', actsAndHangs());
    const order = await live.place();
    expect(order).toMatchObject({ state: 'unknown' });
    expect(await live.cancel(order)).toMatchObject({ state: 'cancelled' });
    expect(live.venue.log.cancels).toMatchObject([{ hash: order.venueOrderId, reason: null }]);
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
    await live.lookAfter(5);
    expect(live.posts()).toBe(1);
    expect(await live.wrong()).toEqual([]);
  });

  it('row 60: of a late-arriving order is resent once the order appears', async () => {
    await impatient();
    const held = live.venue.hold('POST /order');
    const order = await live.place();
    await held.arrived;
    expect(await live.cancel(order)).toMatchObject({ state: 'unknown', refusal: { code: 'cancellation_unknown' } });
    expect((await live.types(order)).at(-1)).toBe('cancel_requested');
    expect(live.venue.log.cancels).toMatchObject([{ reason: 'Order not found or already canceled' }]);
    await live.lookAfter(3);
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: usdc('10') });
    held.release();
    await eventually(() => expect(live.venue.accepted(order.venueOrderId ?? '')).toBe(true));
    await live.lookAfter(1);
    expect(await live.now(order)).toMatchObject({ state: 'cancel_pending', venueOrderId: order.venueOrderId });
    await sweeps(1);
    expect(await live.now(order)).toMatchObject({ state: 'cancelled' });
    expect(live.venue.log.cancels.at(-1)).toMatchObject({ reason: null });
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
    expect(live.posts()).toBe(1);
    expect(await live.wrong()).toEqual([]);
  });

  it('row 60: taken by the venue but unreported ends a late order', async () => {
    live.venue.script('POST /order', hangsUp());
    const order = await live.place();
    live.venue.script('DELETE /order', hangsUp());
    expect(await live.cancel(order)).toMatchObject({ state: 'unknown', refusal: { code: 'cancellation_unknown' } });
    await live.lookAfter(8, 30_000);
    expect(live.venue.log.cancels.map(({ reason }) => reason)).toEqual([null, 'already canceled or matched']);
    expect(await live.now(order)).toMatchObject({ state: 'cancelled' });
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });
});
