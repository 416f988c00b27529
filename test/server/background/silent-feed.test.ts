import { expect, test } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { startStrategies } from '../../../src/server/background/strategy-runner.js';
import { createLogger } from '../../../src/server/http/log.js';
import { readConfig } from '../../../src/server/settings/config.js';
import { createContainer } from '../../../src/server/wiring/container.js';
import { USE_CASES } from '../../../src/server/wiring/tokens.js';
import { ALICE, aDraft } from '../../support/builders.js';
import { sourceOf } from '../../support/quoted-markets.js';
import { aMarket, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';
import { HOME, START } from '../../support/strategy-stage.js';

const SECOND = 1000;
const GAME = { sport: 'nba', league: 'nba', kind: 'moneyline', role: 'home', startsAt: new Date(START) } as const;

/** A server with a strategy that follows a game of which no book comes. */
async function silent(mayTrade = true) {
  const [ledger, timeline] = [new MemoryLedger(), new ManualTimeline()];
  const game = new ScriptedMarket(aMarket({}, GAME), timeline);
  game.first = null;
  const config = readConfig({ DATABASE_URL: 'memory:' });
  const container = createContainer(config, { ledger }, sourceOf(game, timeline));
  const { strategies, trading, alarms } = container.get(USE_CASES);
  const draft = aDraft({ sport: 'nba', automation: 'auto', rules: HOME });
  await strategies.create.execute({ account: ALICE, draft, idempotencyKey: null });
  const lines: string[] = [];
  const logger = createLogger('error', { write: (line: string) => void lines.push(line) });
  const end = startStrategies(container, timeline, logger, () => mayTrade);
  return {
    ...{ game, timeline, lines, end },
    states: async () => (await trading.read.now(ALICE)).states,
    alarms: () => alarms.read.execute(ALICE, true),
  };
}

test('while the strategies that a server runs hear nothing of their markets, real money only lowers a worst case', async () => {
  const { game, timeline, states, alarms, lines, end } = await silent();
  await timeline.pass(60 * SECOND);
  expect([game.isFollowed, await states()]).toEqual([true, []]);
  await timeline.pass(20 * SECOND);
  expect(await states()).toMatchObject([
    {
      ...{ scope: 'service', state: 'reducing', stops: 'live', by: 'service', code: 'feed_silent' },
      reason: expect.stringMatching(/^No book of none could be trusted since 2026-03-01T12:00:/),
    },
  ]);
  expect(await alarms()).toMatchObject([
    {
      kind: 'feed_stale',
      scope: 'service',
      detail: expect.stringMatching(/^No book of none could be trusted since .*\.$/),
    },
  ]);
  // It says so for as long as that lasts, and no longer.
  await timeline.pass(30 * SECOND);
  const said = lines.length;
  expect(said).toBeGreaterThan(3);
  await game.show('0.54x1000', '0.56x1000');
  await timeline.pass(50 * SECOND);
  expect(lines).toHaveLength(said);
  end();
});

test('a server that runs no strategies, or is stopped, says nothing of their markets', async () => {
  const { timeline, states, end } = await silent(false);
  await timeline.pass(180 * SECOND);
  expect(await states()).toEqual([]);
  end();
  const stopped = await silent();
  await stopped.timeline.pass(30 * SECOND);
  stopped.end();
  await stopped.timeline.pass(180 * SECOND);
  expect(await stopped.states()).toEqual([]);
});
