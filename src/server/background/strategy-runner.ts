import type { Container } from 'inversify';
import type { Logger } from 'pino';
import type { Metrics } from '../../adapters/http/index.js';
import { nextTurn } from '../../adapters/system/index.js';
import type { RaiseAlarms } from '../../core/usecases/alarms/background/raise-alarms.js';
import type { UseCases } from '../../core/usecases/compose.js';
import { automatedTrading } from '../../core/usecases/compose-strategies.js';
import type { TradingParts } from '../../core/usecases/strategies/background/automated-trading.js';
import type { RunStrategies } from '../../core/usecases/strategies/background/run-strategies.js';
import type { Doubt } from '../../core/usecases/trading/background/reduce-for-now.js';
import type { Timeline } from '../../ports/system.js';
import { metric } from '../metrics/own-metrics.js';
import { USE_CASE_PORTS, USE_CASES } from '../wiring/tokens.js';
import { troubleOf } from './alarm-watch.js';

/** Looking for markets may take so long before an alarm is raised. */
const SEARCH_SLOW_MS = 60_000;

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
  const searches = watchSearches(() => automated.trading?.runner ?? null, metrics, { raise: alarms.raise, logger });
  const ports = () => ({ ...container.get(USE_CASE_PORTS), pause: nextTurn, countsLeftOut: true });
  const use = { skips: strategies.skips, expire: approvals.expire };
  const onDoubt = (doubt: Doubt) => reduceFor(doubt, container.get(USE_CASES), logger);
  const hooks = { onFault, mayTrade, changes, onDoubt, onLook: searches.look };
  const automated = automatedTrading(timeline, ports, use, hooks);
  return () => void automated.stop();
}

async function reduceFor(doubt: Doubt, { trading, alarms }: UseCases, logger: Logger): Promise<void> {
  logger.error(`${doubt.reason}; real money only lowers a worst case`);
  await trading.reduceForNow.execute(doubt);
  await alarms.raise.report(troubleOf(doubt));
}

/** Exports how long market searches take and which markets are not followed, and raises an alarm when a search takes too long. */
function watchSearches(
  runner: () => Pick<RunStrategies, 'searchingMs' | 'shares'> | null,
  metrics: Pick<Metrics, 'watch'> | null,
  { raise, logger }: { readonly raise: Pick<RaiseAlarms, 'report'>; readonly logger: Logger },
) {
  metrics?.watch(...metric('stakeport_market_search_seconds'), () => (runner()?.searchingMs ?? 0) / 1000);
  metrics?.watch(...metric('stakeport_markets_not_followed'), () => runner()?.shares.notFollowed ?? 0);
  metrics?.watch(...metric('stakeport_outcomes_watched'), () => runner()?.shares.watched ?? 0);
  metrics?.watch(...metric('stakeport_outcomes_not_watched'), () => runner()?.shares.notWatched ?? 0);
  return {
    async look({ runner: { searchingMs } }: TradingParts): Promise<void> {
      if (searchingMs < SEARCH_SLOW_MS) return;
      const detail = `Looking for markets takes ${Math.round(searchingMs / 1000)} s.`;
      logger.warn(`strategies: ${detail}`);
      await raise.report({ kind: 'market_search_slow', subject: '', detail });
    },
  };
}
