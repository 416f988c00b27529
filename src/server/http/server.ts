import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { Metrics } from '../../adapters/http/index.js';
import { LeasedExchange } from '../../adapters/paper/index.js';
import { systemClock } from '../../adapters/system/system.js';
import type { VenueWallet } from '../../ports/venue-adapter.js';
import { startAlarmWatch } from '../background/alarm-watch.js';
import { onceBegun, startBackground } from '../background/background.js';
import { BetClosing, BetKeeping } from '../background/bet-keeping.js';
import { FeedRecording } from '../background/feed-recording.js';
import { leaseTimes } from '../background/lease-keeper.js';
import { returningWithoutBooks } from '../background/leased-paper.js';
import { LiveVenues } from '../background/live-venues.js';
import { openWebhooks } from '../background/open-webhooks.js';
import { PaperTrading } from '../background/paper-trading.js';
import { recordChanges } from '../background/record-changes.js';

import { ResultBooking } from '../background/result-booking.js';
import { StorageHealth } from '../background/storage-health.js';
import { startStrategies } from '../background/strategy-runner.js';
import { TapeBookmark } from '../background/tape-bookmark.js';
import { refuseToBelieve } from '../failures/failure.js';
import { FeedMetrics } from '../metrics/feed-metrics.js';
import { metric } from '../metrics/own-metrics.js';
import { StoreMetrics } from '../metrics/store-metrics.js';
import type { Config, MarketDataConfig } from '../settings/config.js';
import { createContainer, type OpenVenue } from '../wiring/container.js';
import { openLiveVenue, openWallet } from '../wiring/live-venue.js';
import { type MarketSource, openMarketSource } from '../wiring/market-source.js';
import { Opened, unlessInterrupted } from '../wiring/opened.js';
import { Precedence } from '../wiring/precedence.js';
import { type OpenStore, openStore } from '../wiring/store.js';
import { BOOKMARKS, USE_CASES } from '../wiring/tokens.js';
import { listening } from './api.js';
import { RECOVERING, type Readiness } from './readiness.js';

const DRAIN_MS = 8000;

/** A server that is up. */
export interface RunningServer {
  readonly url: string;
  /** From when a tape is played on; null where there is none or another server plays it. */
  readonly playedFrom: Date | null;
  /** The address of the key that trades with real money; null without live trading. */
  readonly wallet: string | null;
  /** Resolves with the reason once nothing more can be recorded: stop the server then. */
  readonly lost: Promise<unknown>;
  /** Not ready from now on; answers pending requests, then closes the store. Further calls wait for the same end. */
  stop(): Promise<void>;
}

/**
 * Opens the store, the source of market data and, with LIVE_TRADING=on, the exchange for real money; recovers from a crash,
 * and listens. `/readyz` is 503 until all of that is done.
 * @throws when something cannot be opened, the address is taken, or it is interrupted; nothing is left open then.
 */
