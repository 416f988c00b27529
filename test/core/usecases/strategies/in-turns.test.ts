import { describe, expect, it } from 'vitest';
import { NO_VENUE } from '../../../../src/core/market/market.js';
import { usdc } from '../../../support/builders.js';
import { AT_EVENS, crowdedMarket } from '../../../support/crowded-market.js';
import { aMatch } from '../../../support/match-day.js';

/** Wants more money in the book than there is. */
const WAITING = { ...AT_EVENS, filter: { ...AT_EVENS.filter, minLiquidity: usdc('10000000') } };

describe('Many strategies that look at a market', () => {
  it('leave the process its turn every few looks', async () => {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    const { show, skips } = await crowdedMarket({ strategies: 640, rules: WAITING, ports: { pause } });
    skips();
    pauses = 0;
    await show('0.50x100000');
    expect([skips(), pauses]).toEqual([640, 10]);
  });

  it('do nothing on a price outside all of their odds ranges', async () => {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    const { show, skips } = await crowdedMarket({ strategies: 640, rules: WAITING, ports: { pause } });
    await show('0.60x100000');
    skips();
    pauses = 0;
    for (const asks of ['0.61x100000', '0.62x100000', '0.60x90000']) await show(asks);
    expect([skips(), pauses]).toEqual([0, 0]);
  });

  it('leave the process its turn while many markets begin to be watched', async () => {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    const { board, refresh, runner } = await crowdedMarket({ strategies: 5, rules: WAITING, ports: { pause } });
    for (let n = 0; n < 200; n += 1) await board.list(aMatch(`game-${n}`, { venue: NO_VENUE }));
    pauses = 0;
    await refresh();
    expect(runner.size.markets).toBe(201);
    expect(pauses).toBeGreaterThanOrEqual(8);
  });

  it('do not look again while nothing changed, and do once it has', async () => {
    const { show, skips, refresh } = await crowdedMarket({ strategies: 5, rules: WAITING });
    await show('0.50x100000');
    expect(skips()).toBe(5);
    await refresh();
    expect(skips()).toBe(0);
    await show('0.50x100001');
    expect(skips()).toBe(5);
  });

  it('look again where time alone may make them bet', async () => {
    const limits = { eventLoss: null, maxBetsPerOutcome: 2, cooldownMs: 60_000 };
    const { show, orders, refresh, clock } = await crowdedMarket({ strategies: 1, rules: { ...AT_EVENS, limits } });
    for (const asks of ['0.50x100000', '0.56x100000', '0.50x100000']) await show(asks);
    await clock.pass(60_000);
    await refresh();
    expect(await orders()).toHaveLength(2);
  });
});

describe('Strategies that were imported together', () => {
  it('are not read again every second; new versions are still found', async () => {
    let read = 0;
    const { clock, refresh, create, runner } = await crowdedMarket({
      strategies: 200,
      store: (store) => ({
        async listAutomated(...asked) {
          const found = await store.listAutomated(...asked);
          read += found.length;
          return found;
        },
      }),
    });
    await clock.pass(5000);
    read = 0;
    for (let second = 0; second < 20; second++) {
      await clock.pass(1000);
      await refresh();
    }
    expect(read).toBeLessThanOrEqual(200);
    await create();
    await refresh();
    expect(runner.size.strategies).toBe(201);
  });
});
