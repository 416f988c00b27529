import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { PaperExchange } from '../../src/adapters/paper/index.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import type { RulesDraft } from '../../src/core/strategy/rules/rules.js';
import { useCases } from '../../src/core/usecases/compose.js';
import type { UseCasePorts } from '../../src/core/usecases/use-case-ports.js';
import { Venues, venueFrom } from '../../src/core/venues/venues.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ALICE, aDraft, anOrderContext, usdc } from './builders.js';
import { MarketBoard } from './market-board.js';
import { aMatch } from './match-day.js';
import { beforeEachBet, runningStrategies } from './running-strategies.js';
import { levels, ManualTimeline } from './scripted-market.js';

const GAME = aMatch('game', { venue: NO_VENUE });

/** Backs the first outcome with 10 dollars at odds of 2 or more. */
export const AT_EVENS: RulesDraft = {
  match: {},
  outcome: { index: 0 },
  filter: { minOdds: 2_000_000n },
  sizing: { method: 'flat', value: usdc('10') },
};

/** Who watches a market, and what with. */
export interface Crowd {
  readonly strategies: number;
  readonly rules?: RulesDraft;
  readonly ports?: Partial<UseCasePorts>;
  /** Done before each bet is put on record. */
  readonly beforeBet?: () => Promise<unknown>;
  /** Answers of the store in place of its own. */
  readonly store?: (store: MemoryLedger) => Partial<Ledger>;
}

/** A game that so many strategies watch, whose book a test moves. */
export async function crowdedMarket({ strategies, rules = AT_EVENS, ports: given, beforeBet, store: seen }: Crowd) {
  const clock = new ManualTimeline();
  const board = new MarketBoard(clock);
  const store = new MemoryLedger(clock);
  const ledger = beforeEachBet(store, async () => beforeBet?.(), seen?.(store));
  const venues = new Venues(new PaperExchange(), [venueFrom(board, null)]);
  const context = anOrderContext({ clock, openingCash: usdc('100000') });
  const ports: UseCasePorts & { timeline: ManualTimeline } = { ...context, ledger, venues, timeline: clock, ...given };
  const use = useCases(ports);
  const create = () =>
    use.strategies.create.execute({
      account: ALICE,
      draft: aDraft({ automation: 'auto', rules }),
      idempotencyKey: null,
    });
  const { record: first } = await create();
  for (let n = 1; n < strategies; n++) await create();
  await board.list(GAME);
  const { runner, refresh, faults } = await runningStrategies(ports, use.strategies.skips);
  return {
    ledger,
    clock,
    board,
    use,
    runner,
    refresh,
    faults,
    create,
    game: GAME,
    strategy: first,
    show: (asks: string) => board.show(GAME.id, levels('0.48x100000'), levels(asks)),
    orders: () => store.listOrders(ALICE, {}, { limit: 1000 }),
    /** How often strategies looked and did not bet, since the last call. */
    skips: () => use.strategies.skips.takeCounts().reduce((sum, { count }) => sum + count, 0),
  };
}
