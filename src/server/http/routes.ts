import type { Container } from 'inversify';
import type { Logger } from 'pino';
import {
  AccountReadings,
  accountRoutes,
  alarmRoutes,
  approvalRoutes,
  decisionRoutes,
  EventStreams,
  eventRoutes,
  keyRoutes,
  limitsRoutes,
  type Metrics,
  marketRoutes,
  orderRoutes,
  portfolioRoutes,
  type Route,
  type StreamParts,
  serverRoutes,
  sessionRoutes,
  signalRoutes,
  strategyRoutes,
  streamRoutes,
  tradingRoutes,
  webhookRoutes,
} from '../../adapters/http/index.js';
import type { Config } from '../settings/config.js';
import { parseDuration } from '../settings/values.js';
import {
  AUTHENTICATORS,
  KEY_USE_CASES,
  KNOWN_SPORTS,
  LEDGER,
  SERVER_USE_CASES,
  SESSION_USE_CASES,
  USE_CASES,
  WEBHOOK_USE_CASES,
} from '../wiring/tokens.js';
import { connectionLimit } from './connection-limit.js';

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

const LAG = 'How long the stream that is furthest behind has had events to be told; 0 where none has.';

/** The streams of a server. They never take more than half of its connections, so that orders find one. */
export async function eventStreams(
  container: Container,
  { streamLimits: { perKey, perAccount, total } }: Pick<Config, 'streamLimits'>,
  { reasons, marketData }: Pick<StreamParts, 'reasons' | 'marketData'>,
  metrics: Metrics,
  logger: Logger,
): Promise<EventStreams> {
  const { accounts } = container.get(USE_CASES);
  const streams = new EventStreams({
    readEvents: accounts.events,
    log: container.get(LEDGER).log,
    knownSports: container.get(KNOWN_SPORTS),
    readings: new AccountReadings(accounts.portfolio),
    authenticator: (await container.getAsync(AUTHENTICATORS)).ofStaying,
    limits: { perKey, perAccount, total: Math.min(total, Math.floor(connectionLimit() / 2)) },
    reasons,
    ...(marketData && { marketData }),
    failed: (error) => logger.error({ err: error }, 'a stream of events failed'),
  });
  metrics.watch('stakeport_event_streams', 'Streams of events that are open.', () => streams.size);
  metrics.watch('stakeport_event_stream_lag_seconds', LAG, () => streams.behindMs / 1000);
  return streams;
}
