import { describe, expect, it } from 'vitest';
import type { TradingMode } from '../../../../src/core/trading/state.js';
import { ALICE, usdc } from '../../../support/builders.js';
import { HOME, type StageChanges, strategyStage } from '../../../support/strategy-stage.js';

const DAY = 86_400_000;

async function stageOf(how: StageChanges = {}) {
  const stage = await strategyStage(how);
  const { orders, use, codes } = stage;
  return {
    ...stage,
    bets: async () =>
      (await orders())
        .filter(({ intent }) => intent.decisionId !== undefined)
        .map(({ refusal }) => refusal?.code ?? null),
    /** How often the strategy skipped for this reason. */
    skipped: async (reason: string) => (await codes()).filter((code) => code === reason).length,
    set: (state: TradingMode) => {
      const change = { scope: 'account', state, stops: 'all', reason: 'enough', until: null, by: ALICE } as const;
      const may = new Set(['orders:cancel', 'risk:write'] as const);
      return use.trading.set.execute({ account: ALICE, change, cancel: false, may, idempotencyKey: null });
    },
  };
}

/** An account that has placed as many orders within a minute as it may. */
async function exhausted() {
  const stage = await stageOf();
  await stage.use.limits.change.execute({ account: ALICE, change: { ordersPerMinute: 1 }, mayLoosen: true });
  await stage.place({ size: usdc('10') });
  return stage;
}

describe('A bet that was refused', () => {
  it('is asked again once its price has moved outside of the odds and come back', async () => {
    const { game, skipped } = await exhausted();
    await game.show('0.48x1000', '0.50x1000');
    await game.show('0.48x1000', '0.50x1001');
    expect(await skipped('benched')).toBe(1);
    for (const asks of ['0.56x1000', '0.50x1000']) await game.show('0.48x1000', asks);
    expect([await skipped('benched'), await skipped('order_rate_exceeded')]).toEqual([1, 2]);
  });

  it('is not asked again for a gap in the data', async () => {
    const { game, skipped } = await exhausted();
    await game.show('0.48x1000', '0.50x1000');
    await game.tell({ type: 'gap', reason: 'the connection is lost' });
    await game.show('0.48x1000', '0.50x1000');
    expect([await skipped('benched'), await skipped('order_rate_exceeded')]).toEqual([1, 1]);
  });

  it('is a skip, and no other order on record, where it is denied by the same limit at another price', async () => {
    const { game, bets, skipped } = await exhausted();
    for (const asks of ['0.50x1000', '0.49x1000', '0.48x1000']) await game.show('0.46x1000', asks);
    expect(await bets()).toEqual(['order_rate_exceeded']);
    expect(await skipped('order_rate_exceeded')).toBeGreaterThan(1);
  });

  it('is asked again a minute after the account had placed too many orders, though nothing happens in the market', async () => {
    const { game, bets, time } = await exhausted();
    await game.show('0.48x1000', '0.50x1000');
    await time.pass(60_999);
    expect(await bets()).toEqual(['order_rate_exceeded']);
    await time.pass(1);
    expect(await bets()).toEqual([null, 'order_rate_exceeded']);
  });

  it.each(['halted', 'reducing'] as const)(
    'while trading is %s is asked again when that ends, and at no other price',
    async (state) => {
      const { game, bets, runner, set, skipped } = await stageOf();
      await set(state);
      for (const asks of ['0.50x1000', '0.49x1000', '0.56x1000', '0.50x1000']) await game.show('0.48x1000', asks);
      await runner.endHolds();
      expect([await bets(), await skipped('benched')]).toEqual([[`trading_${state}`], 2]);
      await set('active');
      await runner.endHolds(false);
      expect(await bets()).toHaveLength(1);
      await runner.endHolds();
      expect(await bets()).toEqual([null, `trading_${state}`]);
    },
  );

  it('because as many bets are open as may be is asked again once one is closed', async () => {
    const rules = { ...HOME, limits: { eventLoss: null, maxOpen: 1 } };
    const { game, bets, runner, place, strategy, skipped } = await stageOf({ strategy: { rules } });
    const ofStrategy = { strategyId: strategy.id, outcome: 'NO' } as const;
    await place({ ...ofStrategy, size: usdc('5') });
    await game.show('0.48x1000', '0.50x1000');
    await game.show('0.47x1000', '0.49x1000');
    await runner.endHolds();
    expect([await bets(), await skipped('max_open_exceeded')]).toEqual([[], 1]);
    await place({ ...ofStrategy, side: 'SELL', size: usdc('5') });
    await runner.endHolds();
    expect(await bets()).toEqual([null]);
  });

  it('because there were as many bets in the day as may be is asked again the next day', async () => {
    const rules = { ...HOME, limits: { eventLoss: null, maxBetsPerDay: 1, maxBetsPerOutcome: 2, cooldownMs: null } };
    const market = { startsAt: new Date('2026-03-09T14:00:00.000Z') };
    const { game, bets, runner, time, skipped } = await stageOf({ strategy: { rules }, market });
    for (const asks of ['0.50x1000', '0.56x1000', '0.50x1000', '0.49x1000']) await game.show('0.48x1000', asks);
    await time.pass(DAY / 2 - 1);
    await runner.endHolds(false);
    expect([await bets(), await skipped('max_bets_exceeded')]).toEqual([[null], 1]);
    await time.pass(1);
    await runner.endHolds(false);
    expect(await bets()).toEqual([null, null]);
  });
});
