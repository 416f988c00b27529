import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { PaperExchange } from '../../src/adapters/paper/index.js';
import type { Market, MarketTerms } from '../../src/core/market/market.js';
import type { RulesDraft } from '../../src/core/strategy/rules.js';
import type { StrategyDraft } from '../../src/core/strategy/strategy.js';
import { useCases } from '../../src/core/usecases/compose.js';
import { runnerUseCase } from '../../src/core/usecases/compose-strategies.js';
import { Venues, venueFrom } from '../../src/core/venues/venues.js';
import { ALICE, aDraft, anOrderContext, usdc } from './builders.js';
import { aMarket, ManualTimeline, ScriptedMarket } from './scripted-market.js';

/** When the game starts. */
export const START = '2026-03-01T14:00:00.000Z';
const GAME: Partial<Market> = {
  ...{ sport: 'nba', league: 'nba', kind: 'moneyline', role: 'home', startsAt: new Date(START) },
  event: { id: 'game-1', slug: 'nba-mil-okc', title: 'Bucks against Thunder' },
};

/** Backs the home team with 10 dollars at odds of at least 1.9, whatever an event may lose. */
export const HOME: RulesDraft = {
  match: { sport: 'nba' },
  outcome: { role: 'home' },
  filter: { minOdds: 1_900_000n },
  sizing: { method: 'flat', value: usdc('10') },
  limits: { eventLoss: null },
};

/** A game whose book a test moves, a strategy on it, and the runner. */
export async function running(changes: Partial<StrategyDraft> = {}, terms: Partial<MarketTerms> = {}) {
  const clock = new ManualTimeline();
  const market = new ScriptedMarket(aMarket(terms, GAME), clock, '0.54x1000', '0.56x1000');
  const ledger = new MemoryLedger(clock);
  const venues = new Venues(new PaperExchange(), [venueFrom(market, null)]);
  const ports = { ...anOrderContext({ clock }), ledger, venues, timeline: clock };
  const use = useCases(ports);
  const faults: unknown[] = [];
  const runner = runnerUseCase(ports, use.strategies.skips, (_, error) => faults.push(error));
  const draft = aDraft({ sport: 'nba', automation: 'auto', rules: HOME, ...changes });
  const { record: strategy } = await use.strategies.create.execute({ account: ALICE, draft, idempotencyKey: null });
  const refreshing = (one: typeof runner) => async () => {
    await one.refreshStrategies();
    await one.refreshMarkets();
  };
  const refresh = refreshing(runner);
  /** The runner of the next start. */
  const again = () => {
    runner.stop();
    const next = runnerUseCase(ports, useCases(ports).strategies.skips);
    return { runner: next, refresh: refreshing(next) };
  };
  const orders = () => ledger.listOrders(ALICE, {}, { limit: 100 });
  const change = (patch: object) =>
    use.strategies.change.execute({
      ...{ account: ALICE, strategyId: strategy.id, patch, precondition: null, idempotencyKey: null },
      route: 'strategies.change',
    });
  const codes = async () =>
    (await use.strategies.decisions.many(ALICE, strategy.id, {}, { limit: 100 })).items.map(({ code }) => code);
  await refresh();
  return { clock, market, ledger, use, runner, strategy, refresh, orders, change, codes, faults, again };
}
