import {
  AccountApi,
  Configuration,
  type CreateOrderV2Request,
  EventsApi,
  ExchangeApi,
  MarketApi,
  OrdersApi,
  PortfolioApi,
} from 'kalshi-typescript';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anRsaKey } from '../../support/fake-kalshi/keys.js';
import { FakeKalshi } from '../../support/fake-kalshi/venue.js';

const TICKER = 'KXNFLGAME-27JAN16OTTBAD-BAD';
const KEY = anRsaKey();

let venue: FakeKalshi;
let official: Configuration;
beforeEach(async () => {
  venue = await FakeKalshi.start();
  venue.key = KEY;
  venue.account.liquidity.set(TICKER, { bids: [['0.4700', '30.00']], asks: [['0.5200', '30.00']] });
  venue.books.set(TICKER, { yes: [['0.4700', '30.00']], no: [['0.4800', '30.00']] });
  official = new Configuration({
    apiKey: KEY.id,
    privateKeyPem: KEY.pem,
    basePath: `${venue.api.origin}/trade-api/v2`,
  });
});
afterEach(() => venue.stop());

const BID: CreateOrderV2Request = {
  ticker: TICKER,
  client_order_id: '0b0e6b0a-6f0e-4b51-9d4e-5a1f7a6ad0c1',
  side: 'bid',
  count: '10.00',
  price: '0.5200',
  time_in_force: 'good_till_canceled',
  self_trade_prevention_type: 'taker_at_cross',
};

test('the official client trades at the stand-in, and reads what it did', async () => {
  const [orders, portfolio] = [new OrdersApi(official), new PortfolioApi(official)];
  const { data: before } = await portfolio.getBalance();
  const { data: taken } = await orders.createOrderV2(BID);
  expect(taken).toMatchObject({ client_order_id: BID.client_order_id, fill_count: '10.00', remaining_count: '0.00' });
  const { data: found } = await orders.getOrder(taken.order_id);
  expect(found.order).toMatchObject({ order_id: taken.order_id, status: 'executed', fill_count_fp: '10.00' });
  const { data: filled } = await portfolio.getFills(undefined, taken.order_id);
  expect(filled.fills).toMatchObject([{ order_id: taken.order_id, count_fp: '10.00', yes_price_dollars: '0.5200' }]);
  const { data: held } = await portfolio.getPositions();
  expect(held.market_positions).toMatchObject([{ ticker: TICKER, position_fp: '10.00' }]);
  const { data: after } = await portfolio.getBalance();
  expect(Number(after.balance)).toBeLessThan(Number(before.balance) - 519);
});

test('the official client rests and cancels an order, and a second copy of it is refused', async () => {
  const orders = new OrdersApi(official);
  const { data: resting } = await orders.createOrderV2({ ...BID, price: '0.3000' });
  expect(resting).toMatchObject({ fill_count: '0.00', remaining_count: '10.00' });
  await expect(orders.createOrderV2({ ...BID, price: '0.3000' })).rejects.toMatchObject({ response: { status: 409 } });
  const { data: listed } = await orders.getOrders(TICKER, undefined, undefined, undefined, 'resting');
  expect(listed.orders.map(({ client_order_id }) => client_order_id)).toEqual([BID.client_order_id]);
  const cancelled = await orders.cancelOrderV2(resting.order_id, undefined, undefined, TICKER);
  expect(cancelled.data).toMatchObject({ order_id: resting.order_id, reduced_by: '10.00' });
  const again = orders.cancelOrderV2(resting.order_id, undefined, undefined, TICKER);
  await expect(again).rejects.toMatchObject({ response: { status: 404 } });
});

test('the official client reads markets, events, series, books and the status of the exchange', async () => {
  const [markets, events] = [new MarketApi(official), new EventsApi(official)];
  expect((await markets.getMarket(TICKER)).data.market.ticker).toBe(TICKER);
  expect((await markets.getMarketOrderbook(TICKER)).data).toMatchObject({
    orderbook_fp: { yes_dollars: [['0.4700', '30.00']], no_dollars: [['0.4800', '30.00']] },
  });
  const { data } = await events.getEvents(200, undefined, true, true, undefined, 'KXNFLGAME');
  expect(data.events.flatMap((event) => event.markets?.map(({ ticker }) => ticker) ?? [])).toContain(TICKER);
  expect((await markets.getSeries('KXNFLGAME')).data.series.ticker).toBe('KXNFLGAME');
  expect((await new ExchangeApi(official).getExchangeStatus()).data).toMatchObject({ trading_active: true });
  expect((await new AccountApi(official).getAccountApiLimits()).data).toMatchObject({ usage_tier: 'basic' });
});

test('the stand-in refuses the official client with another key', async () => {
  venue.key = { ...KEY, id: 'another' };
  await expect(new PortfolioApi(official).getBalance()).rejects.toMatchObject({ response: { status: 401 } });
});
