import { describe, expect, it } from 'vitest';
import { exchangeContract } from '../../../../src/testing/index.js';
import { KNOWN_ADDRESS } from '../signing/known-address.js';
import { aStage, listed, YES } from './exchange-stage.js';

/** Shares on both sides, so that orders at the contract's prices fill whole, in part, and not at all. */
async function aVenue() {
  const stage = await aStage();
  stage.venue.fund(KNOWN_ADDRESS, '1000');
  stage.venue.grant(KNOWN_ADDRESS, YES, '5000');
  for (const [side, levels] of [
    ['BUY', ['0.49', '0.48']],
    ['SELL', ['0.50', '0.51']],
  ] as const) {
    for (const [level, price] of levels.entries()) stage.venue.offer(YES, side, price, `${15 * (level + 1)}`);
  }
  return { exchange: stage.exchange, market: listed(), close: () => stage.close() };
}

describe('Polymarket, as a venue like any other', () => {
  for (const { name, check } of exchangeContract(aVenue)) it(name, () => expect(check()).resolves.toBeUndefined());
});
