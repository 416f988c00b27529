import { describe, expect, it } from 'vitest';
import { MarketNotFound } from '../../../../src/core/errors.js';
import type { MarketId } from '../../../../src/core/ids.js';
import { ALICE } from '../../../support/builders.js';
import { levels } from '../../../support/scripted-market.js';
import { strategyFixture } from '../../../support/strategy-fixture.js';

/** A game that a strategy follows, and what the store is asked to write. */
async function written() {
  const fixture = await strategyFixture();
  const { ledger } = fixture;
  const [writes, counts]: [string[][], number[]] = [[], []];
  const [write, count] = [ledger.write.bind(ledger), ledger.decisions.count.bind(ledger.decisions)];
  Object.assign(ledger, {
    write: ((scope, decide) =>
      write(scope, (now) => {
        const decision = decide(now);
        writes.push(Object.keys(decision).sort());
        return decision;
      })) satisfies typeof write,
  });
  Object.assign(ledger.decisions, {
    count: ((skips) => {
      counts.push(skips.reduce((sum, one) => sum + one.count, 0));
      return count(skips);
    }) satisfies typeof count,
  });
  return { ...fixture, writes, counts };
}

describe('Skips', () => {
  it('cause no writes; their counts are stored separately', async () => {
    const bare = await written();
    await bare.show('0.48x1000', '0.50x1000');
    const { show, writes, counts, runner, codes } = await written();
    for (let n = 0; n < 20; n += 1) await show('0.40x1000', `0.50x${1000 + n}`);
    expect([writes, counts]).toEqual([[], []]);
    await show('0.48x1000', '0.50x1000');
    expect(writes.length).toBeGreaterThan(0);
    expect([writes, counts]).toEqual([bare.writes, []]);
    await runner.storeCounts();
    expect([writes, counts]).toEqual([bare.writes, [20]]);
    expect((await codes()).filter((code) => code === 'spread_too_wide')).toHaveLength(20);
  });

  it('are not counted outside the odds range; a dry run reports them', async () => {
    const { show, game, use, strategy, codes, runner, counts } = await written();
    await show('0.60x1000', '0.62x1000');
    await runner.storeCounts();
    expect([await codes(), counts]).toEqual([[], [0]]);
    game.shown = { bids: levels('0.60x1000'), asks: levels('0.62x1000') };
    const asked = { account: ALICE, strategyId: strategy.id, market: null, limit: 1 };
    expect(await use.strategies.evaluate.execute(asked)).toMatchObject([
      {
        verdict: 'skip',
        code: 'odds_out_of_range',
        rules: expect.arrayContaining([
          expect.objectContaining({ rule: 'filter/min_odds', bound: '1.9', passed: false }),
        ]),
      },
    ]);
  });

  it('keep their market known to decision lists after its source drops it', async () => {
    const { show, game, use, strategy } = await written();
    await show('0.40x1000', '0.50x1000');
    Object.assign(game, { find: async () => undefined });
    const list = (verdict: 'bet' | 'skip', marketId = game.market.id) =>
      use.strategies.decisions.many(ALICE, strategy.id, { verdict, marketId }, { limit: 10 });
    expect((await list('skip')).items).toHaveLength(1);
    expect((await list('bet')).items).toEqual([]);
    await expect(list('bet', 'another' as MarketId)).rejects.toThrow(MarketNotFound);
  });
});
