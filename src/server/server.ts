import { fileURLToPath } from 'node:url';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import {
  createApp,
  keyRoutes,
  Metrics,
  orderRoutes,
  type Route,
  serve,
  strategyRoutes,
} from '../adapters/http/index.js';
import { CancelOrder } from '../core/usecases/cancel-order.js';
import { ArchiveStrategy, ChangeStrategy } from '../core/usecases/change-strategy.js';
import { CreateStrategy } from '../core/usecases/create-strategy.js';
import { ManageKeys } from '../core/usecases/manage-keys.js';
import { PlaceOrder } from '../core/usecases/place-order.js';
import { ReadOrders } from '../core/usecases/read-orders.js';
import { ReadStrategies } from '../core/usecases/read-strategies.js';
import { RecoverOrders } from '../core/usecases/recover-orders.js';
import type { Config } from './config.js';
import { createContainer } from './container.js';
import { parseDuration } from './duration.js';
import { LoggingObserver } from './log.js';
import { openStore } from './store.js';
import { AUTHENTICATOR, CLOCK, LEDGER } from './tokens.js';
import { VERSION } from './version.js';

const DRAIN_MS = 10_000;
const HOUSEKEEPING_MS = 60 * 60 * 1000;
const SWAGGER_UI = fileURLToPath(new URL('../../dist/swagger-ui/', import.meta.url));

/** A server that is up. */
export interface RunningServer {
  readonly url: string;
  /** Not ready from now on; answers what was asked, then closes the store. Repeating it waits for the same end. */
  stop(): Promise<void>;
}

/**
 * Opens the store, finishes what a crash left behind, and listens; `/readyz` is 503 until all of that is done.
 * @throws when the store cannot be opened or the address is taken; nothing is left open then.
 */
export async function startServer(config: Config, logger: Logger): Promise<RunningServer> {
  const store = await openStore(config, true);
  const busy = new Set(['recovering orders']);
  const container = createContainer(config, store);
  const metrics = new Metrics();
  const app = createApp({
    routes: routesOf(container, config),
    authenticator: container.get(AUTHENTICATOR),
    observer: new LoggingObserver(logger, metrics),
    metrics,
    unready: () => unready(container, busy),
    corsOrigins: config.corsOrigins,
    version: VERSION,
    dev: config.auth.mode === 'dev',
    swaggerUi: SWAGGER_UI,
  });
  try {
    const http = await serve(app, config.host, config.port);
    await recover(container, logger).catch(async (error: unknown) => {
      await http.close(0);
      throw error;
    });
    busy.clear();
    const housekeeping = setInterval(() => void tidy(container, logger), HOUSEKEEPING_MS);
    const stop = async () => {
      busy.add('shutting down');
      clearInterval(housekeeping);
      await http.close(DRAIN_MS);
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
  } catch (error) {
    await store.close();
    throw error;
  }
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
  const keys = 'pepper' in auth ? keyRoutes(container.get(ManageKeys), parseDuration) : [];
  return [...strategies, ...orders, ...keys];
}

async function unready(container: Container, busy: ReadonlySet<string>): Promise<readonly string[]> {
  const reasons = [...busy];
  await container
    .get(LEDGER)
    .ping()
    .catch(() => reasons.push('storage does not answer'));
  return reasons;
}

async function tidy(container: Container, logger: Logger): Promise<void> {
  try {
    const forgotten = await container.get(LEDGER).forgetExpiredRequests(container.get(CLOCK).now());
    logger.debug({ forgotten }, 'forgot expired idempotency keys');
  } catch (error) {
    logger.error({ err: error }, 'could not forget expired idempotency keys');
  }
}
