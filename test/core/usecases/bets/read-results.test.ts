import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import type { MarketId } from '../../../../src/core/ids.js';
import { YES_WON } from '../../../../src/core/market/lifecycle.js';
import { ALICE, price, usdc, WHERE } from '../../../support/builders.js';
import { Trading } from '../../../support/trading.js';

describe('The results of an account', () => {
  it('count settled bets of each strategy, and measure them', async () => {
    const trading = new Trading(new MemoryLedger());
    const strategy = await trading.strategy();
    await trading.place({ price: price('0.5'), size: usdc('10'), strategyId: strategy.id });
    await trading.place({ price: price('0.5'), size: usdc('4'), outcome: 'NO' });
    await trading.use.markets.settle.execute(WHERE, YES_WON);
    const rows = await trading.use.bets.results.execute(ALICE, 'strategy', true);
    expect(rows.map(({ key, bets, open, measures }) => [key, bets, open, measures.profit_usdc.value])).toEqual([
      [strategy.id, 1n, 0n, '10'],
      [null, 1n, 0n, '-4'],
    ]);
  });

  it('have no profit of sums alone while a bet is open', async () => {
    const trading = new Trading(new MemoryLedger());
    await trading.place({ size: usdc('10') });
    await trading.use.markets.settle.execute(WHERE, YES_WON);
    await trading.place({ marketId: 'another' as MarketId, size: usdc('10') });
    const [row] = await trading.use.bets.results.execute(ALICE, 'phase', true);
    expect(row).toMatchObject({ bets: 1n, open: 1n });
    expect(row?.measures.profit_usdc).toMatchObject({ value: null, reason: 'needs_every_bet' });
    expect(row?.measures.turnover_usdc.value).toBe('10');
    expect(await trading.use.bets.results.execute(ALICE, 'phase', false)).toEqual([]);
  });
});
