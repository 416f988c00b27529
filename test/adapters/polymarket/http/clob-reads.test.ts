import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ClobTrading } from '../../../../src/adapters/polymarket/http/clob-trading.js';
import type { TradingClient } from '../../../../src/adapters/polymarket/http/trading-client.js';
import { geoblocked, serverTime, serverVersion } from '../../../../src/adapters/polymarket/http/venue-status.js';
import { usdc } from '../../../../src/core/money.js';
import { Loopback, type Reply, type Script } from '../../transport/loopback.js';
import { aClob, anOrder, HASH, lastAsked, NOW, refused, TOKEN } from './clob-fixture.js';

const here = new Loopback();
let venue: Script;
let http: TradingClient;
let clob: ClobTrading;

beforeEach(async () => {
  ({ venue, http, clob } = await aClob(here));
});
afterEach(() => here.end());

const asked = () => lastAsked(venue);
const aTrade = (id: string, changes: object = {}) => ({
  id,
  taker_order_id: HASH,
  market: '0xc0',
  asset_id: TOKEN,
  size: '10',
  price: '0.5',
  status: 'MINED',
  match_time: '1703875200',
  bucket_index: 0,
  maker_orders: [],
  ...changes,
});
const page = (data: readonly unknown[], next_cursor?: string): string => JSON.stringify({ data, next_cursor });

describe('lists are read to their end', () => {
  test('page by page, each row once, the later reading of two', async () => {
    const first = [aTrade('t1'), aTrade('t2')];
    venue.answers(page(first, 'Mg=='), page([aTrade('t2', { status: 'CONFIRMED' }), aTrade('t3')], 'LTE='));
    const trades = await clob.trades({ after: NOW, market: '0xc0', asset: TOKEN });
    expect(trades).toMatchObject({ kind: 'ok', complete: true, unreadable: [] });
    const items = trades.kind === 'ok' ? trades.items : [];
    expect(items.map(({ tradeId, status }) => [tradeId, status])).toEqual([
      ['t1', 'provisional'],
      ['t2', 'confirmed'],
      ['t3', 'provisional'],
    ]);
    const after = `${NOW.getTime() / 1000}`;
    expect(venue.requests.map(({ query }) => query)).toEqual([
      { market: '0xc0', asset_id: TOKEN, after, next_cursor: 'MA==' },
      { market: '0xc0', asset_id: TOKEN, after, next_cursor: 'Mg==' },
    ]);
  });

  test('one match that settles in several transactions loses none of them', async () => {
    venue.answers(page([aTrade('t1', { bucket_index: 0 }), aTrade('t1', { bucket_index: 1 })], 'LTE='));
    const trades = await clob.trades();
    expect(trades.kind === 'ok' && trades.items.map(({ bucket }) => bucket)).toEqual(['0', '1']);
  });

  test.each<[string, Reply[], number]>([
    ['a cursor that comes back', [page([anOrder()], 'Mg=='), page([anOrder()], 'MA==')], 2],
    ['a cursor that stays', [page([anOrder()], 'MA==')], 1],
    ['no cursor', [page([anOrder()])], 1],
    ['an empty cursor', [page([anOrder()], '')], 1],
  ])('row 43: %s ends it, and it is not called complete', async (_name, replies, requests) => {
    venue.answers(...replies);
    expect(await clob.openOrders()).toMatchObject({ kind: 'ok', items: [{ venueOrderId: HASH }], complete: false });
    expect(venue.requests).toHaveLength(requests);
  });

  test('an unreadable row drops no other but makes the list incomplete', async () => {
    venue.answers(page([anOrder({ price: 'much' }), anOrder()], 'LTE='));
    expect(await clob.openOrders()).toMatchObject({
      items: [{ venueOrderId: HASH }],
      unreadable: [expect.anything()],
      complete: false,
    });
  });

  test('a page that does not come leaves nothing to go by', async () => {
    venue.answers(page([anOrder()], 'Mg=='), refused(401));
    expect(await clob.openOrders()).toMatchObject({ kind: 'no_answer', status: 401 });
  });
});

describe('the account', () => {
  test('balances are exact: whole numbers are millionths, texts with a point decimals', async () => {
    venue.answers(
      '{"balance":"1000000001","allowances":{"0xE111":"115792089237316195423570985008687907853269984665640564039457584007913129639935"}}',
    );
    expect(await clob.balance({ asset: 'collateral' })).toEqual({
      kind: 'ok',
      value: { balance: usdc('1000.000001'), allowances: new Map([['0xe111', 2n ** 256n - 1n]]) },
    });
    expect(asked().query).toEqual({ asset_type: 'COLLATERAL', signature_type: '2' });
    venue.answers('{"balance":250.5,"allowance":7}');
    expect(await clob.balance({ asset: 'token', tokenId: TOKEN })).toMatchObject({
      value: { balance: usdc('250.5'), allowances: new Map([['*', 7n]]) },
    });
    expect(asked().query).toEqual({ asset_type: 'CONDITIONAL', token_id: TOKEN, signature_type: '2' });
  });

  test('a balance is refreshed by an answer without a body', async () => {
    venue.answers('');
    expect(await clob.refreshBalance({ asset: 'collateral' })).toEqual({ kind: 'ok', value: true });
    expect(asked().path).toBe('/balance-allowance/update');
    venue.answers(refused(400));
    expect(await clob.refreshBalance({ asset: 'collateral' })).toMatchObject({
      kind: 'no_answer',
      said: 'no such thing',
    });
  });

  test('may be closed for purchases', async () => {
    venue.answers('{"closed_only":true}');
    expect(await clob.closedOnly()).toEqual({ kind: 'ok', value: true });
  });
});

test('the venue returns its time, its order version and whom it serves', async () => {
  venue.answers('1780449126');
  expect(await serverTime(http)).toEqual({ kind: 'ok', value: 1_780_449_126 });
  venue.answers('{"version":2}');
  expect(await serverVersion(http)).toEqual({ kind: 'ok', value: 2 });
  venue.answers('{"blocked":true,"ip":"192.0.2.1","country":"DE","region":"BE"}');
  expect(await geoblocked(new URL('/api/geoblock', venue.url))).toEqual({
    kind: 'ok',
    value: { blocked: true, country: 'DE', region: 'BE' },
  });
  expect(asked().path).toBe('/api/geoblock');
});
