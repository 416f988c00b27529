import { describe, expect, it } from 'vitest';
import type { Probability, SignalName } from '../../../../src/core/signal/signal.js';
import { ALICE } from '../../../support/builders.js';
import { CONDITION } from '../../../support/scripted-market.js';
import { HOME, strategyFixture } from '../../../support/strategy-fixture.js';

/** A strategy that holds 20 shares of the home team, and sells them once its model thinks too little of them. */
async function holding() {
  const signal = { name: 'elo', required: false };
  const fixture = await strategyFixture({ strategy: { rules: { ...HOME, signal, exit: { edgeBelow: 10_000n } } } });
  const { use, time, game, ledger, show } = fixture;
  const expiresAt = () => new Date(time.now().getTime() + 3_600_000);
  const put = (home: bigint, name = 'elo') => {
    const probabilities = new Map([['Bucks', home as Probability]]);
    const draft = { venue: null, marketId: CONDITION, probabilities, expiresAt: expiresAt(), source: null };
    return use.signals.put.execute({ account: ALICE, name: name as SignalName, drafts: [draft] });
  };
  /** As another server stores it. */
  const store = (home: bigint) => {
    const of = (label: string, probability: bigint) => ({ label, probability: probability as Probability });
    const key = { account: ALICE, name: 'elo' as SignalName, venue: game.market.venue, marketId: CONDITION };
    const says = { first: of('Bucks', home), second: of('Thunder', 1_000_000n - home) };
    return ledger.signals.put([{ ...key, ...says, source: null, updatedAt: time.now(), expiresAt: expiresAt() }]);
  };
  await put(600_000n);
  await show('0.48x1000', '0.50x1000');
  return { ...fixture, put, store };
}

describe('What is held by a strategy that sells below an edge', () => {
  it("is sold at once on its model's signal, without a market change", async () => {
    const { put, time, sales, faults } = await holding();
    await put(470_000n, 'another-model');
    await time.pass(0);
    expect(await sales()).toEqual([]);
    await put(470_000n);
    await time.pass(0);
    expect([(await sales()).length, faults]).toEqual([1, []]);
  });

  it("is sold at the next signal check after another server's signal", async () => {
    const { store, after, runner, time, sales } = await holding();
    await store(470_000n);
    await runner.noticeSignals(after.signalKeys());
    await time.pass(0);
    expect(await sales()).toHaveLength(1);
  });

  it('is no longer evaluated by a stopped server', async () => {
    const { put, after, time, sales } = await holding();
    after.stop();
    await put(470_000n);
    await time.pass(0);
    expect(await sales()).toEqual([]);
  });
});
