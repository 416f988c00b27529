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
import { systemClock } from '../adapters/system/system.js';
import { CancelOrder } from '../core/usecases/cancel-order.js';
import { ArchiveStrategy, ChangeStrategy } from '../core/usecases/change-strategy.js';
import { CreateStrategy } from '../core/usecases/create-strategy.js';
import { LookAfterOrders } from '../core/usecases/look-after-orders.js';
import { ManageKeys } from '../core/usecases/manage-keys.js';
import { PlaceOrder } from '../core/usecases/place-order.js';
import { ReadMarkets } from '../core/usecases/read-markets.js';
import { ReadOrders } from '../core/usecases/read-orders.js';
import { ReadPortfolio } from '../core/usecases/read-portfolio.js';
import { ReadStrategies } from '../core/usecases/read-strategies.js';
import { ReconcileOrders } from '../core/usecases/reconcile-orders.js';
import { RecoverOrders } from '../core/usecases/recover-orders.js';
import { RedeemPositions } from '../core/usecases/redeem-positions.js';
import { ResetPaperAccount } from '../core/usecases/reset-paper-account.js';
import { ResumeOrders } from '../core/usecases/resume-orders.js';
import { RetraceOrders } from '../core/usecases/retrace-orders.js';
import type { Hex } from '../ports/signer.js';
import { startBackground } from './background.js';
import { TapeBookmark } from './bookmark.js';
import type { Config } from './config.js';
import { createContainer } from './container.js';
import { refuseToBelieve } from './dev-database.js';
import { parseDuration } from './duration.js';
import { type LiveVenue, openLiveVenue, openSigner } from './live-venue.js';
import { LiveWork } from './live-work.js';
import { LoggingObserver } from './log.js';
import { type MarketSource, openMarketSource } from './market-source.js';
import { Opened, unlessInterrupted } from './opened.js';
import { redeemEvery } from './redeem-every.js';
import { ReturningOrders } from './returning-orders.js';
import { openStore, type Store } from './store.js';
import { AUTHENTICATOR, BOOKMARKS, LEDGER } from './tokens.js';
import { VERSION } from './version.js';

const DRAIN_MS = 8000;
/** Why it is not ready at first. */
const RECOVERING = 'recovering orders';
const UNRECONCILED = 'the record was not held against the exchange for five minutes';
const SWAGGER_UI = fileURLToPath(new URL('../../dist/swagger-ui/', import.meta.url));

/** A server that is up. */
export interface RunningServer {
  readonly url: string;
  /** From when a tape is played on; null where there is none. */
  readonly playedFrom: Date | null;
  /** The address of the key that trades with real money; null where nobody can. */
  readonly wallet: Hex | null;
  /** Not ready from now on; answers what was asked, then closes the store. Repeating it waits for the same end. */
  stop(): Promise<void>;
}

/**
 * Opens the store, the source of market data and with LIVE_TRADING=on the exchange for real money, finishes what a crash
 * left behind, and listens; `/readyz` is 503 until all of that is done.
 * @throws when something cannot be opened, the address is taken, or it is interrupted; nothing is left open then.
 */
