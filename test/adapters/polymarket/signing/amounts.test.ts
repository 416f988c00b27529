import { describe, expect, test } from 'vitest';
import { limitAmounts, marketAmounts, type OrderAmounts } from '../../../../src/adapters/polymarket/signing/amounts.js';
import { OrderInexpressible } from '../../../../src/adapters/polymarket/signing/order-inexpressible.js';
import { ONE, price, shares, usdc } from '../../../../src/core/money.js';
import { type AmountVector, type OrderVector, vectors } from './vectors.js';

interface Row extends AmountVector {
  readonly maker: string;
  readonly taker: string;
  /** More than four decimals on the side that the venue lets have four. */
  readonly refusedByVenue?: true;
}

const ROWS = vectors<Row>('amounts').map((row, line) => ({ line: line + 1, ...row }));
const SAYABLE = ROWS.filter(({ refusedByVenue }) => refusedByVenue === undefined);
const REFUSED = ROWS.filter(({ refusedByVenue }) => refusedByVenue);
/** One cent at a fine tick: a ten-thousandth of a share is more of it than the tick is of the price. */
const ONE_CENT = [209, 244];
const ORDERS = vectors<OrderVector>('orders');
const FOUR_DECIMALS = 100n;

function amountsOf({ kind, side, price: limit, size, tick }: AmountVector): OrderAmounts {
  if (kind === 'limit') return limitAmounts(side, price(limit), shares(size), price(tick));
  return side === 'BUY'
    ? marketAmounts(side, price(limit), usdc(size), price(tick))
    : marketAmounts(side, price(limit), shares(size), price(tick));
}

const buying = (limit: string, dollars: string, tick: string) =>
  marketAmounts('BUY', price(limit), usdc(dollars), price(tick));
const selling = (limit: string, count: string, tick: string) =>
  marketAmounts('SELL', price(limit), shares(count), price(tick));

describe('the amounts of an order', () => {
  test.each(SAYABLE)('match the exact rule in row $line: $kind $side $size at $price', (row) => {
    expect(amountsOf(row)).toEqual({ makerAmount: BigInt(row.maker), takerAmount: BigInt(row.taker) });
  });

  test.each(REFUSED.filter(({ side, line }) => side === 'BUY' && !ONE_CENT.includes(line)))(
    'request at most four share decimals in row $line: $size at $price',
    (row) => {
      const exact = BigInt(row.taker);
      const takerAmount = exact - (exact % FOUR_DECIMALS);
      expect(takerAmount).not.toBe(exact);
      expect(amountsOf(row)).toEqual({ makerAmount: BigInt(row.maker), takerAmount });
    },
  );

  test.each(REFUSED.filter(({ side, line }) => side === 'BUY' && ONE_CENT.includes(line)))(
    'are refused if rounding moves the price, row $line: $size at $price',
    (row) => {
      expect(() => amountsOf(row)).toThrow(/the price would move to the next tick. Spend more/);
    },
  );

  test.each(REFUSED.filter(({ side }) => side === 'SELL'))(
    'are refused for overly precise proceeds, in row $line: $size at $price',
    (row) => {
      expect(() => amountsOf(row)).toThrow(/at most 4 decimals.*Sell whole shares/);
    },
  );

  test('are those of the signed orders, but where the venue refuses those', () => {
    const differing = ORDERS.filter((row) => {
      const refused = row.kind === 'market' && BigInt(row.order.takerAmount) % FOUR_DECIMALS !== 0n;
      if (refused) return false;
      const { makerAmount, takerAmount } = amountsOf(row);
      return `${makerAmount} ${takerAmount}` !== `${row.order.makerAmount} ${row.order.takerAmount}`;
    });
    expect(differing).toEqual([]);
  });

  test('leave out what is less than a hundredth of a share', () => {
    expect(limitAmounts('BUY', price('0.57'), shares('17.549999'), price('0.01'))).toEqual({
      makerAmount: 9_997_800n,
      takerAmount: 17_540_000n,
    });
  });

  test('never let a purchase reach the next price', () => {
    expect(buying('0.9999', '1', '0.0001')).toEqual({ makerAmount: 1_000_000n, takerAmount: 1_000_100n });
    expect(() => buying('0.9998', '0.01', '0.0001')).toThrow(/the price would move to the next tick. Spend more/);
  });

  test('can use whole shares when decimals are too many', () => {
    expect(() => selling('0.373', '7.77', '0.001')).toThrow(OrderInexpressible);
    expect(selling('0.373', '7', '0.001')).toEqual({ makerAmount: 7_000_000n, takerAmount: 2_611_000n });
  });
});

describe('an order that the venue has no way to say', () => {
  test.each<[string, () => OrderAmounts, RegExp]>([
    ['a tick that it does not have', () => buying('0.5', '1', '0.02'), /no tick of 0.02; read the market again/],
    [
      'a price between two steps',
      () => buying('0.555', '1', '0.01'),
      /0.555 is not on the grid: use a multiple of 0.01/,
    ],
    ['a price below the first step', () => selling('0.001', '5', '0.01'), /from 0.01 to 0.99/],
    ['a price above the last step', () => selling('0.9999', '5', '0.0025'), /from 0.0025 to 0.9975/],
    ['a price of nothing', () => limitAmounts('BUY', 0n as never, shares('5'), price('0.01')), /0 is not on the grid/],
    ['a price of a whole dollar', () => limitAmounts('SELL', ONE as never, shares('5'), price('0.01')), /1 is not on/],
    ['less than a cent', () => buying('0.5', '0.009999', '0.01'), /0.009999 dollars is too little/],
    ['less than a hundredth of a share', () => selling('0.5', '0.009', '0.01'), /0.009 shares is too little/],
    ['no shares', () => limitAmounts('SELL', price('0.5'), shares('0'), price('0.01')), /0 shares is too little/],
    ['shares below zero', () => limitAmounts('BUY', price('0.5'), -5_000_000n as never, price('0.01')), /too little/],
  ])('is %s', (_, amounts, reason) => {
    expect(amounts).toThrow(OrderInexpressible);
    expect(amounts).toThrow(reason);
  });
});