export async function openServer(config: Config, logger: Logger, interrupted: AbortSignal): Promise<RunningServer> {
  const opened = new Opened();
  try {
    return await unlessInterrupted(interrupted, start(config, logger, opened));
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The first request for orders, strategies, a stream of markets or a page, where a tape waits for one. */
class Asked {
  /** Notes such a request. */
  note = () => {};
  /** Resolves once there was one; at once where nothing waits for it. */
  readonly asked: Promise<void>;

  constructor(begins: MarketSource['begins']) {
    this.asked =
      begins === 'now'
        ? Promise.resolve()
        : new Promise((resolve) => {
            this.note = resolve;
          });
  }
}

/** What a server is built on, open. */
interface Parts {
  readonly metrics: Metrics;
  readonly watch: StoreMetrics;
  readonly store: OpenStore;
  readonly recording: FeedRecording;
  /** The first is the default venue, and gives the time. */
  readonly venues: readonly [OpenVenue, ...OpenVenue[]];
}

async function start(config: Config, logger: Logger, opened: Opened): Promise<RunningServer> {
  const parts = await openParts(config, logger, opened);
  const lost = parts.store.lost.then((why) => Promise.reject(why));
  return Promise.race([startOn(parts, config, logger, opened), lost]);
}

async function startOn(parts: Parts, config: Config, logger: Logger, opened: Opened): Promise<RunningServer> {
  const { store, venues, metrics, watch, recording } = parts;
  const [{ source, live: firstLive }, ...others] = venues;
  const busy = new Set([RECOVERING]);
  const container = createContainer(config, store, source, firstLive, others);
  watch.countSkips(container.get(USE_CASES).strategies.skips);
  const webhooks = await openWebhooks(container, config, store.ledger.leases, metrics, logger);
  await opened.add(webhooks, () => webhooks.close());
  const asked = new Asked(source.begins);
  const storage = new StorageHealth(store.ledger, logger);
  const health: Readiness = { busy, doubts: [], state: {}, storage, source, asked: () => asked.note() };
  const http = await listening(container, config, logger, health, metrics);
  await opened.add(http, () => http.close(0));
  const paper = paperTrading(container, config, parts, logger, asked);
  const returning = paper ?? returningWithoutBooks({ container, source, logger, latencyMs: 0 }, store.ledger.leases);
  await opened.add(returning, () => paper?.close() ?? returning.end());
  if (paper !== null) watchPaper(metrics, health, paper);
  const trading = venues.flatMap(({ live }) => (live === null ? [] : [live]));
  const live = new LiveVenues(container, trading, source.timeline, logger);
  await opened.add(live, () => live.close());
  live.watch(metrics);
  health.doubts.push(() => live.doubt);
  const results = new ResultBooking(container.get(USE_CASES).markets.settleResults, systemClock, logger);
  const watched = { storage, live, results, recording, database: config.database, trading };
  const endAlarms = startAlarmWatch(container, watched, logger);
  await opened.add(endAlarms, endAlarms);
  recording.begin(() => paper?.isOwner === true);
  const playedFrom = await returning.start();
  await live.start();
  const begun = Promise.all([paper?.begun, asked.asked]).then(() => {});
  const work = startWork(container, config, source, { paper, begun, watch, results, metrics }, logger);
  await paper?.recovered;
  busy.delete(RECOVERING);
  live.redeem();
  webhooks.start();
  const stop = async () => {
    busy.add('shutting down');
    endAlarms();
    results.end();
    work.end();
    returning.end();
    live.end();
    await webhooks.close();
    await http.close(DRAIN_MS);
    await live.close();
    await work.finish();
    await recording.close();
    await paper?.close();
    for (const venue of venues) await venue.source.close();
    await store.close();
  };
  return {
    url: http.url,
    playedFrom,
    wallet: trading[0]?.wallet.keyAddress ?? null,
    lost: store.lost,
    stop: once(stop),
  };
}

/** What a server does by itself. */
interface Work {
  /** Nothing is begun from now on. */
  end(): void;
  /** Ends what is under way, and records how far a tape was played, once nothing trades any more. */
  finish(): Promise<void>;
}

/** What the work of a server depends on. */
interface WorkTerms {
  readonly paper: PaperTrading | null;
  /** Resolves once market time runs here. */
  readonly begun: Promise<void>;
  readonly watch: StoreMetrics;
  readonly results: ResultBooking;
  readonly metrics: Metrics;
}

function startWork(
  container: Container,
  config: Config,
  source: MarketSource,
  { paper, begun, watch, results, metrics }: WorkTerms,
  logger: Logger,
): Work {
  const { recorded, timeline } = source;
  const changes = recordChanges(timeline, () => watch.writes);
  const bets = new BetKeeping(container.get(USE_CASES).bets.keepAll, () => watch.writes, logger);
  bets.start();
  // The server that has the books knows what markets closed at.
  const closing = new BetClosing(container.get(USE_CASES).bets.close, () => paper?.isOwner === true, logger);
  closing.start();
  const bookmark = recorded && new TapeBookmark(container.get(BOOKMARKS), recorded, timeline, logger);
  // Only one server plays a tape, and it also keeps its history.
  const mayWork = () => recorded === null || paper?.isOwner === true;
  const may = { work: mayWork, watch: () => paper?.isOwner ?? true, changes };
  const mayTrade = () => (paper === null ? config.automation && mayWork() : paper.automation === 'here');
  const end = onceBegun(begun, () => {
    const endBackground = startBackground(container, config, timeline, logger, results, bookmark, may);
    const endStrategies = startStrategies(container, timeline, logger, mayTrade, changes, metrics);
    // Everything that repeats begins at the moment at which a tape has stopped.
    source.goOn();
    return () => {
      endStrategies();
      endBackground();
    };
  });
  return {
    end,
    finish: async () => {
      await Promise.all([bets.close(), closing.close()]);
      if (mayWork()) await bookmark?.setLast();
    },
  };
}

/** Does the work on the first call; later calls wait for the same end. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** The keys come first: what is opened later may start threads, and each gets a copy of the environment. */
async function openParts(config: Config, logger: Logger, opened: Opened): Promise<Parts> {
  const { others } = config;
  const wallet = await openWallet(config.live);
  const otherWallets = await Promise.all(others.map(({ live }) => openWallet(live)));
  const metrics = new Metrics();
  const watch = new StoreMetrics(metrics, logger);
  const store = await openStore(config, true, watch);
  watch.follow(store);
  await opened.add(store, () => store.close());
  const { copiedTo } = store;
  if (copiedTo !== null) logger.info({ copiedTo }, 'the database was migrated; its file was copied first');
  if (config.auth.mode === 'dev') await refuseToBelieve(store.ledger, systemClock.now());
  const feeds = new FeedMetrics(metrics);
  const recording = new FeedRecording(config.recording, logger);
  await opened.add(recording, () => recording.close());
  const open = async (data: MarketDataConfig, key: VenueWallet | null) => {
    const venue = await openVenue(data, key, logger, opened);
    return { ...venue, source: feeds.watched(await recording.of(venue.source)) };
  };
  const first = await open(config.marketData, wallet);
  const more: OpenVenue[] = [];
  for (const [at, { marketData }] of others.entries()) more.push(await open(marketData, otherWallets[at] ?? null));
  return { metrics, watch, store, recording, venues: [first, ...more] };
}

async function openVenue(
  marketData: MarketDataConfig,
  wallet: VenueWallet | null,
  logger: Logger,
  opened: Opened,
): Promise<OpenVenue> {
  const source = await openMarketSource(marketData, (reason, error) =>
    logger.warn({ err: error, reason }, 'market data is interrupted'),
  );
  await opened.add(source, () => source.close());
  if (wallet === null) return { source, live: null };
  const live = await openLiveVenue(wallet, source.timeline, logger);
  return { source, live: await opened.add(live, () => live.close()) };
}

function paperTrading(
  container: Container,
  config: Config,
  { store, venues }: Parts,
  logger: Logger,
  { note }: Asked,
): PaperTrading | null {
  const [{ source }] = venues;
  if (!venues.some((venue) => venue.source.hasBooks)) return null;
  return new PaperTrading({
    container,
    source,
    logger,
    latencyMs: config.paperLatencyMs,
    leases: store.ledger.leases,
    times: leaseTimes(config.database),
    orders: container.get(LeasedExchange),
    precedence: container.get(Precedence),
    asked: note,
  });
}

function watchPaper(metrics: Metrics, { doubts, state }: Readiness, paper: PaperTrading): void {
  metrics.watch(...metric('stakeport_paper_lease_owned'), () => Number(paper.isOwner));
  doubts.push(() => paper.doubt);
  state['paper'] = () => (paper.takesOrders ? 'here' : 'elsewhere');
  state['automation'] = () => paper.automation;
}
