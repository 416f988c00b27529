import { describe, expect, it } from 'vitest';
import { exchangeContract } from '../../../src/testing/index.js';
import { atKalshi, listedAtKalshi, TICKER } from './exchange-fixture.js';

/** Contracts on both sides, so that orders at the contract's prices fill whole, in part, and not at all; and a position to sell. */
async function aVenue() {
  const any = [{ prefix: '', points: 10_000, seconds: 1 }];
  const allowances = { order: any, cancel: any, read: any };
  const { account, exchange, close } = await atKalshi({ allowances });
  account.cash = 1_000_000_000n;
  account.positions.set(TICKER, 500_000n);
  account.liquidity.set(TICKER, {
    bids: [
      ['0.49', '15.00'],
      ['0.48', '30.00'],
    ],
    asks: [
      ['0.50', '15.00'],
      ['0.51', '30.00'],
    ],
  });
  return { exchange, market: listedAtKalshi(), close };
}

describe('Kalshi, as a venue like any other', () => {
  for (const { name, check } of exchangeContract(aVenue)) it(name, () => expect(check()).resolves.toBeUndefined());
});
