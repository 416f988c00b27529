import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Order } from '../../src/core/order/order.js';
import { YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { type DraftChanges, shares, usdc } from '../support/builders.js';
import * as faults from '../support/fake-venue/faults.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';

const LOOK_UPS = ['GET /data/order/', 'GET /data/orders', 'GET /data/trades'];
const FLOOD = 64 * 1024 * 1024;
/** One megabyte, and what connections hold on their way. */
const MOST_READ = 16 * 1024 * 1024;
let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader();
});
afterEach(async () => {
  expect(await live.wrong()).toEqual([]);
  await live.close();
});

/** The venue has the order, and we do not know it. */
async function unheard(draft: DraftChanges = {}): Promise<Order> {
  live.venue.script('POST /order', faults.hangsUp());
  const order = await live.place(draft);
  expect(order).toMatchObject({ state: 'unknown' });
  return order;
}

/** The reads of the venue meet this fault for so many checks and a sweep, none of which concludes anything. */
async function concludesNothing(order: Order, endpoints: readonly string[], fault: faults.Fault): Promise<void> {
  const before = [await live.now(order), await live.balance()];
  const ends = endpoints.map((endpoint) => live.venue.always(endpoint, fault));
  await live.lookAfter(2, 60_000);
  expect(await live.sweep()).toMatchObject({ changed: 0, external: [], contradictions: [] });
  expect([await live.now(order), await live.balance()]).toEqual(before);
  for (const end of ends) end();
}

describe('An answer that is too large', () => {
  it('row 40: is cut off early and proves nothing about the order', async () => {
    const order = await unheard();
    const written: number[] = [];
    const flood: faults.Fault = async (call) => {
      await faults.floods(FLOOD)(call);
      written.push(call.request.socket.bytesWritten);
    };
    await concludesNothing(order, LOOK_UPS, flood);
    await expect.poll(() => written.length).toBeGreaterThanOrEqual(LOOK_UPS.length);
    for (const bytes of written) expect(bytes).toBeLessThan(MOST_READ);
    await live.lookAfter(3);
    expect(await live.now(order)).toMatchObject({ state: 'open' });
  });

  it('row 41: when decompressed is rejected and proves nothing about the order', async () => {
    const order = await unheard();
    await concludesNothing(order, LOOK_UPS, faults.bombs(FLOOD));
    await live.lookAfter(3);
    expect(await live.now(order)).toMatchObject({ state: 'open' });
  });
});

describe('Pages of trades', () => {
  it.each([
    ['name themselves as the next for ever', faults.loops()],
    ['name another as the next for ever', faults.loops('MQ==')],
    ['lack the mark of the last one', faults.edits((body: object) => ({ ...body, next_cursor: '' }))],
  ])('row 43: that %s come to an end, and prove no absence', async (_name, fault) => {
    live.venue.script('POST /order', faults.hangsUp({ acts: false }));
    const order = await live.place({ timeInForce: 'FOK' });
    const end = live.venue.always('GET /data/trades', fault);
    await live.lookAfter(10, 60_000);
    expect(await live.now(order)).toMatchObject({ state: 'unknown' });
    expect(await live.sweep()).toMatchObject({ complete: false });
    end();
    await live.lookAfter(6, 60_000);
    expect(await live.now(order)).toMatchObject({ state: 'rejected', refusal: { code: 'never_arrived' } });
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
  });

  it('row 43: are read to the end, counting a repeated trade once', async () => {
    for (const size of ['6', '6', '8']) live.venue.offer(YES, 'SELL', '0.5', size);
    Object.assign(live.venue.habits, { tradePer: 'maker' });
    const order = await unheard({ timeInForce: 'FAK' });
    Object.assign(live.venue.reads, { pageSize: 1 });
    const whole = faults.edits((body: { data: unknown[] }) => ({ ...body, data: [...body.data, ...body.data] }));
    const end = live.venue.always('GET /data/trades', whole);
    await live.lookAfter(3);
    expect(await live.now(order)).toMatchObject({ state: 'filled', filled: { shares: shares('20') } });
    expect((await live.now(order)).fills).toHaveLength(3);
    expect(await live.balance()).toMatchObject({ cash: usdc('90'), reserved: 0n });
    end();
  });
});

