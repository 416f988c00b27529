import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { KNOWN_ADDRESS } from '../adapters/polymarket/signing/known-address.js';
import { ALICE, price, shares, usdc } from '../support/builders.js';
import { answers, hangsUp, misnames } from '../support/fake-venue/faults.js';
import { aMarket } from '../support/fake-venue/markets.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';
import { eventOf, listeningAt } from './user-stream.js';

const OTHER = `0x${'ab'.repeat(20)}` as const;
const SALE = { side: 'SELL', size: usdc('12'), price: price('0.6') } as const;
const NO_TRADES = answers(200, { data: [], next_cursor: 'LTE=' });

let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader({});
});
afterEach(() => live.close());

const halt = async () => (await live.operator.show(ALICE)).halt;
const settlements = async (order: Parameters<LiveTrader['now']>[0]) =>
  (await live.now(order)).fills.map(({ settlement }) => settlement);

/** The reconciler of a server that was started with another wallet, or with one of another type. */
function reconcilerOf(wallet: Parameters<LiveTrader['restarted']>[0]) {
  const exchange = live.restarted(wallet);
  return { exchange, reconcile: live.reconcilerAt(exchange) };
}

async function bought() {
  live.venue.offer(YES, 'SELL', '0.5', '20');
  const buy = await live.place({ timeInForce: 'FAK' });
  expect(buy.state).toBe('filled');
  return buy;
}

describe('A trade', () => {
  it('counts once, though stream and REST number its part differently', async () => {
    live.venue.user.keep();
    const stream = await listeningAt(live);
    const order = await live.place();
    live.venue.offer(YES, 'SELL', '0.5', '5');
    live.venue.user.letGo((told) => told.map((one) => Object.assign(one, { bucket_index: 1 })));
    await stream.caughtUp();
    await live.sweep();
    expect((await live.now(order)).filled.shares).toBe(shares('5'));
    expect(await live.wrong()).toEqual([]);
  });

  it('that failed and its replacement are both booked in one sweep', async () => {
    const order = await live.place();
    live.venue.offer(YES, 'SELL', '0.5', '20');
    await live.sweep();
    live.venue.settleAll('FAILED');
    live.venue.fillLate(order.venueOrderId ?? '', '20');
    expect(await live.sweep()).toMatchObject({ contradictions: [] });
    expect(await settlements(order)).toEqual(['voided', 'provisional']);
    expect(await live.wrong()).toEqual([]);
  });

  it('that failed is undone although its shares are on sale', async () => {
    const buy = await bought();
    live.venue.grant(KNOWN_ADDRESS, YES, '20');
    expect(await live.place(SALE)).toMatchObject({ state: 'open' });
    live.venue.settleAll('FAILED');
    expect(await live.sweep()).toMatchObject({ contradictions: [] });
    expect(await settlements(buy)).toEqual(['voided']);
    expect(await live.balance()).toMatchObject({ cash: usdc('100') });
    expect(await live.positions()).toMatchObject([{ shares: 0n, reserved: shares('20') }]);
    expect(await live.place(SALE)).toMatchObject({ state: 'denied', refusal: { code: 'insufficient_position' } });
    expect(await live.wrong()).toEqual([]);
  });

  it('of a cancelled sale is booked although its shares are offered again', async () => {
    await bought();
    live.venue.settleAll('CONFIRMED');
    await live.sweep();
    const first = await live.place(SALE);
    await live.cancel(first);
    await live.place({ ...SALE, size: usdc('12.2'), price: price('0.61') });
    live.venue.fillLate(first.venueOrderId ?? '', '5');
    expect(await live.sweep()).toMatchObject({ contradictions: [] });
    expect(await live.now(first)).toMatchObject({ state: 'cancelled', filled: { shares: shares('5') } });
    expect(await live.balance()).toMatchObject({ cash: usdc('93') });
    expect(await live.positions()).toMatchObject([{ shares: shares('15'), reserved: shares('20') }]);
    expect(await live.wrong()).toEqual([]);
  });

  it('that fails after a confirmed sale of its shares halts the account', async () => {
    const buy = await bought();
    live.venue.grant(KNOWN_ADDRESS, YES, '20');
    live.venue.offer(YES, 'BUY', '0.6', '20');
    await live.place({ ...SALE, timeInForce: 'FAK' });
    const [purchase = '', sale = ''] = live.venue.trades;
    live.venue.settle(sale, 'CONFIRMED');
    live.venue.settle(purchase, 'FAILED');
    expect((await live.sweep()).contradictions).toMatchObject([{ orderId: buy.id }]);
    expect(await halt()).toMatchObject({ code: 'contradiction', message: expect.stringContaining(buy.id.slice(-8)) });
    await expect(live.place()).rejects.toMatchObject({ message: expect.stringContaining('halted') });
    live.time.now += 3_600_000;
    expect((await live.sweep(new Date(live.time.now))).contradictions).toMatchObject([{ orderId: buy.id }]);
    await live.operator.release(ALICE);
    await live.sweep(new Date(live.time.now));
    expect(await halt()).toBeNull();
  });
});

