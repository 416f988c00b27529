import { describe, expect, it } from 'vitest';
import type { Probability, SignalName } from '../../../../src/core/signal/signal.js';
import type { UseCases } from '../../../../src/core/usecases/compose.js';
import { ALICE } from '../../../support/builders.js';
import { HOME, running, START } from '../../../support/running-strategies.js';

describe('A strategy that trades by itself', () => {
  it('looks at a market when a window opens, though nothing happens in it then', async () => {
    const rules = { ...HOME, filter: { minOdds: 1_500_000n }, window: { fromMs: -3_600_000 } };
    const { orders, clock, refresh } = await running({ rules });
    await clock.pass(Date.parse(START) - 3_600_000 - clock.now().getTime() - 1);
    await refresh();
    expect(await orders()).toEqual([]);
    await clock.pass(1);
    expect(await orders()).toHaveLength(1);
  });

  it('opens no slot again when the start of the game moves', async () => {
    const rules = { ...HOME, window: { fromMs: -7_200_000 } };
    const { market, orders, clock, refresh } = await running({ rules });
    await market.show('0.48x1000', '0.50x1000');
    expect(await orders()).toHaveLength(1);
    const startsAt = new Date(Date.parse(START) + 86_400_000);
    await market.tell({ type: 'market', market: { ...market.market, startsAt } });
    await market.show('0.48x1000', '0.56x1000');
    await market.show('0.48x1000', '0.50x1000');
    await clock.pass(86_400_000);
    await refresh();
    await market.show('0.47x1000', '0.49x1000');
    expect(await orders()).toHaveLength(1);
  });

  it('does not take a gap in the data for a condition that was false', async () => {
    const rules = { ...HOME, limits: { eventLoss: null, maxBetsPerOutcome: 3, cooldownMs: null } };
    const { market, orders } = await running({ rules });
    await market.show('0.48x1000', '0.50x1000');
    await market.tell({ type: 'gap', reason: 'the connection is lost' });
    await market.show('0.48x1000', '0.50x1000');
    expect(await orders()).toHaveLength(1);
    await market.show('0.48x1000', '0.56x1000');
    await market.show('0.48x1000', '0.50x1000');
    expect(await orders()).toHaveLength(2);
  });

  it('does not take a restart for a condition that was false', async () => {
    const rules = { ...HOME, limits: { eventLoss: null, maxBetsPerOutcome: 3, cooldownMs: null } };
    const { market, orders, again } = await running({ rules });
    await market.show('0.48x1000', '0.50x1000');
    const { runner, refresh } = again();
    await refresh();
    await market.show('0.48x1000', '0.50x1000');
    expect([runner.size.markets, (await orders()).length]).toEqual([1, 1]);
    await market.show('0.48x1000', '0.56x1000');
    await market.show('0.48x1000', '0.50x1000');
    expect(await orders()).toHaveLength(2);
  });

  it('never bets by what was seen for another version: neither its side nor its signal need be the same', async () => {
    const { market, orders, change, refresh } = await running();
    await change({ rules: { ...HOME, filter: { minOdds: 1_900_000n, side: 'LAY' } } });
    await market.show('0.48x1000', '0.50x1000');
    expect(await orders()).toEqual([]);
    await refresh();
    expect((await orders()).map(({ intent }) => [intent.outcome, intent.strategy?.version])).toEqual([['NO', 2]]);
  });

  it('asks a refused bet again once the probability changes', async () => {
    const rules = { ...HOME, signal: { name: 'elo', required: true } };
    const { market, orders, ledger, strategy, clock, use } = await running({ rules });
    await halt(use);
    const says = (first: bigint) => {
      const { venue, market: one } = market;
      const of = (label: string, probability: bigint) => ({ label, probability: probability as Probability });
      const outcomes = { first: of('Bucks', first), second: of('Thunder', 1_000_000n - first) };
      const [at, expiresAt] = [clock.now(), new Date(clock.now().getTime() + 3_600_000)];
      const key = { account: ALICE, name: 'elo' as SignalName, venue, marketId: one.id };
      return ledger.signals.put([{ ...key, ...outcomes, expiresAt, source: null, updatedAt: at }]);
    };
    await says(600_000n);
    for (const asks of ['0.50x1000', '0.50x1001']) await market.show('0.48x1000', asks);
    expect(await orders()).toHaveLength(1);
    await says(610_000n);
    await market.show('0.48x1000', '0.50x1000');
    expect(await orders()).toHaveLength(2);
    const { items } = await use.strategies.decisions.many(ALICE, strategy.id, { code: 'benched' }, { limit: 10 });
    expect(items).toHaveLength(1);
  });
});

/** Every order is denied from now on. */
const halt = ({ trading }: UseCases) => {
  const change = { scope: 'account', state: 'halted', stops: 'all', reason: 'enough', until: null, by: ALICE } as const;
  return trading.set.execute({
    account: ALICE,
    change,
    cancel: false,
    may: new Set(['orders:cancel']),
    idempotencyKey: null,
  });
};
