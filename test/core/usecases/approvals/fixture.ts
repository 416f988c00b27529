import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { PaperExchange } from '../../../../src/adapters/paper/index.js';
import { AUTH_SCOPES } from '../../../../src/core/access/principal.js';
import type { Market } from '../../../../src/core/market/market.js';
import type { Approval } from '../../../../src/core/strategy/record/approval.js';
import type { RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import type { StrategyDraft } from '../../../../src/core/strategy/strategy.js';
import { useCases } from '../../../../src/core/usecases/compose.js';
import { runnerUseCase } from '../../../../src/core/usecases/compose-strategies.js';
import type { UseCasePorts } from '../../../../src/core/usecases/use-case-ports.js';
import { Venues, venueFrom } from '../../../../src/core/venues/venues.js';
import { ALICE, aDraft, anOrderContext, usdc } from '../../../support/builders.js';
import { aMarket, levels, ManualTimeline, ScriptedMarket } from '../../../support/scripted-market.js';

export const START = new Date('2026-03-01T14:00:00.000Z');
export const MINUTE = 60_000;
const GAME: Partial<Market> = {
  sport: 'nba',
  league: 'nba',
  kind: 'moneyline',
  role: 'home',
  startsAt: START,
  event: { id: 'game-1', slug: 'nba-mil-okc', title: 'Bucks against Thunder' },
};

/** Backs the home team with 10 dollars at odds of at least 1.8. */
export const HOME: RulesDraft = {
  match: { sport: 'nba' },
  outcome: { role: 'home' },
  filter: { minOdds: 1_800_000n },
  sizing: { method: 'flat', value: usdc('10') },
};

/** What a person may do who may do everything on paper. */
export const MAY = new Set(AUTH_SCOPES);

/** A game whose book a test moves, a strategy on it that asks before each bet, the runner, and a person. */
export async function asking(changes: Partial<StrategyDraft> = {}) {
  const clock = new ManualTimeline();
  const market = new ScriptedMarket(aMarket({}, GAME), clock, '0.58x1000', '0.60x1000');
  const ledger = new MemoryLedger(clock);
  const paper = new PaperExchange();
  const venues = new Venues(paper, [venueFrom(market, null)]);
  const ports: UseCasePorts = { ...anOrderContext({ clock }), ledger, venues };
  const use = useCases(ports);
  const faults: unknown[] = [];
  const runner = runnerUseCase(ports, use.strategies.skips, (_, error) => faults.push(error));
  const draft = aDraft({ sport: 'nba', automation: 'approve', bankrollCap: usdc('1000'), rules: HOME, ...changes });
  const { record: strategy } = await use.strategies.create.execute({ account: ALICE, draft, idempotencyKey: null });
  await runner.refreshStrategies();
  await runner.refreshMarkets();
  const show = async (asks: string) => {
    market.shown = { bids: levels('0.48x1000'), asks: levels(asks) };
    await market.show('0.48x1000', asks);
  };
  const answer = (approval: Approval | undefined, by = 'ann') => {
    if (approval === undefined) throw new Error('Nothing waits.');
    return { account: ALICE, approvalId: approval.id, by, idempotencyKey: null };
  };
  const change = { scope: 'account', state: 'halted', stops: 'all', reason: 'Enough', by: 'ann', until: null } as const;
  const halting = { account: ALICE, change, cancel: false, may: MAY, idempotencyKey: null };
  return {
    clock,
    market,
    ledger,
    paper,
    ports,
    use,
    runner,
    strategy,
    faults,
    show,
    /** No order is accepted from now on. */
    halt: () => use.trading.set.execute(halting),
    orders: () => ledger.listOrders(ALICE, {}, { limit: 100 }),
    approvals: async () => (await use.approvals.read.many(ALICE, null, { limit: 100 })).items,
    approve: async (approval: Approval | undefined, by?: string) =>
      (await use.approvals.approve.execute({ ...answer(approval, by), may: MAY, mayTradeLive: true })).record,
    reject: async (approval: Approval | undefined, by?: string) =>
      (await use.approvals.reject.execute(answer(approval, by))).record,
    change: (patch: object) =>
      use.strategies.change.execute({
        account: ALICE,
        strategyId: strategy.id,
        patch,
        precondition: null,
        idempotencyKey: null,
        route: 'strategies.change',
      }),
  };
}