describe('An order', () => {
  it('of another wallet is not judged by its absence', async () => {
    const resting = await live.place();
    live.venue.script('POST /order', hangsUp());
    const lost = await live.place({ price: price('0.4') });
    const { exchange, reconcile } = reconcilerOf({ address: OTHER });
    expect([exchange.isOwn(resting), live.exchange.isOwn(resting)]).toEqual([false, true]);
    live.venue.always('GET /data/orders', NO_TRADES);
    live.venue.always('GET /data/order/', answers(200, null));
    for (let sweep = 0; sweep < 9; sweep++) {
      await reconcile.execute(live.began);
      live.time.now += 30_000;
    }
    expect([(await live.now(resting)).state, (await live.now(lost)).state]).toEqual(['open', 'unknown']);
    expect(live.venue.log.cancels).toEqual([]);
    expect(await live.balance()).toMatchObject({ reserved: usdc('20') });
  });

  it('of a deposit wallet seen only by stream is not given up', async () => {
    const { exchange, reconcile } = reconcilerOf({ signatureType: 3, funder: KNOWN_ADDRESS });
    const order = await live.place();
    live.venue.always('GET /data/orders', NO_TRADES);
    live.venue.always('GET /data/order/', answers(200, null));
    const names = { event_type: 'order', type: 'PLACEMENT', owner: live.credentials.apiKey };
    const event = eventOf({ ...live.venue.snapshot(order.venueOrderId ?? ''), ...names }, live.credentials);
    await reconcile.take(exchange.massStatusOf(event));
    for (let sweep = 0; sweep < 8; sweep++) {
      live.time.now += 30_000;
      await reconcile.execute(live.began);
    }
    expect((await live.now(order)).state).toBe('open');
    expect(live.venue.log.cancels).toEqual([]);
  });

  it('given up after its delay still counts when found matched later', async () => {
    live.venue.list(aMarket('game', { delaySeconds: 3 }));
    live.venue.startGame();
    live.venue.offer(YES, 'SELL', '0.5', '20');
    const order = await live.place({ timeInForce: 'FAK' });
    expect(order.state).toBe('delayed');
    const shown = [
      live.venue.always('GET /data/order/', answers(200, null)),
      live.venue.always('GET /data/trades', NO_TRADES),
    ];
    live.venue.release(order.venueOrderId ?? '');
    await live.lookAfter(30);
    expect(await live.now(order)).toMatchObject({ state: 'rejected', refusal: { code: 'dropped_after_delay' } });
    for (const show of shown) show();
    expect((await live.sweep()).contradictions).toMatchObject([{ orderId: order.id }]);
    expect(await live.now(order)).toMatchObject({ state: 'filled', filled: { shares: shares('20') } });
    expect(await live.balance()).toMatchObject({ cash: usdc('90'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });

  it('accepted under another identity stays unknown although nothing is found', async () => {
    live.venue.script('POST /order', misnames(`0x${'77'.repeat(32)}`));
    live.venue.always('GET /data/order/', answers(200, null));
    live.venue.always('DELETE /order', async (call) => {
      const { orderID } = JSON.parse(`${await call.body()}`);
      await answers(200, { canceled: [], not_canceled: { [orderID]: 'Order not found or already canceled' } })(call);
    });
    const order = await live.place();
    expect(order).toMatchObject({ state: 'unknown', refusal: { code: 'identity_mismatch' } });
    expect(live.alarms).toEqual([expect.stringContaining('It named 0x7777')]);
    await live.lookAfter(40);
    expect(await live.now(order)).toMatchObject({ state: 'unknown' });
    expect(await live.balance()).toMatchObject({ reserved: usdc('10') });
    expect(await halt()).toMatchObject({ code: 'identity_mismatch' });
  });

  it('waiting for a resend is not sent once its account is halted', async () => {
    live.venue.script('POST /order', async (call) => {
      await call.body();
      await live.operator.halt(ALICE, 'Stop everything.');
      call.send({ status: 425, headers: { 'content-type': 'application/json' }, body: '{"error":"restarting"}' });
    });
    expect(await live.place()).toMatchObject({ state: 'rejected', refusal: { code: 'engine_restarting' } });
    expect(live.posts()).toBe(1);
  });
});