export async function startServer(config: Config, logger: Logger, interrupted: AbortSignal): Promise<RunningServer> {
  const opened = new Opened();
  try {
    return await unlessInterrupted(interrupted, start(config, logger, opened));
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** What keeps a server from being ready. */
interface Health {
  readonly busy: ReadonlySet<string>;
  /** Asked each time; null while there is nothing. */
  readonly doubts: readonly (() => string | null)[];
}

/** All that a server stands on, open. */
interface Parts {
  readonly store: Store;
  readonly source: MarketSource;
  readonly venue: LiveVenue | null;
}

async function start(config: Config, logger: Logger, opened: Opened): Promise<RunningServer> {
  const parts = await openParts(config, logger, opened);
  const { store, source, venue } = parts;
  const busy = new Set([RECOVERING]);
  const container = createContainer(config, store, source, logger, venue);
  const doubts: (() => string | null)[] = [];
  const metrics = new Metrics();
  const http = await serve(appOf(container, config, logger, { busy, doubts }, metrics), config.host, config.port);
  await opened.add(http, () => http.close(0));
  const returning = returningOrders(container, source, logger);
  await opened.add(returning, () => returning.end());
  const live = venue && liveWork(container, venue, source, logger);
  if (live !== null) {
    await opened.add(live, () => live.close());
    watchLive(metrics, live);
    doubts.push(() => (live.isStale ? UNRECONCILED : null));
  }
  const playedFrom = await returning.start();
  await live?.start();
  busy.delete(RECOVERING);
  const { recorded, timeline } = source;
  const bookmark = recorded && new TapeBookmark(container.get(BOOKMARKS), recorded, timeline, logger);
  const endBackground = startBackground(container, config, timeline, logger, bookmark);
  const endRedeeming = venue ? redeemEvery(timeline, container.get(RedeemPositions), logger) : () => {};
  const stop = async () => {
    busy.add('shutting down');
    endBackground();
    endRedeeming();
    returning.end();
    live?.end();
    await http.close(DRAIN_MS);
    await live?.close();
    await bookmark?.setLast();
    if (source.hasBooks) container.get(BookPaperExchange).close();
    await source.close();
    await store.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    ...{ url: http.url, playedFrom, wallet: venue?.address ?? null },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** The key comes first: what is opened later may start threads, and each of those gets a copy of the environment. */
async function openParts(config: Config, logger: Logger, opened: Opened): Promise<Parts> {
  const { live } = config;
  const signer = await openSigner(live);
  const store = await openStore(config, true);
  await opened.add(store, () => store.close());
  if (config.auth.mode === 'dev') await refuseToBelieve(store.ledger, systemClock.now());
  const source = await openMarketSource(config.marketData, (reason, error) =>
    logger.warn({ err: error, reason }, 'market data is interrupted'),
  );
  await opened.add(source, () => source.close());
  if (live === null || signer === null) return { store, source, venue: null };
  const venue = await openLiveVenue(live, signer, source.timeline, logger);
  return { store, source, venue: await opened.add(venue, () => venue.close()) };
}

function liveWork(container: Container, venue: LiveVenue, { timeline }: MarketSource, logger: Logger): LiveWork {
  const useCases = {
    reconcile: container.get(ReconcileOrders),
    lookAfter: container.get(LookAfterOrders),
    ledger: container.get(LEDGER),
    bookmarks: container.get(BOOKMARKS),
  };
  return new LiveWork(venue, useCases, timeline, logger);
}

function watchLive(metrics: Metrics, live: LiveWork): void {
  const unknown = 'Live orders of which nobody knows whether the exchange has them.';
  metrics.watch('stakeport_unknown_orders', unknown, () => live.unknownOrders);
  const swept = 'Time since the record was last held against all that the exchange shows.';
  metrics.watch('stakeport_reconciled_age_seconds', swept, () => live.sinceSweepSeconds);
}

function returningOrders(container: Container, source: MarketSource, logger: Logger): ReturningOrders {
  const useCases = {
    retrace: container.get(RetraceOrders),
    resume: container.get(ResumeOrders),
    recover: container.get(RecoverOrders),
  };
  return new ReturningOrders(useCases, source, logger);
}

function appOf(container: Container, config: Config, logger: Logger, health: Health, metrics: Metrics) {
  return createApp({
    routes: routesOf(container, config),
    authenticator: container.get(AUTHENTICATOR),
    observer: new LoggingObserver(logger, metrics),
    metrics,
    unready: () => unready(container, health),
    catchingUp: () => health.busy.has(RECOVERING),
    ...{ host: config.host, allowedHosts: config.allowedHosts, corsOrigins: config.corsOrigins },
    version: VERSION,
    dev: config.auth.mode === 'dev',
    swaggerUi: SWAGGER_UI,
  });
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

async function unready(container: Container, { busy, doubts }: Health): Promise<readonly string[]> {
  const reasons = [...busy, ...doubts.map((ask) => ask()).filter((reason) => reason !== null)];
  await container
    .get(LEDGER)
    .ping()
    .catch(() => reasons.push('storage does not answer'));
  return reasons;
}
