import { fileURLToPath } from 'node:url';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import {
  AccountReadings,
  apiRoutes,
  createApp,
  EventStreams,
  type HttpServer,
  type Metrics,
  type Route,
  type StreamParts,
  serve,
  type UiParts,
} from '../../adapters/http/index.js';
import { VERSION } from '../../adapters/system/version.js';
import { isDemo } from '../../core/market/market.js';
import { CommandFailed, EXIT } from '../failures/exit.js';
import { metric } from '../metrics/own-metrics.js';
import { type Config, movesMoney, type UiConfig } from '../settings/config.js';
import { parseDuration } from '../settings/duration.js';
import {
  AUTHENTICATORS,
  KEY_USE_CASES,
  KNOWN_SPORTS,
  LEDGER,
  NETS_OUTCOMES,
  SERVER_USE_CASES,
  SESSION_USE_CASES,
  USE_CASE_PORTS,
  USE_CASES,
  VENUES,
  WEBHOOK_USE_CASES,
} from '../wiring/tokens.js';
import { connectionLimit, LimitLog } from './connection-limit.js';
import { LoggingObserver } from './log.js';
import { RECOVERING, type Readiness, reasonsOf, unready } from './readiness.js';

/** The folder of the package. */
const GUIDE = fileURLToPath(new URL('../../../', import.meta.url));
const SWAGGER_UI = fileURLToPath(new URL('../../../dist/swagger-ui/', import.meta.url));
const DASHBOARD = fileURLToPath(new URL('../../../dist/ui/', import.meta.url));

/** The API, at its address. Streams end before the connections do. */
export async function listening(
  container: Container,
  config: Config,
  logger: Logger,
  health: Readiness,
  metrics: Metrics,
): Promise<HttpServer> {
  metrics.watch(...metric('stakeport_ready'), () => Number(reasonsOf(health).length === 0));
  const streams = await eventStreams(
    container,
    config,
    { reasons: () => reasonsOf(health), marketData: health.source.state },
    metrics,
    logger,
  );
  const app = await appOf(container, config, logger, health, metrics, streams);
  const http = await listen(app, config, metrics, logger);
  const close = (graceMs: number) => {
    streams.end();
    return http.close(graceMs);
  };
  return { url: http.url, close };
}

async function appOf(
  container: Container,
  config: Config,
  logger: Logger,
  health: Readiness,
  metrics: Metrics,
  streams: EventStreams,
) {
  return createApp({
    routes: routesOf(container, config, streams),
    authenticator: (await container.getAsync(AUTHENTICATORS)).ofRequests,
    observer: new LoggingObserver(logger, metrics),
    metrics,
    writesPerMinute: config.writesPerMinute,
    unready: () => unready(health),
    state: () => Object.fromEntries(Object.entries(health.state).map(([name, read]) => [name, read()])),
    asked: health.asked,
    catchingUp: () => health.busy.has(RECOVERING),
    host: config.host,
    allowedHosts: config.allowedHosts,
    corsOrigins: config.corsOrigins,
    version: VERSION,
    dev: config.auth.mode === 'dev',
    swaggerUi: SWAGGER_UI,
    guide: GUIDE,
    ...(config.ui !== null && { ui: uiOf(container, config, config.ui) }),
  });
}

function uiOf(container: Container, config: Config, { mayTrade }: UiConfig): UiParts {
  const { accounts, trading } = container.get(USE_CASES);
  return {
    folder: DASHBOARD,
    isLive: movesMoney(config),
    isPlayMoney: config.live !== null && isDemo(config.live.venue),
    mayTrade,
    dayZone: config.dayZone,
    portfolio: accounts.portfolio,
    trading,
  };
}

/**
 * Listens at HOST and PORT, with connections limited so that the rest of the process keeps its file descriptors.
 * @throws CommandFailed when the address is taken or is not one of this machine
 */
