import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  fillsOf,
  type OwnOrder,
  type TradeAlarm,
} from '../../../../src/adapters/polymarket/execution/trade-evidence.js';
import { type VenueTrade, venueTrade } from '../../../../src/adapters/polymarket/http/trade-wire.js';
import { price, shares, usdc } from '../../../../src/core/money.js';

const OURS = `0x${'a1'.repeat(32)}`;
const ALSO_OURS = `0x${'b2'.repeat(32)}`;
const THEIRS = `0x${'c3'.repeat(32)}`;
const own: OwnOrder = { shares: shares('100'), fee: ({ liquidity }) => usdc(liquidity === 'TAKER' ? '0.1' : '0') };

const maker = (order_id: string, matched_amount: string, at = '0.4', asset_id = '7') => ({
  order_id,
  matched_amount,
  price: at,
  asset_id,
  owner: 'someone',
  fee_rate_bps: '0',
});
const row = (changes: object = {}): unknown => ({
  id: 't1',
  taker_order_id: OURS,
  market: '0xc0',
  asset_id: '5',
  side: 'BUY',
  size: '25.0000',
  price: '0.6',
  status: 'MATCHED',
  match_time: '1703875200',
  bucket_index: '0',
  maker_orders: [maker(THEIRS, '25')],
  ...changes,
});

function read(changes: object = {}, ...orders: readonly string[]) {
  const alarms: TradeAlarm[] = [];
  const trade: VenueTrade = v.parse(venueTrade, row(changes));
  const known = new Set(orders.length === 0 ? [OURS] : orders);
  const fills = fillsOf(
    trade,
    (id) => (known.has(id) ? own : undefined),
    (alarm) => alarms.push(alarm),
  );
  return { fills, alarms };
}

test('a taker order has the size and the price of the trade', () => {
  expect(read().fills).toEqual([
    {
      tradeId: 't1',
      venueOrderId: OURS,
      tokenId: '5',
      shares: shares('25'),
      price: price('0.6'),
      fee: usdc('0.1'),
      liquidity: 'TAKER',
      status: 'provisional',
      at: new Date('2023-12-29T18:40:00Z'),
    },
  ]);
});

test('a maker order has its own part, price and token', () => {
  const makers = [maker(THEIRS, '10'), maker(OURS.toUpperCase().replace('0X', '0x'), '15.5', '0.41', '6')];
  const { fills } = read({ taker_order_id: THEIRS, trader_side: 'MAKER', maker_orders: makers });
  expect(fills).toMatchObject([
    { venueOrderId: OURS, shares: shares('15.5'), price: price('0.41'), tokenId: '6', fee: 0n, liquidity: 'MAKER' },
  ]);
});

test('one trade may hold several of our orders, each filled separately', () => {
  const makers = [maker(ALSO_OURS, '10'), maker(THEIRS, '15')];
  const { fills } = read({ maker_orders: makers }, OURS, ALSO_OURS);
  expect(fills.map(({ venueOrderId, shares: size, liquidity }) => [venueOrderId, size, liquidity])).toEqual([
    [OURS, shares('25'), 'TAKER'],
    [ALSO_OURS, shares('10'), 'MAKER'],
  ]);
});

test('parts of one order are one fill unless their prices differ', () => {
  const twice = (second: string) => [maker(OURS, '10'), maker(OURS, '5', second)];
  expect(read({ taker_order_id: THEIRS, maker_orders: twice('0.4') }).fills).toMatchObject([{ shares: shares('15') }]);
  expect(read({ taker_order_id: THEIRS, maker_orders: twice('0.3') }).alarms).toMatchObject([{ kind: 'two_prices' }]);
});

test('an alarm reports makers who received other than the taker paid', () => {
  const taking = (...makers: readonly object[]) => read({ maker_orders: makers }).alarms.map(({ kind }) => kind);
  expect(taking(maker(THEIRS, '10', '0.4', '7'), maker(THEIRS, '15', '0.6', '5'))).toEqual([]);
  expect(taking(maker(THEIRS, '10', '0.41', '7'), maker(THEIRS, '15', '0.6', '5'))).toEqual(['makers_disagree']);
  expect(taking(maker(THEIRS, '10', '0.41', '7'))).toEqual([]);
});

test('a trade of other accounts is not ours', () => {
  expect(read({}, ALSO_OURS)).toEqual({ fills: [], alarms: [] });
});

describe('a status', () => {
  test.each([
    ['MATCHED', 'provisional'],
    ['MATCHED_NOT_BROADCASTED', 'provisional'],
    ['MINED', 'provisional'],
    ['RETRYING', 'provisional'],
    ['CONFIRMED', 'confirmed'],
    ['FAILED', 'failed'],
  ])('%s, with or without its prefix, is %s', (status, expected) => {
    for (const word of [status, `TRADE_STATUS_${status}`, status.toLowerCase()]) {
      const { fills, alarms } = read({ status: word });
      expect(fills).toMatchObject([{ status: expected }]);
      expect(alarms).toEqual([]);
    }
  });

  test('row 46: that is undocumented is provisional, and an alarm', () => {
    const { fills, alarms } = read({ status: 'TRADE_STATUS_FROBBED' });
    expect(fills).toMatchObject([{ status: 'provisional' }]);
    expect(alarms).toEqual([{ kind: 'unknown_status', tradeId: 't1', status: 'FROBBED' }]);
  });
});

describe('what cannot be read is never rounded', () => {
  test.each(['25.0000001', '1e-7', '', '-5', 'many', '0'])('a size of %s', (size) => {
    const { fills, alarms } = read({ size });
    expect(fills).toEqual([]);
    expect(alarms).toEqual([{ kind: 'unreadable_part', tradeId: 't1', venueOrderId: OURS }]);
  });

  test.each(['0', '1', '0.4300000000000001', '-0.5', ''])('a price of %s', (at) => {
    expect(v.is(venueTrade, row({ price: at }))).toBe(false);
  });
});

test('sizes in millionths are recognised by the size of the order', () => {
  expect(read({ size: '25000000' }).fills).toMatchObject([{ shares: shares('25') }]);
});

test('moments come in seconds, milliseconds or ISO, under two names', () => {
  const at = new Date('2023-12-29T18:40:00Z');
  for (const match_time of ['1703875200', '1703875200000', '2023-12-29T18:40:00Z']) {
    expect(read({ match_time }).fills[0]?.at).toEqual(at);
  }
  expect(read({ match_time: undefined, matchtime: '1703875200' }).fills[0]?.at).toEqual(at);
  expect(read({ match_time: 'soon' }).fills[0]?.at).toBeNull();
});
