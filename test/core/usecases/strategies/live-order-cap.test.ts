import { expect, test } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { betBoundsOf, betBoundsScope } from '../../../../src/core/usecases/strategies/judgement.js';
import { aMarket, anOrderContext, aStrategy, usdc } from '../../../support/builders.js';

test('a real-money bet is sized within the server order cap, unlike paper', async () => {
  const setting = anOrderContext({ liveOrderCap: usdc('25') });
  const at = new Date('2026-03-01T12:00:00.000Z');
  const left = async (paper: boolean, liveOrderCap = setting.liveOrderCap) => {
    const bet = { strategy: aStrategy(), market: aMarket(), buys: 'YES', paper } as const;
    const terms = { ...setting, liveOrderCap };
    const ledger = new MemoryLedger();
    return ledger.read(betBoundsScope(bet, at, terms), (now) => betBoundsOf(now, bet, at, terms).limitsLeft);
  };
  expect(await left(false)).toEqual([{ name: 'live_order_cap', left: usdc('25'), isSize: true }]);
  expect([await left(true), await left(false, null)]).toEqual([[], []]);
});