async function listen(
  app: ReturnType<typeof createApp>,
  config: Config,
  metrics: Metrics,
  logger: Logger,
): Promise<HttpServer> {
  const most = connectionLimit();
  const observer = new LimitLog(most, metrics, logger);
  return serve(app, config.host, config.port, { connections: { most, observer } }).catch((error: unknown) => {
    throw listenFailure(error, config);
  });
}

/** Why the server cannot listen at HOST and PORT, and what to change; another error is returned as it is. */
function listenFailure(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  switch (code) {
    case 'EADDRINUSE': {
      const words = `PORT ${port} is in use by another program on ${host}. Stop that one, or set another PORT.`;
      return new CommandFailed(`${words} 0 takes any free port.`, EXIT.taken, error);
    }
    case 'EADDRNOTAVAIL':
      return new CommandFailed(`HOST ${host} is not an address of this machine. ${INSTEAD}`, EXIT.config, error);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CommandFailed(`HOST ${host} is a name without an address (${code}). ${INSTEAD}`, EXIT.config, error);
    case 'EACCES':
      return new CommandFailed(
        `PORT ${port} is not permitted for this user (EACCES). Set one of 1024 or above.`,
        EXIT.config,
        error,
      );
    default:
      return error;
  }
}

const INSTEAD = 'Set 127.0.0.1 for this machine alone, 0.0.0.0 or :: for every address of it.';

/** Everything that the API answers. */
function routesOf(container: Container, config: Config, streams: EventStreams): Route[] {
  const { auth, marketData, host, allowedHosts } = config;
  const hasKeys = 'pepper' in auth;
  return apiRoutes({
    use: container.get(USE_CASES),
    streams,
    knownSports: container.get(KNOWN_SPORTS),
    netsOutcomes: container.get(NETS_OUTCOMES),
    knownVenues: () => container.get(VENUES).all.map((venue) => venue.marketData.venue),
    hasMarketData: marketData.kind !== 'none',
    webhooks: container.isBound(WEBHOOK_USE_CASES) ? container.get(WEBHOOK_USE_CASES) : null,
    servers: container.get(SERVER_USE_CASES),
    keys: hasKeys ? container.get(KEY_USE_CASES) : null,
    pause: container.get(USE_CASE_PORTS).pause,
    lifetime: parseDuration,
    sessions: hasKeys ? container.get(SESSION_USE_CASES) : null,
    host,
    allowedHosts,
  });
}

/** The streams of a server. They never take more than half of its connections, so that orders find one. */
async function eventStreams(
  container: Container,
  { streamLimits: { perKey, perAccount, total } }: Pick<Config, 'streamLimits'>,
  { reasons, marketData }: Pick<StreamParts, 'reasons' | 'marketData'>,
  metrics: Metrics,
  logger: Logger,
): Promise<EventStreams> {
  const { accounts, markets } = container.get(USE_CASES);
  const streams = new EventStreams({
    markets: markets.subscriptions,
    readEvents: accounts.events,
    log: container.get(LEDGER).log,
    knownSports: container.get(KNOWN_SPORTS),
    readings: new AccountReadings(accounts.portfolio, container.get(USE_CASE_PORTS).pause),
    authenticator: (await container.getAsync(AUTHENTICATORS)).ofStaying,
    limits: { perKey, perAccount, total: Math.min(total, Math.floor(connectionLimit() / 2)) },
    reasons,
    ...(marketData && { marketData }),
    failed: (error) => logger.error({ err: error }, 'a stream of events failed'),
  });
  metrics.watch(...metric('stakeport_event_streams'), () => streams.size - streams.ofMarkets);
  metrics.watch(...metric('stakeport_event_stream_lag_seconds'), () => streams.behindMs / 1000);
  metrics.watch(...metric('stakeport_market_streams'), () => streams.ofMarkets);
  metrics.watch(...metric('stakeport_market_stream_lag_seconds'), () => streams.marketsBehindMs / 1000);
  return streams;
}
