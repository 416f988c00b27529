import { fileURLToPath } from 'node:url';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import {
  accountRoutes,
  createApp,
  keyRoutes,
  Metrics,
  marketRoutes,
  orderRoutes,
  portfolioRoutes,
  type Route,
  serve,
  strategyRoutes,
} from '../adapters/http/index.js';
import { BookPaperExchange } from '../adapters/paper/index.js';
import { CancelOrder } from '../core/usecases/cancel-order.js';
import { ArchiveStrategy, ChangeStrategy } from '../core/usecases/change-strategy.js';
import { CreateStrategy } from '../core/usecases/create-strategy.js';
import { ManageKeys } from '../core/usecases/manage-keys.js';
import { PlaceOrder } from '../core/usecases/place-order.js';
import { ReadMarkets } from '../core/usecases/read-markets.js';
import { ReadOrders } from '../core/usecases/read-orders.js';
import { ReadPortfolio } from '../core/usecases/read-portfolio.js';
import { ReadStrategies } from '../core/usecases/read-strategies.js';
import { RecoverOrders } from '../core/usecases/recover-orders.js';
import { ResetPaperAccount } from '../core/usecases/reset-paper-account.js';
import { ResumeOrders } from '../core/usecases/resume-orders.js';
import { RetraceOrders } from '../core/usecases/retrace-orders.js';
import { startBackground } from './background.js';
import type { Config } from './config.js';
import { createContainer } from './container.js';
import { parseDuration } from './duration.js';
import { LoggingObserver } from './log.js';
import { type MarketSource, openMarketSource } from './market-source.js';
import { openStore, type Store } from './store.js';
import { AUTHENTICATOR, LEDGER } from './tokens.js';
import { VERSION } from './version.js';

const DRAIN_MS = 10_000;
/** Why it is not ready at first. */
const RECOVERING = 'recovering orders';
const SWAGGER_UI = fileURLToPath(new URL('../../dist/swagger-ui/', import.meta.url));

/** A server that is up. */
export interface RunningServer {
  readonly url: string;
  /** Not ready from now on; answers what was asked, then closes the store. Repeating it waits for the same end. */
  stop(): Promise<void>;
}

/**
 * Opens the store and the source of market data, finishes what a crash left behind, and listens; `/readyz` is 503 until all
 * of that is done.
 * @throws when something cannot be opened or the address is taken; nothing is left open then.
 */
export async function startServer(config: Config, logger: Logger): Promise<RunningServer> {
  const store = await openStore(config, true);
  try {
    const source = await openMarketSource(config.marketData, (reason, error) =>
      logger.warn({ err: error, reason }, 'market data is interrupted'),
    );
    try {
      return await serveFrom(store, source, config, logger);
    } catch (error) {
      await source.close();
      throw error;
    }
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function serveFrom(store: Store, source: MarketSource, config: Config, logger: Logger): Promise<RunningServer> {
  const busy = new Set([RECOVERING]);
  const container = createContainer(config, store, source, logger);
  const http = await serve(appOf(container, config, logger, busy), config.host, config.port);
  try {
    await resume(container, source, logger);
  } catch (error) {
    await http.close(0);
    throw error;
  }
  busy.delete(RECOVERING);
  const endBackground = startBackground(container, config, source.timeline, logger);
  const stop = async () => {
    busy.add('shutting down');
    endBackground();
    await http.close(DRAIN_MS);
    if (source.hasBooks) container.get(BookPaperExchange).close();
    await source.close();
    await store.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    url: http.url,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

function appOf(container: Container, config: Config, logger: Logger, busy: ReadonlySet<string>) {
  const metrics = new Metrics();
  return createApp({
    routes: routesOf(container, config),
    authenticator: container.get(AUTHENTICATOR),
    observer: new LoggingObserver(logger, metrics),
    metrics,
    unready: () => unready(container, busy),
    catchingUp: () => busy.has(RECOVERING),
    corsOrigins: config.corsOrigins,
    version: VERSION,
    dev: config.auth.mode === 'dev',
    swaggerUi: SWAGGER_UI,
  });
}

/**
 * What rested takes its place again, or, where the same time is played again, does there what it did before; then the market
 * goes on, and what was on its way is looked after.
 */
async function resume(container: Container, source: MarketSource, logger: Logger): Promise<void> {
  const { recorded } = source;
  if (recorded !== null) await source.start(await container.get(RetraceOrders).execute(recorded));
  else if (source.hasBooks) await container.get(ResumeOrders).execute();
  await recover(container, logger);
}

async function recover(container: Container, logger: Logger): Promise<void> {
  const recovered = await container.get(RecoverOrders).execute();
  if (recovered > 0) logger.warn({ orders: recovered }, 'looked after orders that were on their way');
}

function routesOf(container: Container, { auth }: Config): Route[] {
  const strategies = strategyRoutes({
    createStrategy: container.get(CreateStrategy),
    changeStrategy: container.get(ChangeStrategy),
    archiveStrategy: container.get(ArchiveStrategy),
    readStrategies: container.get(ReadStrategies),
  });
  const orders = orderRoutes({
    placeOrder: container.get(PlaceOrder),
    cancelOrder: container.get(CancelOrder),
    readOrders: container.get(ReadOrders),
  });
  const reading = [...marketRoutes(container.get(ReadMarkets)), ...portfolioRoutes(container.get(ReadPortfolio))];
  const keys = 'pepper' in auth ? keyRoutes(container.get(ManageKeys), parseDuration) : [];
  return [...strategies, ...orders, ...reading, ...accountRoutes(container.get(ResetPaperAccount)), ...keys];
}

async function unready(container: Container, busy: ReadonlySet<string>): Promise<readonly string[]> {
  const reasons = [...busy];
  await container
    .get(LEDGER)
    .ping()
    .catch(() => reasons.push('storage does not answer'));
  return reasons;
}
