import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { PaperExchange } from '../../../../src/adapters/paper/index.js';
import { InOrder } from '../../../../src/core/concurrency/concurrency.js';
import type { StrategyId } from '../../../../src/core/ids.js';
import { NO_VENUE } from '../../../../src/core/market/market.js';
import { useCases } from '../../../../src/core/usecases/compose.js';
import { runnerUseCase } from '../../../../src/core/usecases/compose-strategies.js';
import type { UseCasePorts } from '../../../../src/core/usecases/use-case-ports.js';
import { Venues, venueFrom } from '../../../../src/core/venues/venues.js';
import { ALICE, aDraft, anOrderContext, usdc } from '../../../support/builders.js';
import { MarketBoard } from '../../../support/market-board.js';
import { aMatch } from '../../../support/match-day.js';
import { levels, ManualTimeline } from '../../../support/scripted-market.js';
import { seenAs } from '../../../support/seen-as.js';

const GAME = aMatch('game', { venue: NO_VENUE });

/** So many strategies back the same outcome; `meanwhile` is done once, while the first of them bets. */
async function crowd(
  strategies: number,
  meanwhile: (board: MarketBoard) => Promise<unknown> = async () => {},
  inOrder?: InOrder,
) {
  const clock = new ManualTimeline();
  const board = new MarketBoard(clock);
  const store = new MemoryLedger(clock);
  let [betting, most, begun] = [0, 0, false];
  const ledger = seenAs(store, {
    write: async (scope, decide) => {
      if (scope.slots === undefined) return store.write(scope, decide);
      betting += 1;
      most = Math.max(most, betting);
      await setImmediate();
      betting -= 1;
      const isFirst = !begun;
      begun = true;
      if (isFirst) await meanwhile(board);
      return store.write(scope, decide);
    },
  });
  const venues = new Venues(new PaperExchange(), [venueFrom(board, null)]);
  const ports: UseCasePorts = { ...anOrderContext({ clock, openingCash: usdc('100000') }), ledger, venues };
  const use = useCases(ports).strategies;
  const [match, filter, outcome] = [{}, { minOdds: 2_000_000n }, { index: 0 } as const];
  const rules = { match, filter, outcome, sizing: { method: 'flat', value: usdc('10') } } as const;
  for (let n = 0; n < strategies; n++) {
    const draft = aDraft({ automation: 'auto', rules });
    await use.create.execute({ account: ALICE, draft, idempotencyKey: null });
  }
  await board.list(GAME);
  const runner = runnerUseCase({ ...ports, inOrder }, use.skips);
  await runner.refreshStrategies();
  await runner.refreshMarkets();
  await board.show(GAME.id, levels('0.48x100000'), levels('0.50x100000'));
  const orders = await store.listOrders(ALICE, {}, { limit: 1000 });
  const made = (await store.listStrategies(ALICE, {}, { limit: 1000 })).map(({ id }) => id);
  const bet = orders.map(({ intent }) => made.indexOf(intent.strategy?.id as StrategyId)).reverse();
  return { orders, most, bet };
}

describe('Strategies that bet on the same change of a market', () => {
  it('bet together, so a store can commit their bets as a group', async () => {
    const { orders, most } = await crowd(50);
    expect([orders.length, most]).toEqual([50, 50]);
  });

  it('all bet, also where they are too many to bet at once', async () => {
    const { orders, most } = await crowd(150);
    expect(orders).toHaveLength(150);
    expect(most).toBeLessThan(150);
  });

  it.each([
    ['as it comes where nothing asks for an order', undefined, [1, 2, 0]],
    ['as decided on a tape, whichever is ready first', new InOrder(), [0, 1, 2]],
  ])('go on record %s', async (_, inOrder, expected) => {
    const slow = () => setImmediate().then(() => setImmediate());
    const { bet } = await crowd(3, slow, inOrder);
    expect(bet.map((n) => 2 - n)).toEqual(expected);
  });

  it('are evaluated again after waiting, at the price of that time', async () => {
    const { orders, most } = await crowd(150, (board) =>
      board.show(GAME.id, levels('0.58x100000'), levels('0.60x100000')),
    );
    expect(orders.length).toBeLessThanOrEqual(most);
  });
});
