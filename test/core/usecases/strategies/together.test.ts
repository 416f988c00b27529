import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { PaperExchange } from '../../../../src/adapters/paper/index.js';
import { NO_VENUE } from '../../../../src/core/market/venue.js';
import { useCases } from '../../../../src/core/usecases/compose.js';
import { runnerUseCase } from '../../../../src/core/usecases/compose-strategies.js';
import { BoundedWork } from '../../../../src/core/usecases/strategies/background/bounded-work.js';
import type { UseCasePorts } from '../../../../src/core/usecases/use-case-ports.js';
import { Venues, venueFrom } from '../../../../src/core/venues/venues.js';
import { seenAs } from '../../../support/audited.js';
import { ALICE, aDraft, anOrderContext, usdc } from '../../../support/builders.js';
import { MarketBoard } from '../../../support/market-board.js';
import { aMatch } from '../../../support/match-day.js';
import { levels, ManualTimeline } from '../../../support/scripted-market.js';

const STRATEGIES = 50;
const GAME = aMatch('game', { venue: NO_VENUE });

describe('Strategies that bet on the same change of a market', () => {
  it('bet together, so that a store can commit their bets as a group', async () => {
    const clock = new ManualTimeline();
    const board = new MarketBoard(clock);
    const store = new MemoryLedger(clock);
    let [betting, most] = [0, 0];
    const ledger = seenAs(store, {
      write: async (scope, decide) => {
        if (scope.slots === undefined) return store.write(scope, decide);
        betting += 1;
        most = Math.max(most, betting);
        await setImmediate();
        betting -= 1;
        return store.write(scope, decide);
      },
    });
    const venues = new Venues(new PaperExchange(), [venueFrom(board, null)]);
    const ports: UseCasePorts = { ...anOrderContext({ clock }), ledger, venues };
    const { strategies } = useCases(ports);
    const rules = {
      match: {},
      filter: {},
      outcome: { index: 0 },
      sizing: { method: 'flat', value: usdc('10') },
    } as const;
    for (let n = 0; n < STRATEGIES; n++) {
      const draft = aDraft({ automation: 'auto', rules });
      await strategies.create.execute({ account: ALICE, draft, idempotencyKey: null });
    }
    await board.list(GAME);
    const runner = runnerUseCase(ports, strategies.skips);
    await runner.refreshStrategies();
    await runner.refreshMarkets();
    await board.show(GAME.id, levels('0.48x10000'), levels('0.50x10000'));
    expect(await store.listOrders(ALICE, {}, { limit: 100 })).toHaveLength(STRATEGIES);
    expect(most).toBe(STRATEGIES);
  });
});

describe('Bounded work', () => {
  it('runs at most so many pieces at once, in the order in which they came, and goes on after one that failed', async () => {
    const work = new BoundedWork(2);
    const told: string[] = [];
    let [running, most] = [0, 0];
    const piece = (name: number) => async () => {
      most = Math.max(most, ++running);
      told.push(`begins ${name}`);
      await setImmediate();
      running -= 1;
      if (name === 1) throw new Error('fails');
      return name;
    };
    const all = await Promise.allSettled([1, 2, 3, 4, 5].map((name) => work.run(piece(name))));
    expect(all.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual(['failed', 2, 3, 4, 5]);
    expect(told).toEqual([1, 2, 3, 4, 5].map((name) => `begins ${name}`));
    expect(most).toBe(2);
  });
});
