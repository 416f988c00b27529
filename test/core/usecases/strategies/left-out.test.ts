import { describe, expect, it } from 'vitest';
import type { RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import { ALICE } from '../../../support/builders.js';
import { type FixtureChanges, HOME, START, strategyFixture } from '../../../support/strategy-fixture.js';

const MINUTE = 60_000;

describe('An outcome that rules leave out', () => {
  const fixture = (rules: Partial<RulesDraft>, market: FixtureChanges['market'] = {}) =>
    strategyFixture({ strategy: { rules: { ...HOME, ...rules } }, market, countsLeftOut: true });
  const counted = async ({ runner, strategy, use }: Awaited<ReturnType<typeof fixture>>) => {
    await runner.storeCounts();
    const counts = await use.strategies.decisions.counts(ALICE, strategy.id);
    return counts.map(({ code, count }) => [code, count]);
  };

  it('is counted once an hour by its window, and told with its figures', async () => {
    const one = await fixture({ window: { fromMs: -30 * MINUTE } });
    await one.runner.refreshMarkets();
    expect(await counted(one)).toEqual([['too_early', 1]]);
    const [skip] = one.use.strategies.skips.of(ALICE, one.strategy.id);
    expect(skip?.rules).toContainEqual(expect.objectContaining({ rule: 'window/from', passed: false }));
    await one.time.pass(61 * MINUTE);
    await one.runner.refreshMarkets();
    expect(await counted(one)).toEqual([
      ['too_early', 1],
      ['too_early', 1],
    ]);
  });

  it('is counted by its odds, though no price change has it judged', async () => {
    const one = await fixture({ filter: { minOdds: 1_900_000n } });
    await one.game.show('0.54x1000', '0.57x1000');
    await one.runner.refreshMarkets();
    expect(await counted(one)).toEqual([['odds_out_of_range', 1]]);
  });

  it('is counted once its game begins and nobody follows it any more', async () => {
    const one = await fixture({ phase: 'pre' });
    await one.time.pass(Date.parse(START) - one.time.now().getTime());
    one.game.search = async () => ({ items: [], next: null });
    await one.runner.refreshMarkets();
    expect(await counted(one)).toContainEqual(['in_play_not_allowed', 1]);
  });

  it('is counted where its game had begun before anybody looked, and followed by nobody', async () => {
    const one = await fixture({ phase: 'pre' }, { status: 'in_play', startsAt: new Date('2026-03-01T11:00:00.000Z') });
    await one.runner.refreshMarkets();
    expect(await counted(one)).toEqual([['in_play_not_allowed', 1]]);
    expect(one.isFollowed()).toBe(false);
  });

  it('is counted where its game lies ahead of rules that bet in play', async () => {
    const one = await fixture({ phase: 'in_play' });
    await one.runner.refreshMarkets();
    expect(await counted(one)).toEqual([['not_in_play', 1]]);
    expect(one.isFollowed()).toBe(false);
  });
});
