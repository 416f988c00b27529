import { describe, expect, it } from 'vitest';
import type { WireBook, WireMarket } from '../../../src/adapters/http/answers.js';
import {
  oddsOption,
  priceOfOdds,
  sharesOption,
  slippageOption,
  slippedPrice,
  wrongTerms,
} from '../../../src/cli/api/order-terms.js';
import { formatMicro } from '../../../src/core/money.js';
import { price, shares, usdc } from '../../support/builders.js';

const market = (tick: string, bands: object[] | null = null) =>
  ({ lot: '0.01', terms: { tick, bands } }) as unknown as WireMarket;
const book = (changes: object) =>
  ({ fresh: true, bids: [{ price: '0.49', size: '9' }], asks: [{ price: '0.5', size: '9' }], ...changes }) as WireBook;
const at = (side: 'BUY' | 'SELL', odds: string, tick = '0.01') =>
  formatMicro(priceOfOdds(oddsOption(odds), { side, market: market(tick) }));
const slipped = (side: 'BUY' | 'SELL', by: string, changes = {}) =>
  formatMicro(slippedPrice(book(changes), { side, market: market('0.01') }, slippageOption(by)));

describe('A limit as odds', () => {
  it.each([
    ['BUY', '2', '0.5'],
    ['BUY', '1.75', '0.57'],
    ['BUY', '1.754385', '0.57'],
    ['BUY', '1.76', '0.56'],
    ['SELL', '1.75', '0.58'],
    ['SELL', '2', '0.5'],
  ] as const)('to %s at %s is the price %s: never worse odds, on the grid', (side, odds, found) => {
    expect(at(side, odds)).toBe(found);
  });

  it('is the finest price where the market does not say its step', () => {
    expect(formatMicro(priceOfOdds(oddsOption('3'), { side: 'BUY', market: null }))).toBe('0.333333');
    expect(formatMicro(priceOfOdds(oddsOption('3'), { side: 'SELL', market: null }))).toBe('0.333334');
  });

  it('follows the steps of the band that it is in', () => {
    const bands = [{ from: '0.9', step: '0.001' }];
    expect(formatMicro(priceOfOdds(oddsOption('1.05'), { side: 'BUY', market: market('0.01', bands) }))).toBe('0.952');
  });

  it('stays a step from 0 and 1', () => {
    expect(at('BUY', '500')).toBe('0.01');
    expect(at('SELL', '1.000001')).toBe('0.99');
  });
});

describe('A limit at the best offer', () => {
  it('is as much worse as was said, on the grid', () => {
    expect([slipped('BUY', '0'), slipped('BUY', '0.025'), slipped('SELL', '0.025')]).toEqual(['0.5', '0.52', '0.47']);
  });

  it('is refused without a fresh book, or an offer', () => {
    expect(() => slipped('BUY', '0', { fresh: false })).toThrow(
      'The book is out of date, so there is no best price now. Say',
    );
    expect(() => slipped('BUY', '0', { asks: [] })).toThrow('Nobody offers it now.');
    expect(() => slipped('SELL', '0', { bids: [] })).toThrow('Nobody bids for it now.');
  });
});

describe('The terms of an order', () => {
  it('have one price and one size', () => {
    const [size, limit] = [{ usdc: usdc('14') }, { price: price('0.6') }];
    expect(wrongTerms('BUY', { ...size, ...limit })).toBeNull();
    expect(wrongTerms('SELL', { all: true, maxSlippage: 0n })).toBeNull();
    expect(wrongTerms('BUY', size)).toBe(
      'error: say the price by --price, --odds, or --max-slippage beyond the best offer',
    );
    expect(wrongTerms('BUY', { ...size, ...limit, odds: 2_000_000n })).toMatch(/^error: say the price once: /);
    expect(wrongTerms('BUY', limit)).toBe('error: say the size by --usdc or --shares');
    expect(wrongTerms('SELL', { ...limit, ...size, shares: shares('1') })).toBe(
      'error: say the size once: by --usdc, --shares or --all',
    );
  });

  it.each([
    [oddsOption, '1', /decimal odds above 1/],
    [oddsOption, 'evens', /decimal odds above 1/],
    [slippageOption, '1', /from 0 to below 1/],
    [sharesOption, '0', /shares above 0/],
  ] as const)('refuse what is none', (read, text, words) => {
    expect(() => read(text)).toThrow(words);
  });
});
