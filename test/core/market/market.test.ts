import { describe, expect, it } from 'vitest';
import { isOnGrid, type MarketTerms } from '../../../src/core/market/market.js';
import { price } from '../../support/builders.js';
import { anOpenMarket } from '../matching/view.js';

const { terms } = anOpenMarket();
const cents = { ...(terms as MarketTerms), tick: price('0.01') };
const banded: MarketTerms = {
  ...cents,
  bands: [
    { from: price('0.001'), step: price('0.001') },
    { from: price('0.1'), step: price('0.01') },
    { from: price('0.9'), step: price('0.001') },
  ],
};

describe('A price that an order may have', () => {
  it.each(['0.01', '0.5', '0.99'])('is %s where steps are cents', (at) => {
    expect(isOnGrid(cents, price(at))).toBe(true);
  });

  it.each(['0.005', '0.555', '0.995'])('is not %s where steps are cents', (at) => {
    expect(isOnGrid(cents, price(at))).toBe(false);
  });

  it.each(['0.001', '0.099', '0.1', '0.11', '0.9', '0.901', '0.999'])('is %s where the ends have finer steps', (at) => {
    expect(isOnGrid(banded, price(at))).toBe(true);
  });

  it.each(['0.0005', '0.105', '0.111', '0.9005'])('is not %s where the ends have finer steps', (at) => {
    expect(isOnGrid(banded, price(at))).toBe(false);
  });
});
