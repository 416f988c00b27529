import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Order } from '../../../src/core/order/order.js';
import { price, shares, usdc } from '../../support/builders.js';
import { atKalshi, TICKER } from './exchange-fixture.js';

let at: Awaited<ReturnType<typeof atKalshi>>;
beforeEach(async () => {
  at = await atKalshi();
});
afterEach(() => at.close());

const RESTS = { price: price('0.50'), size: usdc('10') };
/** What is sent of an order. */
const bodyOf = ({ intent }: Order) => JSON.parse(JSON.parse(intent.envelope?.content ?? '{}').body);

/** Hazards of the venue (`kalshi.md` 10), by their numbers, where no other test has them. */
describe('at Kalshi', () => {
  test('K3: no two orders have the same identity, however alike they are', async () => {
    const [one, other] = [await at.order(), await at.order()];
    expect(one.venueOrderId).not.toBe(other.venueOrderId);
    expect(bodyOf(one).client_order_id).toBe(one.venueOrderId);
  });

  test('K4: an order whose cancellation finds nothing is looked at: it was executed', async () => {
    const order = await at.order(RESTS);
    await at.place(order);
    at.account.take(order.venueOrderId ?? '', '20.00');
    expect(await at.exchange.cancel(order)).toMatchObject({ kind: 'refused' });
    expect(await at.exchange.find(order)).toMatchObject({ rest: 'none', executions: [{ shares: shares('20') }] });
  });

  test('K5: an order is open while its fills are shown later than it', async () => {
    at.account.fillsLagMs = 1000;
    const order = await at.order();
    expect(await at.place(order)).toMatchObject({ kind: 'accepted', rest: 'open', executions: [] });
    expect(await at.exchange.find(order)).toMatchObject({ rest: 'open', executions: [] });
    at.time.now += 1000;
    expect(await at.exchange.find(order)).toMatchObject({ rest: 'none', executions: [{ shares: shares('20') }] });
  });

  test('K6: a sale that fills at once cannot open the other outcome', async () => {
    const sale = { side: 'SELL', size: usdc('4.70'), price: price('0.47') } as const;
    expect(bodyOf(await at.order({ ...sale, timeInForce: 'FAK' }))).toMatchObject({ reduce_only: true });
    await at.place(await at.order({ ...sale, timeInForce: 'FAK' }));
    expect(at.account.positions.get(TICKER) ?? 0n).toBe(0n);
  });

  test.each([
    ['BUY', 'YES', 'bid', '0.5200'],
    ['BUY', 'NO', 'ask', '0.4800'],
    ['SELL', 'YES', 'ask', '0.5200'],
    ['SELL', 'NO', 'bid', '0.4800'],
  ] as const)('K7: %s %s is sent as a %s, at the price of the first outcome', async (side, outcome, sent, at52) => {
    const order = await at.order({ side, outcome, price: price('0.52'), size: usdc('5.20') });
    expect(bodyOf(order)).toMatchObject({ side: sent, price: at52, count: '10.00' });
  });

  test('K16: a cancellation names the market, so that it goes to its shard', async () => {
    const order = await at.order(RESTS);
    await at.place(order);
    await at.exchange.cancel(order);
    expect(at.venue.requests.at(-1)).toContain(`?market_ticker=${TICKER}`);
  });

  test('K20, K21: what the venue ends by itself reads as cancelled, and needs no cancelling', async () => {
    const order = await at.order(RESTS);
    await at.place(order);
    at.account.settle(TICKER, '1.0000');
    expect(await at.exchange.find(order)).toMatchObject({ rest: 'cancelled' });
    expect(await at.exchange.cancel(order)).toEqual({ kind: 'cancelled' });
  });

  test('K24: an order that left the live list is found among the past ones, with its fills', async () => {
    const order = await at.order();
    await at.place(order);
    at.account.archivedUntil = at.time.now;
    at.time.now += 15 * 24 * 60 * 60 * 1000;
    expect(await at.exchange.find(order)).toMatchObject({ rest: 'none', executions: [{ shares: shares('20') }] });
  });
});
