import { describe, expect, it } from 'vitest';
import { exchangeContract } from '../../../../src/testing/index.js';
import { KNOWN_ADDRESS } from '../signing/known-address.js';
import { aFixture, listed, YES } from './exchange-fixture.js';

/** Shares on both sides, so that orders at the contract's prices fill whole, in part, and not at all. */
async function aVenue() {
  const fixture = await aFixture();
  fixture.venue.fund(KNOWN_ADDRESS, '1000');
  fixture.venue.grant(KNOWN_ADDRESS, YES, '5000');
  for (const [side, levels] of [
    ['BUY', ['0.49', '0.48']],
    ['SELL', ['0.50', '0.51']],
  ] as const) {
    for (const [level, price] of levels.entries()) fixture.venue.offer(YES, side, price, `${15 * (level + 1)}`);
  }
  return { exchange: fixture.exchange, market: listed(), close: () => fixture.close() };
}

describe('Polymarket, as a venue like any other', () => {
  for (const { name, check } of exchangeContract(aVenue)) it(name, () => expect(check()).resolves.toBeUndefined());
});
