import type { Container } from 'inversify';
import type { Logger } from 'pino';
import type { Metrics } from '../../adapters/http/index.js';
import { nextTurn } from '../../adapters/system/index.js';
import { InOrder } from '../../core/concurrency/concurrency.js';
import type { RaiseAlarms } from '../../core/usecases/alarms/background/raise-alarms.js';
import type { UseCases } from '../../core/usecases/compose.js';
import { afterBetsUseCase, runnerUseCase } from '../../core/usecases/compose-strategies.js';
import type { LookAfterBets } from '../../core/usecases/strategies/background/look-after-bets.js';
import type { RunStrategies } from '../../core/usecases/strategies/background/run-strategies.js';
import type { Doubt } from '../../core/usecases/trading/background/reduce-for-now.js';
import type { InBackground, Timeline } from '../../ports/system.js';
import { metric } from '../metrics/own-metrics.js';
import { USE_CASE_PORTS, USE_CASES } from '../wiring/tokens.js';
import { troubleOf } from './alarm-watch.js';
import { isPlayed, repeat, untilNext } from './repeat.js';

/** How often changed strategies are read: a new version decides from then on. */
const STRATEGIES_EVERY_MS = 1000;
/** How often markets are searched for: games appear, and their start may move. */
const MARKETS_EVERY_MS = 30_000;
/** How often counts of skips are stored. */
const COUNTS_EVERY_MS = 10_000;
/** How often it is read which bets wait for a person; they expire at their ends. */
const APPROVALS_EVERY_MS = 1000;
/** How often it is asked whether market data is silent. */
const SILENCE_EVERY_MS = 10_000;

/** Looking for markets may take so long before an alarm is raised. */
const SEARCH_SLOW_MS = 60_000;

/** The part that places bets, and the part that manages them afterwards. */
interface Running {
  readonly runner: RunStrategies;
  readonly after: LookAfterBets;
}

/**
 * Lets strategies trade by themselves while `mayTrade` is true; `changes` makes readers that answer whether the record may have changed
 * since they were asked. The function returned stops it.
 */
export function startStrategies(
  container: Container,
  timeline: Timeline,
  logger: Logger,
  mayTrade: () => boolean,
  changes: () => () => boolean = () => () => true,
  metrics: Pick<Metrics, 'watch'> | null = null,
): () => void {
  const onFault = (what: string, error: unknown) => logger.warn({ err: error }, `strategies: ${what}`);
  const { strategies, approvals, alarms } = container.get(USE_CASES);
  // Each time that this server takes over, it begins with nothing remembered.
  let running: Running | null = null;
  const start = (): Running => {
    const ports = { ...container.get(USE_CASE_PORTS), ...portsOn(timeline) };
    const after = afterBetsUseCase(ports, strategies.skips, onFault);
    return { after, runner: runnerUseCase(ports, strategies.skips, onFault, after) };
  };
  const current = (): Running | null => {
    if (mayTrade()) running ??= start();
    else {
      stop(running);
      running = null;
    }
    return running;
  };
  const attempt = async (task: (trading: Running) => Promise<unknown>, what: string, isNeeded = () => true) => {
    const now = current();
    if (now !== null && isNeeded()) await task(now).catch((error: unknown) => onFault(what, error));
  };
  const every = (ms: number, task: (trading: Running) => Promise<unknown>, what: string, isNeeded = () => true) =>
    repeat(timeline, ms, () => attempt(task, what, isNeeded));
  const expiry = untilNext(timeline, (plan) =>
    attempt(async () => plan(await approvals.expire.execute()), 'could not let approvals expire'),
  );
  const reduce = (doubt: Doubt | null) => reduceFor(doubt, container.get(USE_CASES), logger);
  const searches = watchSearches(() => running?.runner ?? null, metrics, { raise: alarms.raise, logger });
  const mayHaveEnded = changes();
  const ends = [
    every(STRATEGIES_EVERY_MS, ({ after }) => after.refresh(), 'could not look after bets', changes()),
    every(MARKETS_EVERY_MS, ({ after }) => after.refreshMarkets(), 'could not look after bets'),
    every(STRATEGIES_EVERY_MS, refresh, 'could not read the strategies', changes()),
    every(STRATEGIES_EVERY_MS, noticeSignals, 'could not look for signals', changes()),
    every(STRATEGIES_EVERY_MS, ({ runner }) => runner.endHolds(mayHaveEnded()), 'could not look at refused bets'),
    every(MARKETS_EVERY_MS, ({ runner }) => runner.beginRefresh(), 'could not look for markets'),
    every(SILENCE_EVERY_MS, ({ runner }) => reduce(runner.doubt), 'could not put on record that market data is silent'),
    every(SILENCE_EVERY_MS, () => searches.look(), 'could not raise the alarm of a slow search'),
    every(COUNTS_EVERY_MS, ({ runner }) => runner.storeCounts(), 'could not store counts'),
    every(APPROVALS_EVERY_MS, () => expiry.run(), 'could not let approvals expire', changes()),
    () => expiry.end(),
  ];
  return () => {
    for (const end of ends) end();
    void running?.runner.storeCounts();
    stop(running);
  };
}

