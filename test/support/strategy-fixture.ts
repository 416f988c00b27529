import { setImmediate } from 'node:timers/promises';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { BookPaperExchange, PaperExchange } from '../../src/adapters/paper/index.js';
import type { Market, MarketTerms } from '../../src/core/market/market.js';
import type { Order } from '../../src/core/order/order.js';
import { SignalNews } from '../../src/core/signal/signal.js';
import type { RulesDraft } from '../../src/core/strategy/rules/rules.js';
import type { StrategyDraft, StrategyPatch } from '../../src/core/strategy/strategy.js';
import { useCases } from '../../src/core/usecases/compose.js';
import { afterBetsUseCase, runnerUseCase } from '../../src/core/usecases/compose-strategies.js';
import type { UseCasePorts } from '../../src/core/usecases/use-case-ports.js';
import { marketsAt, Venues, venueFrom } from '../../src/core/venues/venues.js';
import { ALICE, aDraft, anOrderContext, anOrderDraft, type DraftChanges, usdc } from './builders.js';
import { aMarket, CONDITION, ManualTimeline, ScriptedMarket } from './scripted-market.js';
import { SharedMarket } from './shared-market.js';

/** When the game starts. */
export const START = '2026-03-01T14:00:00.000Z';
const GAME: Partial<Market> = {
  sport: 'nba',
  league: 'nba',
  kind: 'moneyline',
  role: 'home',
  startsAt: new Date(START),
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

/** A timeline that waits for no task: an order that a task places travels in the same time. */
export class UnwaitedTimeline extends ManualTimeline {
  override at(moment: Date, task: () => void | Promise<void>): () => void {
    return super.at(moment, () => void task());
  }
}

/** Time that goes on in small steps, so that what is on its way arrives. */
export async function passing(time: ManualTimeline, ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += 50) {
    await time.pass(50);
    await setImmediate();
  }
}

/** How a stage differs from a game whose orders fill whole at their limit. */
export interface FixtureChanges {
  readonly strategy?: Partial<StrategyDraft>;
  readonly terms?: Partial<MarketTerms>;
  readonly market?: Partial<Market>;
  /** Orders meet the book of the game. */
  readonly matches?: boolean;
  readonly ledger?: MemoryLedger;
  /** What holdings could be sold for; by default what the game shows. */
  readonly quotes?: UseCasePorts['quotes'];
  /** Whether outcomes that the rules leave out are counted. */
  readonly countsLeftOut?: boolean;
}

/** A game whose book a test moves, a strategy on it, and what trades for the strategy. */
export async function strategyFixture(how: FixtureChanges = {}) {
  const {
    strategy: changes = {},
    terms = {},
    market = {},
    matches,
    ledger: given,
    quotes,
    countsLeftOut = false,
  } = how;
  const time = matches ? new UnwaitedTimeline() : new ManualTimeline();
  const game = new ScriptedMarket(aMarket(terms, { ...GAME, ...market }), time, '0.54x1000', '0.56x1000');
  const shared = new SharedMarket(game);
  const ledger = given ?? new MemoryLedger(time);
  const sink = async (order: Order, reports: Parameters<typeof use.orders.recordReports.execute>[1]) =>
    void (await use.orders.recordReports.execute(order, reports));
  const paper = matches
    ? new BookPaperExchange({ markets: marketsAt(shared), timeline: time, sink })
    : new PaperExchange();
  const venues = new Venues(paper, [venueFrom(shared, null)]);
  const ports: UseCasePorts = {
    ...anOrderContext({ clock: time }),
    ledger,
    venues,
    signalNews: new SignalNews(),
    ...(quotes && { quotes }),
    countsLeftOut,
  };
  const use = useCases(ports);
  const faults: unknown[] = [];
  const setting = { skips: use.strategies.skips, onFault: (_: string, error: unknown) => void faults.push(error) };
  const draft = aDraft({ sport: 'nba', automation: 'auto', rules: HOME, ...changes });
  const { record: strategy } = await use.strategies.create.execute({ account: ALICE, draft, idempotencyKey: null });

  /** What one server runs; a second call is the server of the next start. */
  const serve = () => {
    const after = afterBetsUseCase({ ...ports, timeline: time }, setting.skips, setting.onFault);
    const runner = runnerUseCase({ ...ports, timeline: time }, setting.skips, setting.onFault, after);
    const refresh = async () => {
      await after.refresh();
      await runner.refreshStrategies();
      await runner.refreshMarkets();
    };
    return { after, runner, refresh };
  };
  const server = serve();
  /** Lets time pass until the task has ended: an order travels to its exchange. */
  const until = async <T>(task: Promise<T>): Promise<T> => {
    if (!matches) return task;
    const ended = task.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([ended, setImmediate(false)]))) await time.pass(50);
    return task;
  };
  await until(server.refresh());
  const orders = () => ledger.listOrders(ALICE, {}, { limit: 100 });
  return {
    time,
    game,
    ledger,
    use,
    ports,
    strategy,
    faults,
    serve,
    until,
    orders,
    ...server,
    show: (bids: string, asks: string) => until(game.show(bids, asks)),
    isFollowed: () => shared.isFollowed,
    followers: () => shared.followers,
    /** Oldest first. */
    sales: async () => (await orders()).toReversed().filter(({ intent }) => intent.side === 'SELL'),
    codes: async () =>
      (await use.strategies.decisions.many(ALICE, strategy.id, {}, { limit: 100 })).items.map(({ code }) => code),
    decisions: () => ledger.decisions.list(ALICE, strategy.id, {}, { limit: 100 }),
    /** What the strategy holds of the home team. */
    held: async () => {
      const positions = await ledger.listPositions(ALICE, { paper: true, strategyId: strategy.id }, { limit: 10 });
      return positions.find(({ outcome }) => outcome === 'YES')?.shares ?? 0n;
    },
    change: (patch: StrategyPatch) =>
      use.strategies.change.execute({
        account: ALICE,
        strategyId: strategy.id,
        patch,
        precondition: null,
        idempotencyKey: null,
        route: 'strategies.change',
      }),
    place: (order: DraftChanges) =>
      until(
        use.orders.place.execute({
          draft: anOrderDraft({ marketId: CONDITION, ...order }),
          mayTradeLive: false,
          idempotencyKey: null,
        }),
      ),
  };
}
