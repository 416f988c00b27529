import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { StrategyDraft } from '../../../src/core/strategy/strategy.js';
import { startStrategies } from '../../../src/server/background/strategy-runner.js';
import { createLogger } from '../../../src/server/http/log.js';
import { readConfig } from '../../../src/server/settings/config.js';
import { createContainer } from '../../../src/server/wiring/container.js';
import { USE_CASES } from '../../../src/server/wiring/tokens.js';
import { ALICE, aDraft } from '../../support/builders.js';
import { sourceOf } from '../../support/quoted-markets.js';
import { aMarket, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';
import { HOME, START } from '../../support/strategy-stage.js';

const GAME = { sport: 'nba', league: 'nba', kind: 'moneyline', role: 'home', startsAt: new Date(START) } as const;

/** A server whose strategy follows a game of which no book comes until one is shown. */
export async function serverOfStrategies({
  mayTrade = true,
  ...draft
}: Partial<StrategyDraft> & { mayTrade?: boolean }) {
  const timeline = new ManualTimeline();
  const ledger = new MemoryLedger(timeline);
  const game = new ScriptedMarket(aMarket({}, GAME), timeline);
  game.first = null;
  const container = createContainer(readConfig({ DATABASE_URL: 'memory:' }), { ledger }, sourceOf(game, timeline));
  const use = container.get(USE_CASES);
  const asked = { account: ALICE, draft: aDraft({ sport: 'nba', automation: 'auto', rules: HOME, ...draft }) };
  const { record: strategy } = await use.strategies.create.execute({ ...asked, idempotencyKey: null });
  const lines: string[] = [];
  const logger = createLogger('error', { write: (line: string) => void lines.push(line) });
  const end = startStrategies(container, timeline, logger, () => mayTrade);
  return { ledger, game, timeline, lines, end, use, strategy };
}
