import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { StrategyDraft } from '../../../src/core/strategy/strategy.js';
import type { MarketData } from '../../../src/ports/market-data.js';
import { startStrategies } from '../../../src/server/background/strategy-runner.js';
import { createLogger } from '../../../src/server/http/log.js';
import { readConfig } from '../../../src/server/settings/config.js';
import { createContainer } from '../../../src/server/wiring/container.js';
import { ORDER_CONTEXT, USE_CASES } from '../../../src/server/wiring/tokens.js';
import { ALICE, aDraft } from '../../support/builders.js';
import { sourceOf } from '../../support/quoted-markets.js';
import { aMarket, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';
import { HOME, START, UnwaitedTimeline } from '../../support/strategy-fixture.js';

const GAME = { sport: 'nba', league: 'nba', kind: 'moneyline', role: 'home', startsAt: new Date(START) } as const;

/** A server whose strategy follows a game of which no book comes until one is shown. All its time is that of the game. */
export async function serverOfStrategies({
  mayTrade = true,
  search,
  ...draft
}: Partial<StrategyDraft> & { mayTrade?: boolean; search?: MarketData['search'] }) {
  // A search that is not answered keeps no time from passing.
  const timeline = search === undefined ? new ManualTimeline() : new UnwaitedTimeline();
  const ledger = new MemoryLedger(timeline);
  const game = new ScriptedMarket(aMarket({}, GAME), timeline);
  game.first = null;
  const data: MarketData = search === undefined ? game : withSearch(game, search);
  const container = createContainer(readConfig({ DATABASE_URL: 'memory:' }), { ledger }, sourceOf(data, timeline));
  const stopwatch = () => timeline.now().getTime();
  const context = { ...container.get(ORDER_CONTEXT), wallClock: timeline, stopwatch };
  (await container.rebindAsync(ORDER_CONTEXT)).toConstantValue(context);
  const use = container.get(USE_CASES);
  const asked = { account: ALICE, draft: aDraft({ sport: 'nba', automation: 'auto', rules: HOME, ...draft }) };
  const { record: strategy } = await use.strategies.create.execute({ ...asked, idempotencyKey: null });
  const lines: string[] = [];
  const logger = createLogger('error', { write: (line: string) => void lines.push(line) });
  const figures = new Map<string, () => number>();
  const metrics = { watch: (name: string, _: string, read: () => number) => void figures.set(name, read) };
  const end = startStrategies(container, timeline, logger, () => mayTrade, undefined, metrics);
  return { ledger, game, timeline, lines, figures, end, use, strategy };
}

function withSearch(game: ScriptedMarket, search: MarketData['search']): MarketData {
  const { venue } = game;
  return { venue, search, find: game.find.bind(game), book: game.book.bind(game), follow: game.follow.bind(game) };
}
