import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectKalshi } from '../../../src/adapters/kalshi/execution/connect.js';
import { KalshiUserStream } from '../../../src/adapters/kalshi/execution/kalshi-user-stream.js';
import type { Order } from '../../../src/core/order/order.js';
import type { MassStatus } from '../../../src/ports/venue-adapter.js';
import { price, shares, usdc } from '../../support/builders.js';
import { after, atKalshi } from './exchange-fixture.js';

let at: Awaited<ReturnType<typeof atKalshi>>;
beforeEach(async () => {
  at = await atKalshi();
});
afterEach(() => at.close());

const RESTS = { price: price('0.50'), size: usdc('10') };
const CANCEL = '/portfolio/events/orders/';

/** The order as it is on record once its outcome was not heard. */
const unheard = (order: Order) =>
  after(order, { type: 'unknown', refusal: { code: 'outcome_unknown', message: 'Not known.' } }, at.clock.now());

/** Sends the order once, and hears nothing of it. */
async function lost(order: Order, how: 'answer' | 'request' | 'late'): Promise<Order> {
  at.venue.vanish.push(how);
  const placing = at.place(order, () => at.venue.vanish.length > 0);
  expect(await placing).toMatchObject({ kind: 'unknown' });
  return unheard(order);
}

/** Looks until absence would be believed. */
async function lookedAt(order: Order) {
  at.time.now += 140_000;
  for (let look = 0; look < 5; look++) {
    await at.exchange.find(order);
    at.time.now += 60_000;
  }
  return at.exchange.find(order);
}