describe('A look at one order', () => {
  it.each(['null', '404'] as const)(
    'row 44: that shows none (%s) is not a rejection: trades decide',
    async (missing) => {
      Object.assign(live.venue.reads, { missing });
      live.venue.offer(YES, 'SELL', '0.5', '20');
      const order = await unheard({ timeInForce: 'FOK' });
      await live.lookAfter(3);
      expect(await live.now(order)).toMatchObject({ state: 'filled', refusal: null });
      expect(await live.balance()).toMatchObject({ cash: usdc('90'), reserved: 0n });
      expect(live.posts()).toBe(1);
    },
  );

  it('row 45: that is of an earlier moment takes nothing back', async () => {
    const order = await live.place();
    const earlier = live.venue.snapshot(order.venueOrderId ?? '');
    live.venue.offer(YES, 'SELL', '0.5', '8');
    await live.sweep();
    const half = await live.now(order);
    expect(half).toMatchObject({ state: 'open', filled: { shares: shares('8') } });
    const stale = [
      live.venue.always('GET /data/order/', faults.answers(200, earlier)),
      live.venue.always('GET /data/orders', faults.answers(200, { data: [earlier], next_cursor: 'LTE=' })),
    ];
    const none = faults.answers(200, { data: [], next_cursor: 'LTE=' });
    const noTrades = live.venue.always('GET /data/trades', none);
    expect(await live.sweep()).toMatchObject({ changed: 0, contradictions: [] });
    expect(await live.now(order)).toEqual(half);
    noTrades();

    live.venue.offer(YES, 'SELL', '0.5', '12');
    await live.sweep();
    const whole = await live.now(order);
    expect(whole).toMatchObject({ state: 'filled', filled: { shares: shares('20') } });
    live.time.now += 60_000;
    await live.sweep();
    expect(await live.now(order)).toEqual(whole);
    for (const end of stale) end();
  });
});

describe('An unknown word of the venue', () => {
  const frobbed = faults.restates(() => 'FROBBED');

  it("row 46: in an order's answer leaves it open, with an alarm", async () => {
    live.venue.script('POST /order', frobbed);
    expect(await live.place()).toMatchObject({ state: 'open' });
    expect(live.alarms).toEqual([expect.stringContaining('frobbed')]);
  });

  it.each(['open', 'unknown'])('row 46: for an %s order keeps it working, with an alarm', async (state) => {
    const order = state === 'open' ? await live.place() : await unheard();
    const ends = LOOK_UPS.map((endpoint) => live.venue.always(endpoint, frobbed));
    await live.lookAfter(2);
    expect(await live.sweep()).toMatchObject({ contradictions: [], failures: [] });
    expect(await live.now(order)).toMatchObject({ state: 'open', filled: { shares: 0n } });
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: usdc('10') });
    expect(live.alarms).toContainEqual(expect.stringContaining('FROBBED'));
    for (const end of ends) end();
  });

  it('row 46: for a trade keeps its fill provisional, with an alarm', async () => {
    live.venue.offer(YES, 'SELL', '0.5', '20');
    const end = live.venue.always('GET /data/trades', frobbed);
    const order = await live.place({ timeInForce: 'FAK' });
    expect(order).toMatchObject({ state: 'filled', fills: [{ settlement: 'provisional' }] });
    expect(live.alarms).not.toEqual([]);
    end();
    live.venue.settleAll('CONFIRMED');
    await live.sweep();
    expect((await live.now(order)).fills).toMatchObject([{ settlement: 'confirmed' }]);
  });
});

describe('Numbers of the venue', () => {
  it.each([
    ['as JSON numbers', faults.renumbers('numbers')],
    ['with more digits than make sense', faults.renumbers('digits')],
    ['all as texts', faults.stringifies()],
    ['with exponents', faults.renumbers('exponents')],
  ])('row 48: %s are read exactly', async (_name, fault) => {
    live.venue.offer(YES, 'SELL', '0.48', '7.31');
    live.venue.offer(YES, 'SELL', '0.5', '12.69');
    const order = await unheard({ timeInForce: 'FAK' });
    const ends = LOOK_UPS.map((endpoint) => live.venue.always(endpoint, fault));
    await live.lookAfter(3);
    expect(await live.now(order)).toMatchObject({
      state: 'filled',
      filled: { shares: shares('20'), notional: usdc('9.8538') },
    });
    expect(await live.balance()).toMatchObject({ cash: usdc('90.1462'), reserved: 0n });
    for (const end of ends) end();
  });

  it.each(['7.31000001', '1e-7', 'many', '-7.31'])(
    'row 48: of %s shares are refused with an alarm, not rounded',
    async (size) => {
      live.venue.offer(YES, 'SELL', '0.48', '7.31');
      const order = await unheard({ timeInForce: 'FAK' });
      const rewritten = faults.edits((page: { data: object[] }) => ({
        ...page,
        data: page.data.map((trade) => ({ ...trade, size })),
      }));
      const end = live.venue.always('GET /data/trades', rewritten);
      await live.lookAfter(8, 60_000);
      expect(await live.now(order)).toMatchObject({ state: 'delayed', filled: { shares: 0n } });
      expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: usdc('10') });
      expect(live.alarms).toContainEqual(expect.stringContaining('unreadable_part'));
      end();
      await live.lookAfter(3);
      expect(await live.now(order)).toMatchObject({ filled: { shares: shares('7.31'), notional: usdc('3.5088') } });
    },
  );
});
