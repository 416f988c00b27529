import { describe, expect, it } from 'vitest';
import type { Probability, SignalName } from '../../../../src/core/signal/signal.js';
import { ALICE, usdc } from '../../../support/builders.js';
import { HOME, START, strategyFixture } from '../../../support/strategy-fixture.js';

describe('A strategy that trades by itself', () => {
  it('evaluates a market when a time window opens, without a market change', async () => {
    const rules = { ...HOME, filter: { minOdds: 1_500_000n }, window: { fromMs: -3_600_000 } };
    const { orders, time, refresh } = await strategyFixture({ strategy: { rules } });
    await time.pass(Date.parse(START) - 3_600_000 - time.now().getTime() - 1);
    await refresh();
    expect(await orders()).toEqual([]);
    await time.pass(1);
    expect(await orders()).toHaveLength(1);
  });

  it('bets again the moment its cooldown ends, without a market change', async () => {
    const rules = { ...HOME, limits: { eventLoss: null, maxBetsPerOutcome: 3, cooldownMs: 60_000 } };
    const { game, orders, time } = await strategyFixture({ strategy: { rules } });
    for (const asks of ['0.50x1000', '0.56x1000', '0.50x1000']) await game.show('0.48x1000', asks);
    await time.pass(59_999);
    expect(await orders()).toHaveLength(1);
    await time.pass(1);
    expect(await orders()).toHaveLength(2);
  });

  it('opens no slot again when the start of the game moves', async () => {
    const rules = { ...HOME, window: { fromMs: -7_200_000 } };
    const { game, orders, time, refresh } = await strategyFixture({ strategy: { rules } });
    await game.show('0.48x1000', '0.50x1000');
    expect(await orders()).toHaveLength(1);
    const startsAt = new Date(Date.parse(START) + 86_400_000);
    await game.tell({ type: 'market', market: { ...game.market, startsAt } });
    await game.show('0.48x1000', '0.56x1000');
    await game.show('0.48x1000', '0.50x1000');
    await time.pass(86_400_000);
    await refresh();
    await game.show('0.47x1000', '0.49x1000');
    expect(await orders()).toHaveLength(1);
  });

  it('does not treat a data gap as a false condition', async () => {
    const rules = { ...HOME, limits: { eventLoss: null, maxBetsPerOutcome: 3, cooldownMs: null } };
    const { game, orders } = await strategyFixture({ strategy: { rules } });
    await game.show('0.48x1000', '0.50x1000');
    await game.tell({ type: 'gap', reason: 'the connection is lost' });
    await game.show('0.48x1000', '0.50x1000');
    expect(await orders()).toHaveLength(1);
    await game.show('0.48x1000', '0.56x1000');
    await game.show('0.48x1000', '0.50x1000');
    expect(await orders()).toHaveLength(2);
  });

  it('does not take a restart for a condition that was false', async () => {
    const rules = { ...HOME, limits: { eventLoss: null, maxBetsPerOutcome: 3, cooldownMs: null } };
    const { game, orders, serve, ...before } = await strategyFixture({ strategy: { rules } });
    await game.show('0.48x1000', '0.50x1000');
    before.runner.stop();
    before.after.stop();
    const { runner, refresh } = serve();
    await refresh();
    await game.show('0.48x1000', '0.50x1000');
    expect([runner.size.markets, (await orders()).length]).toEqual([1, 1]);
    await game.show('0.48x1000', '0.56x1000');
    await game.show('0.48x1000', '0.50x1000');
    expect(await orders()).toHaveLength(2);
  });

  it('never bets on a state seen by another version of its rules', async () => {
    const { game, orders, change, refresh } = await strategyFixture();
    await change({ rules: { ...HOME, filter: { minOdds: 1_900_000n, side: 'LAY' } } });
    await game.show('0.48x1000', '0.50x1000');
    expect(await orders()).toEqual([]);
    await refresh();
    expect((await orders()).map(({ intent }) => [intent.outcome, intent.strategy?.version])).toEqual([['NO', 2]]);
  });

  it('asks a refused bet again once the probability changes', async () => {
    const rules = { ...HOME, signal: { name: 'elo', required: true } };
    const { game, ledger, strategy, time, use, place } = await strategyFixture({ strategy: { rules } });
    await use.limits.change.execute({ account: ALICE, change: { ordersPerMinute: 1 }, mayLoosen: true });
    await place({ size: usdc('10') });
    const says = (first: bigint) => {
      const { venue, market: one } = game;
      const of = (label: string, probability: bigint) => ({ label, probability: probability as Probability });
      const outcomes = { first: of('Bucks', first), second: of('Thunder', 1_000_000n - first) };
      const [at, expiresAt] = [time.now(), new Date(time.now().getTime() + 3_600_000)];
      const key = { account: ALICE, name: 'elo' as SignalName, venue, marketId: one.id };
      return ledger.signals.put([{ ...key, ...outcomes, expiresAt, source: null, updatedAt: at }]);
    };
    await says(600_000n);
    const times = async (code: string) =>
      (await use.strategies.decisions.many(ALICE, strategy.id, { code }, { limit: 10 })).items.length;
    for (const asks of ['0.50x1000', '0.50x1001']) await game.show('0.48x1000', asks);
    expect([await times('order_rate_exceeded'), await times('benched')]).toEqual([1, 1]);
    await says(610_000n);
    await game.show('0.48x1000', '0.50x1000');
    expect([await times('order_rate_exceeded'), await times('benched')]).toEqual([2, 1]);
  });
});
