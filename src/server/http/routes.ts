import type { Container } from 'inversify';
import {
  accountRoutes,
  alarmRoutes,
  approvalRoutes,
  decisionRoutes,
  type EventStreams,
  eventRoutes,
  keyRoutes,
  limitsRoutes,
  marketRoutes,
  orderRoutes,
  portfolioRoutes,
  type Route,
  serverRoutes,
  sessionRoutes,
  signalRoutes,
  strategyRoutes,
  streamRoutes,
  tradingRoutes,
  webhookRoutes,
} from '../../adapters/http/index.js';
import type { Config } from '../settings/config.js';
import { parseDuration } from '../settings/duration.js';
import {
  KEY_USE_CASES,
  KNOWN_SPORTS,
  SERVER_USE_CASES,
  SESSION_USE_CASES,
  USE_CASES,
  WEBHOOK_USE_CASES,
} from '../wiring/tokens.js';

/** Everything that the API answers. */
export function routesOf(container: Container, config: Config, streams: EventStreams): Route[] {
  const { auth, marketData, host, allowedHosts } = config;
  const { orders, strategies, approvals, markets, accounts, signals, limits, trading, alarms } =
    container.get(USE_CASES);
  return [
    ...strategyRoutes({
      createStrategy: strategies.create,
      changeStrategy: strategies.change,
      archiveStrategy: strategies.archive,
      readStrategies: strategies.read,
      knownSports: container.get(KNOWN_SPORTS),
    }),
    ...decisionRoutes({ evaluateStrategy: strategies.evaluate, readDecisions: strategies.decisions }),
    ...approvalRoutes(approvals),
    ...orderRoutes({ placeOrder: orders.place, cancelOrder: orders.cancel, readOrders: orders.read }),
    ...signalRoutes({ putSignals: signals.put, readSignals: signals.read, removeSignal: signals.remove }),
    ...marketRoutes(markets.read, marketData.kind !== 'none'),
    ...portfolioRoutes(accounts.portfolio),
    ...limitsRoutes({ readLimits: limits.read, changeLimits: limits.change }),
    ...eventRoutes({ readEvents: accounts.events, knownSports: container.get(KNOWN_SPORTS) }),
    ...streamRoutes(streams),
    ...tradingRoutes(trading),
    ...alarmRoutes(alarms.read),
    ...accountRoutes(accounts.resetPaper),
    ...(container.isBound(WEBHOOK_USE_CASES) ? webhookRoutes(container.get(WEBHOOK_USE_CASES)) : []),
    ...sessionRoutes({ sessions: 'pepper' in auth ? container.get(SESSION_USE_CASES) : null, host, allowedHosts }),
    ...serverRoutes(container.get(SERVER_USE_CASES)),
    ...('pepper' in auth ? keyRoutes(container.get(KEY_USE_CASES), parseDuration) : []),
  ];
}