/** What strategies run with beside the ports of all use cases: on a tape, bets are placed in order. */
const portsOn = (timeline: Timeline) => ({
  timeline,
  pause: nextTurn,
  inBackground: backgroundOf(timeline),
  inOrder: isPlayed(timeline) ? new InOrder() : undefined,
});

async function reduceFor(doubt: Doubt | null, { trading, alarms }: UseCases, logger: Logger): Promise<void> {
  if (doubt === null) return;
  logger.error(`${doubt.reason}; real money only lowers a worst case`);
  await trading.reduceForNow.execute(doubt);
  await alarms.raise.tell(troubleOf(doubt));
}

/** Exports how long market searches take and which markets are not followed, and raises an alarm when a search takes too long. */
function watchSearches(
  runner: () => Pick<RunStrategies, 'searchingMs' | 'shares'> | null,
  metrics: Pick<Metrics, 'watch'> | null,
  { raise, logger }: { readonly raise: Pick<RaiseAlarms, 'tell'>; readonly logger: Logger },
) {
  metrics?.watch(...metric('stakeport_market_search_seconds'), () => (runner()?.searchingMs ?? 0) / 1000);
  metrics?.watch(...metric('stakeport_markets_not_followed'), () => runner()?.shares.notFollowed ?? 0);
  metrics?.watch(...metric('stakeport_outcomes_watched'), () => runner()?.shares.watched ?? 0);
  metrics?.watch(...metric('stakeport_outcomes_not_watched'), () => runner()?.shares.notWatched ?? 0);
  return {
    async look(): Promise<void> {
      const searchingMs = runner()?.searchingMs ?? 0;
      if (searchingMs < SEARCH_SLOW_MS) return;
      const detail = `Looking for markets takes ${Math.round(searchingMs / 1000)} s.`;
      logger.warn(`strategies: ${detail}`);
      await raise.tell({ kind: 'market_search_slow', subject: '', detail });
    },
  };
}

/** A feed goes on while orders wait for their venue; a tape stands still until they are there. */
const backgroundOf = (timeline: Timeline): InBackground =>
  isPlayed(timeline)
    ? (work) => timeline.inBackground(work)
    : async (work) => {
        void work();
      };

/** Takes in changed strategies, and searches for markets at once where one is new; nothing waits for the search. */
async function refresh({ runner }: Running): Promise<void> {
  if (await runner.refreshStrategies()) await runner.followNew();
}

/** Notices the signals that decide bets, and those that decide exits. */
const noticeSignals = ({ runner, after }: Running): Promise<void> => runner.noticeSignals(after.signalKeys());

function stop(running: Running | null): void {
  running?.runner.stop();
  running?.after.stop();
}
