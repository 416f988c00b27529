import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PolymarketRest } from '../../../../src/adapters/polymarket/market-data/polymarket-rest.js';
import { MarketDataUnavailable } from '../../../../src/core/errors.js';
import { price, shares } from '../../../../src/core/money.js';
import { FakePolymarketRest } from '../../../support/fake-polymarket/rest.js';

type Json = Readonly<Record<string, unknown>>;

const now = new Date('2027-01-10T12:00:00Z');
let venue: FakePolymarketRest;
let rest: PolymarketRest;

beforeEach(async () => {
  venue = await FakePolymarketRest.start();
  rest = new PolymarketRest({ gamma: venue.gamma, clob: venue.clob, clock: { now: () => now } });
});

afterEach(async () => {
  await rest.close();
  await venue.close();
});

describe('a book', () => {
  const TOKEN = '1111';
  const level = (at: string, size: string): Json => ({ price: at, size });
  const book = (bids: readonly Json[], asks: readonly Json[], change: Json = {}): void => {
    venue.books.set(TOKEN, { asset_id: TOKEN, tick_size: '0.01', bids, asks, ...change });
  };

  test('is best level first on both sides, in whatever order it came', async () => {
    book(
      [level('0.48', '1'), level('0.50', '3'), level('0.49', '2')],
      [level('0.53', '6'), level('0.51', '4.5'), level('0.52', '5')],
    );
    const found = await rest.book(TOKEN);
    expect(found?.bids.map((one) => one.price)).toEqual([price('0.50'), price('0.49'), price('0.48')]);
    expect(found?.asks.map((one) => one.price)).toEqual([price('0.51'), price('0.52'), price('0.53')]);
    expect(found?.asks[0]?.shares).toBe(shares('4.5'));
    expect(found?.at).toEqual(now);
  });

  test('has sizes in micro-shares, rounded down, and no empty levels', async () => {
    book([level('0.48', '0.1234569'), level('0.47', '0'), level('0.46', '0.0000009')], []);
    expect((await rest.book(TOKEN))?.bids).toEqual([{ price: price('0.48'), shares: shares('0.123456') }]);
  });

  test.each([
    ['0.485', '5'],
    ['0.4800001', '5'],
    ['0', '5'],
    ['1', '5'],
    ['1.01', '5'],
    ['-0.48', '5'],
    ['4.8e-1', '5'],
    ['', '5'],
    ['0.48', '-5'],
    ['0.48', '1e3'],
    ['0.48', 'NaN'],
    ['0.48', ''],
  ])('with a level of %s × %s is refused as a whole', async (at, size) => {
    book([level('0.47', '10'), level(at, size)], []);
    await expect(rest.book(TOKEN)).rejects.toBeInstanceOf(MarketDataUnavailable);
  });

  test('states when it last changed, or nothing without a readable time', async () => {
    const times: unknown[] = [];
    for (const timestamp of ['1700000000123', undefined, '', 'soon', 5]) {
      book([level('0.48', '1')], [], { timestamp });
      times.push((await rest.book(TOKEN))?.sentAt);
    }
    expect(times).toEqual([1_700_000_000_123, null, null, null, null]);
  });

  test('of another token is refused', async () => {
    book([], [], { asset_id: '2222' });
    await expect(rest.book(TOKEN)).rejects.toBeInstanceOf(MarketDataUnavailable);
  });

  test('that the venue does not have is undefined', async () => {
    expect(await rest.book('2222')).toBeUndefined();
  });
});
