import { describe, expect, it } from 'vitest';
import type { Probability, SignalName } from '../../../../src/core/signal/signal.js';
import { SignalNews } from '../../../../src/core/signal/signal.js';
import { ALICE } from '../../../support/builders.js';
import { AT_EVENS, crowdedMarket } from '../../../support/crowded-market.js';

/** Two strategies that wait for a signal, at a price that it makes good. */
async function waiting() {
  const rules = {
    ...AT_EVENS,
    filter: { ...AT_EVENS.filter, minEdge: 20_000n },
    signal: { name: 'elo', required: true },
  };
  const ports = { signalNews: new SignalNews() };
  const fixture = await crowdedMarket({ strategies: 2, rules, ports });
  await fixture.show('0.50x100000');
  const put = (probability: bigint, name = 'elo') => {
    const expiresAt = new Date(fixture.clock.now().getTime() + 3_600_000);
    const probabilities = new Map([['Home', probability as Probability]]);
    const draft = { venue: null, marketId: fixture.game.id, probabilities, expiresAt, source: null };
    return fixture.use.signals.put.execute({ account: ALICE, name: name as SignalName, drafts: [draft] });
  };
  fixture.skips();
  return { ...fixture, put };
}

describe('A signal that was put', () => {
  it('is evaluated at the next tick, without a market change', async () => {
    const { put, clock, orders } = await waiting();
    await put(600_000n);
    await clock.pass(0);
    expect(await orders()).toHaveLength(2);
  });

  it('triggers no strategy that does not use its model', async () => {
    const { put, clock, orders, skips } = await waiting();
    await put(600_000n, 'another-model');
    await clock.pass(0);
    expect([await orders(), skips()]).toEqual([[], 0]);
  });

  it('on another server is noticed with the next look for signals, once', async () => {
    const { use, ledger, runner, clock, orders, skips, game } = await waiting();
    const of = (label: string, probability: bigint) => ({ label, probability: probability as Probability });
    const key = { account: ALICE, name: 'elo' as SignalName, venue: game.venue, marketId: game.id };
    const [updatedAt, expiresAt] = [clock.now(), new Date(clock.now().getTime() + 3_600_000)];
    const says = (first: bigint) => ({ first: of('Home', first), second: of('Away', 1_000_000n - first) });
    await ledger.signals.put([{ ...key, ...says(505_000n), source: null, updatedAt, expiresAt }]);
    await runner.noticeSignals();
    await clock.pass(0);
    expect(skips()).toBe(2);
    await runner.noticeSignals();
    await clock.pass(1);
    expect(skips()).toBe(0);
    await ledger.signals.put([{ ...key, ...says(600_000n), source: null, updatedAt: clock.now(), expiresAt }]);
    await runner.noticeSignals();
    await clock.pass(0);
    expect(await orders()).toHaveLength(2);
    expect(use.strategies.skips.size).toBeGreaterThan(0);
  });
});
