import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { PaperExchange } from '../../src/adapters/paper/index.js';
import { StorageUnavailable } from '../../src/core/errors.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import type { BetLimits } from '../../src/core/strategy/rules/rules.js';
import type { StrategyPatch } from '../../src/core/strategy/strategy.js';
import { useCases } from '../../src/core/usecases/compose.js';
import type { UseCasePorts } from '../../src/core/usecases/use-case-ports.js';
import { Venues, venueFrom } from '../../src/core/venues/venues.js';
import { ALICE, aDraft, anOrderContext, usdc } from '../support/builders.js';
import { MarketBoard } from '../support/market-board.js';
import { aMatch } from '../support/match-day.js';
import { beforeEachBet, runningStrategies } from '../support/running-strategies.js';
import { levels, ManualTimeline } from '../support/scripted-market.js';

const GAME = aMatch('game', { venue: NO_VENUE });
const ODDS_OF_TWO = 2_000_000n;

/** A game whose home team a strategy backs with 10 dollars, and a person who acts once its bet is decided and not yet on record. */
async function fixture(limits: BetLimits = {}) {
  const clock = new ManualTimeline();
  const board = new MarketBoard(clock);
  const store = new MemoryLedger(clock);
  let meanwhile: () => Promise<unknown> = async () => {};
  const ledger = beforeEachBet(store, async () => {
    const act = meanwhile;
    meanwhile = async () => {};
    await act();
  });
  const venues = new Venues(new PaperExchange(), [venueFrom(board, null)]);
  const ports: UseCasePorts = { ...anOrderContext({ clock }), ledger, venues };
  const use = useCases(ports);
  const [match, filter, outcome] = [{}, { minOdds: ODDS_OF_TWO }, { index: 0 } as const];
  const sizing = { method: 'flat', value: usdc('10') } as const;
  const rules = { match, filter, outcome, sizing, limits: { eventLoss: null, ...limits } } as const;
  const draft = aDraft({ automation: 'auto', rules });
  const { record: strategy } = await use.strategies.create.execute({ account: ALICE, draft, idempotencyKey: null });
  await board.list(GAME);
  const { refresh, faults } = await runningStrategies(ports, use.strategies.skips);
  const all = () => store.listOrders(ALICE, {}, { limit: 10 });
  const change = (patch: StrategyPatch) => () =>
    use.strategies.change.execute({
      account: ALICE,
      strategyId: strategy.id,
      patch,
      precondition: null,
      idempotencyKey: null,
      route: 'strategies.change',
    });
  const show = (asks: string) => board.show(GAME.id, levels('0.48x1000'), levels(asks));
  return {
    use,
    rules,
    change,
    show,
    faults,
    refresh,
    all,
    halt: () =>
      use.trading.set.execute({
        account: ALICE,
        cancel: false,
        idempotencyKey: null,
        may: new Set(['orders:cancel'] as const),
        change: { scope: 'account', state: 'halted', stops: 'all', reason: 'a drill', by: 'alice', until: null },
      }),
    /** Lets the person act while the next bet is in flight, and shows the price that makes it. */
    bets: async (act: () => Promise<unknown>) => {
      meanwhile = act;
      await show('0.50x1000');
      return { orders: await all(), strategy };
    },
    skips: async () => (await use.strategies.decisions.many(ALICE, strategy.id, {}, { limit: 10 })).items,
  };
}

describe('While a bet is in flight', () => {
  it('without interference it is placed by the version that decided', async () => {
    const { bets } = await fixture();
    const { orders } = await bets(async () => {});
    expect(orders.map(({ intent }) => intent.strategy?.version)).toEqual([1]);
  });

  it('a pause wins', async () => {
    const { bets, change, skips } = await fixture();
    const { orders } = await bets(change({ isPaused: true }));
    expect(orders).toEqual([]);
    expect((await skips()).map(({ code, strategyVersion }) => [code, strategyVersion])).toEqual([
      ['strategy_paused', 2],
    ]);
  });

  it('automation that is switched off wins', async () => {
    const { bets, change } = await fixture();
    expect((await bets(change({ automation: 'off' }))).orders).toEqual([]);
  });

  it('an archive wins', async () => {
    const { bets, use } = await fixture();
    let id: string | null = null;
    const { orders, strategy } = await bets(async () => {
      const [own] = (await use.strategies.read.many(ALICE, {}, { limit: 1 })).items;
      id = own?.id ?? null;
      if (own) await use.strategies.archive.execute({ account: ALICE, strategyId: own.id, precondition: null });
    });
    expect([orders, id]).toEqual([[], strategy.id]);
  });

  it('new rules win: only the new version bets, with its own numbers', async () => {
    const { bets, change, rules, refresh, all } = await fixture();
    const sizing = { method: 'flat', value: usdc('25') } as const;
    expect((await bets(change({ rules: { ...rules, sizing } }))).orders).toEqual([]);
    await refresh();
    expect((await all()).map(({ intent }) => [intent.strategy?.version, intent.size])).toEqual([[2, usdc('25')]]);
  });

  it('stricter rules win: the new version does not bet', async () => {
    const { bets, change, rules, refresh, show, all } = await fixture();
    const { orders } = await bets(change({ rules: { ...rules, filter: { minOdds: ODDS_OF_TWO + 1n } } }));
    await refresh();
    await show('0.50x1000');
    expect([orders, await all()]).toEqual([[], []]);
  });

  it('a condition false for a moment counts: the next bet follows it', async () => {
    const { bets, show } = await fixture({ maxBetsPerOutcome: 3, cooldownMs: 0 });
    const { orders } = await bets(async () => {
      await show('0.51x1000');
      await show('0.49x1000');
    });
    expect(orders).toHaveLength(2);
  });

  it('a better price is no new occasion: there is one bet', async () => {
    const { bets, show } = await fixture({ maxBetsPerOutcome: 3, cooldownMs: 0 });
    expect((await bets(() => show('0.49x1000'))).orders).toHaveLength(1);
  });

  it('a store failure after a change: the bet uses the latest state', async () => {
    const { bets, show, faults } = await fixture();
    const { orders } = await bets(async () => {
      await show('0.49x1000');
      throw new StorageUnavailable('a fault');
    });
    expect(orders).toHaveLength(1);
    expect(faults).toHaveLength(1);
  });

  it('a halt wins', async () => {
    const { bets, halt, skips } = await fixture();
    const { orders } = await bets(halt);
    expect(orders.map(({ state }) => state)).toEqual(['denied']);
    expect((await skips()).map(({ code }) => code)).toEqual(['trading_halted']);
  });
});