/** Faults by the rows of `kalshi.md` 11.6, where no other test has them. */
describe('an order at Kalshi', () => {
  test('row 15, K1: that never arrived is given up when nothing of it can arrive, and its second copy has the same identity', async () => {
    const order = await at.order();
    at.venue.vanish.push('request', 'request');
    expect(await at.place(order)).toMatchObject({ kind: 'accepted' });
    const ids = at.venue.placed.map(({ body }) => JSON.parse(body).client_order_id);
    expect(ids).toEqual([order.venueOrderId, order.venueOrderId, order.venueOrderId]);
    expect(await lookedAt(await lost(await at.order(), 'request'))).toEqual({ kind: 'absent' });
  });

  test('row 16: that the venue took, unheard, is found by its identity', async () => {
    const order = await lost(await at.order(), 'answer');
    expect(await at.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'none' });
    expect(at.account.orders).toHaveLength(1);
  });

  test('row 17: that arrives late is still the one order', async () => {
    const order = await lost(await at.order(), 'late');
    at.time.now += 9000;
    expect(await at.exchange.find(order)).toMatchObject({ kind: 'unknown' });
    expect(at.venue.writes.arrive()).toMatchObject({ status: 201 });
    expect(await at.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'none' });
  });

  test('row 17: that would arrive after the window of its headers is refused by the venue', async () => {
    const order = await lost(await at.order(), 'late');
    at.time.now += 11_000;
    expect(at.venue.writes.arrive()).toMatchObject({ status: 401 });
    expect(await lookedAt(order)).toEqual({ kind: 'absent' });
  });

  test('row 17: is not given up before two minutes of looks that begin once no copy can arrive', async () => {
    const order = await lost(await at.order(), 'request');
    for (let seconds = 0; seconds < 250; seconds += 25) {
      expect(await at.exchange.find(order)).toMatchObject({ kind: 'unknown' });
      at.time.now += 25_000;
    }
    at.time.now += 25_000;
    expect(await at.exchange.find(order)).toEqual({ kind: 'absent' });
  });

  test('row 18: is not sent where there is no connection, and nothing of it is in doubt', async () => {
    const order = await at.order();
    await at.venue.stop();
    expect(await at.place(order)).toMatchObject({ kind: 'rejected', refusal: { code: 'not_sent' } });
    at.close = async () => at.client.close();
  });

  test('row 28: that was killed unheard has no row: its identity is used, and a FOK was not filled', async () => {
    const order = await at.order({ timeInForce: 'FOK', size: usdc('52') });
    at.venue.vanish.push('answer');
    expect(await at.place(order)).toMatchObject({ kind: 'unknown' });
    expect(await lookedAt(unheard(order))).toMatchObject({ kind: 'rejected', refusal: { code: 'fok_not_filled' } });
  });

  test('row 28: that was killed unheard, and is in the lists, ended without a fill', async () => {
    at.account.listsKilled = true;
    const order = await at.order({ timeInForce: 'FOK', size: usdc('52') });
    at.venue.vanish.push('answer');
    expect(await at.place(order)).toMatchObject({ kind: 'accepted', rest: 'cancelled', executions: [] });
  });

  test('rows 32, 33: whose identity a pause has used up is unknown, and is not taken for refused', async () => {
    at.account.isPaused = true;
    at.account.usesUpRefused = true;
    const order = await at.order();
    expect(await at.place(order)).toMatchObject({ kind: 'unknown' });
    expect(await lookedAt(unheard(order))).toMatchObject({ kind: 'unknown' });
    expect(at.account.orders).toEqual([]);
  });

  test('row 38: is not cancelled while the exchange pauses, and is once it goes on', async () => {
    const order = await at.order(RESTS);
    await at.place(order);
    const body = JSON.stringify({ error: { code: 'exchange_is_paused', message: 'paused' } });
    at.venue.faults.push({ path: CANCEL, status: 409, body });
    expect(await at.exchange.cancel(order)).toMatchObject({ kind: 'unknown' });
    expect(await at.exchange.cancel(order)).toEqual({ kind: 'cancelled' });
  });

  test.each([500, 502, 503, 504])(
    'rows 36, 37: is sent again under its identity after a %i, which proves nothing',
    async (status) => {
      const body = JSON.stringify({ error: { code: 'exchange_unavailable', message: 'unavailable' } });
      at.venue.faults.push({ path: '/portfolio/events/orders', status, body });
      expect(await at.place(await at.order())).toMatchObject({ kind: 'accepted', rest: 'none' });
      expect(at.account.orders).toHaveLength(1);
    },
  );

  test('rows 44, 45: that is not shown yet is not refused: reads lag behind', async () => {
    at.account.lagMs = 30_000;
    const order = await lost(await at.order(), 'answer');
    expect(await at.exchange.find(order)).toMatchObject({ kind: 'unknown' });
    at.time.now += 30_000;
    expect(await at.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'none' });
  });

  test('row 49: is held back while the venue does not answer, until it does again', async () => {
    expect(at.exchange.closedForMs()).toBeNull();
    for (let read = 0; read < 6; read++) at.venue.faults.push({ path: '/portfolio/balance', status: 502, body: '' });
    await at.client.balance();
    await at.client.balance();
    expect(at.exchange.closedForMs()).toBe(1000);
    await expect.poll(() => at.exchange.closedForMs()).toBeNull();
  });

  test('row 57: that was cancelled while a fill was not shown yet counts as open until the fill is', async () => {
    const order = await at.order(RESTS);
    await at.place(order);
    at.account.fillsLagMs = 1000;
    at.account.take(order.venueOrderId ?? '', '5.00');
    expect(await at.exchange.cancel(order)).toEqual({ kind: 'cancelled' });
    expect(await at.exchange.find(order)).toMatchObject({ rest: 'open', executions: [] });
    at.time.now += 1000;
    expect(await at.exchange.find(order)).toMatchObject({ rest: 'cancelled', executions: [{ shares: shares('5') }] });
  });

  test('row 59: whose cancellation is not answered is asked about, and the second one finds it cancelled', async () => {
    const order = await at.order(RESTS);
    await at.place(order);
    at.venue.vanish.push('answer');
    expect(await at.exchange.cancel(order)).toMatchObject({ kind: 'unknown' });
    expect(await at.exchange.cancel(order)).toEqual({ kind: 'cancelled' });
  });

  test('row 60: that is unknown is found first, and then cancelled by the name that the venue gave it', async () => {
    const order = await lost(await at.order(RESTS), 'answer');
    expect(order.venueReference).toBeNull();
    expect(await at.exchange.cancel(order)).toEqual({ kind: 'cancelled' });
    expect(at.account.orders).toMatchObject([{ status: 'canceled' }]);
  });
});

