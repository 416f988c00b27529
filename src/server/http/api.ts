import { fileURLToPath } from 'node:url';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import {
  createApp,
  type EventStreams,
  type HttpServer,
  type Metrics,
  type UiParts,
} from '../../adapters/http/index.js';
import type { Config, UiConfig } from '../settings/config.js';
import { movesMoney } from '../settings/moves-money.js';
import { AUTHENTICATORS, USE_CASES } from '../wiring/tokens.js';
import { listen } from './listen.js';
import { LoggingObserver } from './log.js';
import { RECOVERING, type Readiness, reasonsOf, unready } from './readiness.js';
import { routesOf } from './routes.js';
import { eventStreams } from './streams.js';
import { VERSION } from './version.js';

/** The folder of the package. */
const GUIDE = fileURLToPath(new URL('../../../', import.meta.url));
const SWAGGER_UI = fileURLToPath(new URL('../../../dist/swagger-ui/', import.meta.url));
const DASHBOARD = fileURLToPath(new URL('../../../dist/ui/', import.meta.url));

const READY = '1 while the server takes requests, 0 while /readyz gives a reason other than its database.';

/** The API, at its address. Streams end before the connections do. */
export async function listening(
  container: Container,
  config: Config,
  logger: Logger,
  health: Readiness,
  metrics: Metrics,
): Promise<HttpServer> {
  metrics.watch('stakeport_ready', READY, () => Number(reasonsOf(health).length === 0));
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
    mayTrade,
    dayZone: config.dayZone,
    portfolio: accounts.portfolio,
    trading,
  };
}
