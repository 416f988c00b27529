import type { Container } from 'inversify';
import type { Logger } from 'pino';
import {
  AccountReadings,
  apiRoutes,
  EventStreams,
  type Metrics,
  type Route,
  type StreamParts,
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
  const hasKeys = 'pepper' in auth;
  return apiRoutes({
    use: container.get(USE_CASES),
    streams,
    knownSports: container.get(KNOWN_SPORTS),
    hasMarketData: marketData.kind !== 'none',
    webhooks: container.isBound(WEBHOOK_USE_CASES) ? container.get(WEBHOOK_USE_CASES) : null,
    servers: container.get(SERVER_USE_CASES),
    keys: hasKeys ? container.get(KEY_USE_CASES) : null,
    lifetime: parseDuration,
    sessions: hasKeys ? container.get(SESSION_USE_CASES) : null,
    host,
    allowedHosts,
  });
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