/** The account's stream at the stand-in, and what was heard of this order. */
function listening(order: Order, sweepMs = 600_000) {
  const { venue, signer, time, exchange } = at;
  const heard: MassStatus[] = [];
  let gaps = 0;
  const stream = new KalshiUserStream(
    { socket: venue.socket, signer, now: () => time.now, retry: { initialDelay: 1, maxDelay: 5 } },
    {
      listener: { received: (status) => heard.push(status), gap: () => (gaps += 1) },
      find: (one) => exchange.find(one),
      report: () => {},
      sweepMs,
    },
  );
  const reports = () => Promise.all(heard.map((status) => status.reportOf(order)));
  return { heard, reports, gaps: () => gaps, close: () => stream.close() };
}

const subscribed = () => expect.poll(() => [...(at.venue.clients.at(-1)?.subscriptions.values() ?? [])].length).toBe(2);

describe('the stream of the account at Kalshi', () => {
  test('rows 50, 51: tells the same fills as reads do, by the same names, in whichever order they come', async () => {
    const order = await at.order(RESTS);
    await at.place(order);
    const stream = listening(order);
    await subscribed();
    at.account.take(order.venueOrderId ?? '', '5.00');
    at.account.take(order.venueOrderId ?? '', '3.00');
    await expect.poll(() => stream.heard.length).toBe(4);
    const told = (await stream.reports()).flatMap((report) => (report.kind === 'accepted' ? report.executions : []));
    const read = await at.exchange.find(order);
    expect(read).toMatchObject({ executions: [{ shares: shares('5') }, { shares: shares('3') }] });
    const [first, second] = read.kind === 'accepted' ? read.executions : [];
    for (const one of [first, second]) expect(told).toContainEqual(one);
    expect(new Set(told.map(({ tradeId }) => tradeId)).size).toBe(2);
    await stream.close();
  });

  test('row 52: tells a fill before the answer to its order comes', async () => {
    const order = await at.order();
    const stream = listening(order);
    await subscribed();
    const held = at.venue.writes.hold('answer');
    const placing = at.place(order);
    await held.arrived;
    await expect.poll(() => stream.heard.length).toBe(2);
    const [filled] = await stream.reports();
    expect(filled).toMatchObject({
      executions: [{ shares: shares('20') }],
      venueReference: at.account.orders[0]?.orderId,
    });
    held.release();
    expect(await placing).toMatchObject({ executions: filled?.kind === 'accepted' ? filled.executions : [] });
    await stream.close();
  });

  test('rows 53, 55: is followed by a sweep each time that it was made anew, and once its channels are open', async () => {
    const stream = listening(await at.order());
    await subscribed();
    await expect.poll(() => stream.gaps()).toBe(2);
    at.venue.drop();
    await expect.poll(() => stream.gaps()).toBe(4);
    await stream.close();
  });

  test('row 54: is swept behind now and then, since what it loses is not told', async () => {
    const stream = listening(await at.order(), 5);
    await expect.poll(() => stream.gaps()).toBeGreaterThan(4);
    await stream.close();
  });

  test('row 81: is about another order where it names another identity', async () => {
    const [order, other] = [await at.order(RESTS), await at.order(RESTS)];
    await at.place(other);
    const stream = listening(order);
    await subscribed();
    at.account.take(other.venueOrderId ?? '', '5.00');
    await expect.poll(() => stream.heard.length).toBe(2);
    expect(await stream.reports()).toMatchObject([{ kind: 'unknown' }, { kind: 'unknown' }]);
    await stream.close();
  });
});

test('row 82, K22: everything is cancelled one by one, never by the one call that ends later orders too', async () => {
  const orders = [await at.order(RESTS), await at.order(RESTS), await at.order(RESTS)];
  for (const order of orders) await at.place(order);
  at.venue.vanish.push('request');
  const { venue, clock, signer } = at;
  const connection = await connectKalshi({
    api: venue.api,
    socket: venue.socket,
    environment: 'demo',
    signer,
    clock,
    stopwatch: () => at.time.now,
    orderCap: usdc('500'),
    alarm: () => {},
    report: () => {},
  });
  const first = await connection.cancelAll();
  expect([first?.cancelled, first?.kept.size]).toEqual([2, 1]);
  expect((await connection.cancelAll())?.cancelled).toBe(1);
  await connection.close();
  const bare = /\/portfolio\/events\/orders(\?|$)/;
  expect(venue.requests.filter((path) => bare.test(path))).toHaveLength(orders.length);
  expect(at.account.orders.every(({ status }) => status === 'canceled')).toBe(true);
});
