import { NoMarketData } from '../adapters/market-data/index.js';
import { MemoryLedger } from '../adapters/memory/index.js';
import { type BookExchangeOptions, BookPaperExchange, PaperExchange } from '../adapters/paper/index.js';
import {
  dayOfZone,
  localTime,
  monotonic,
  nextTurn,
  sha256,
  systemClock,
  systemTimeline,
  uuidV7,
} from '../adapters/system/index.js';
import { MeasuringThreads } from '../adapters/system/measuring-threads.js';
import { isPlayed, repeat } from '../core/concurrency/repeat.js';
import type { Usdc } from '../core/money.js';
import type { Order } from '../core/order/order.js';
import { SignalNews } from '../core/signal/signal.js';
import { SKIP_LIMITS } from '../core/strategy/record/recent-skips.js';
import { KEEP_EVERY_MS } from '../core/usecases/bets/background/keep-all-bets.js';
import { restoreUseCase, type UseCases, useCases } from '../core/usecases/compose.js';
import { orderParts } from '../core/usecases/compose-orders.js';
import { automatedTrading } from '../core/usecases/compose-strategies.js';
import { WATCH_EVERY_MS } from '../core/usecases/limits/background/watch-losses.js';
import { SETTLE_EVERY_MS } from '../core/usecases/markets/background/settle-results.js';
import type { Recovery } from '../core/usecases/orders/background/recover-orders.js';
import type { Restoration, Restoring } from '../core/usecases/orders/background/restore-orders.js';
import type { UseCasePorts } from '../core/usecases/use-case-ports.js';
import { marketsAt, Venues, venueFrom } from '../core/venues/venues.js';
import type { Exchange, ReportSink } from '../ports/exchange.js';
import type { Ledger } from '../ports/ledger.js';
import type { MarketData } from '../ports/market-data.js';
import type { Clock, DayOf, Digest, Ids, Timeline } from '../ports/system.js';
import type { Redemption, Venue } from '../ports/venue.js';
import { type Accounts, accountsOf, type Portfolios, portfoliosOf } from './accounts.js';
import { type Approvals, approvalsOf } from './approvals.js';
import { type Bets, betsOf } from './bets.js';
import { type Events, eventsOf } from './events.js';
import { type Decimal, micro, refuse, shownBriefly } from './input.js';
import { type AccountLimits, limitsOf } from './limits.js';
import { Listeners, type On } from './listeners.js';
import { type Markets, marketsOf } from './markets.js';
import { type Orders, ordersOf, type Perform } from './orders.js';
import { modelFirst, type SignalModel, type Signals, signalsOf } from './signals.js';
import { type Strategies, strategiesOf, warned } from './strategies.js';
import { type Alarms, alarmsFrom, type TradingStates, tradingStatesOf } from './trading.js';
import { type WebhookOptions, type Webhooks, webhookMethodsOf } from './webhooks.js';

/** What it is made of; each has a default. A tape from `stakeport/tape` is market data and clock in one. */
export interface StakeportOptions {
  /** Receives what is allowed but does nothing here; by default it is a warning of the process, on standard error. */
  readonly onWarning?: (warning: string) => void;
  /** Where everything is stored; by default in memory. */
  readonly ledger?: Ledger;
  /** Where markets and books come from. Without it every paper order fills whole at its limit, at once. */
  readonly marketData?: MarketData;
  /** Where paper orders go; by default against the books of the market data. */
  readonly paper?: Exchange;
  /** Where live orders go, at the venue of the market data; by default nowhere. */
  readonly live?: Exchange;
  /** How results with real money become cash at the venue of `live`; without it they are cash at once. */
  readonly redemption?: Redemption;
  /** Several venues, each with its market data, in place of the one above; the first is the default. */
  readonly venues?: readonly [Venue, ...Venue[]];
  /** A model that says how probable outcomes are when a rule asks it; where it says nothing, what `signals.put` stored counts. */
  readonly signals?: SignalModel;
  /** The time in which orders are placed and markets move; by default the machine's. */
  readonly clock?: Timeline;
  /** The time of idempotency keys and strategies; by default the machine's. */
  readonly wallClock?: Clock;
  readonly ids?: Ids;
  readonly digest?: Digest;
  /** The dollars of a paper account before its first order; by default 1000. */
  readonly openingCash?: Decimal;
  /** The most dollars that one order with real money may be worth; by default no limit. */
  readonly liveOrderCap?: Decimal;
  /** The time zone whose midnight begins a day, for limits per day, such as `Europe/Berlin`; by default UTC. */
  readonly dayZone?: string;
  /** How long a paper order takes to reach the book; by default 150. */
  readonly latencyMs?: number;
  /** What keeps the secrets of webhooks and sends to them, from `stakeport/webhooks`; without it there are none. */
  readonly webhooks?: WebhookOptions;
  /**
   * True lets strategies with `automation` trade by their rules, in the time of `clock`, on paper: their markets are followed, their
   * bets looked after, results booked, and losses watched, as on a server. By default they do nothing by themselves.
   */
  readonly automation?: boolean;
  /** Called when something happened to a paper order and could not be put on record; by default a process warning. */
  readonly onFault?: (error: unknown, order: Order) => void;
}

/** Strategies, orders, markets and money, ready to be called. Amounts in records are millionths: `formatMicro` writes them. */
export interface Stakeport {
  readonly orders: Orders;
  readonly bets: Bets;
  readonly strategies: Strategies;
  readonly approvals: Approvals;
  readonly markets: Markets;
  readonly signals: Signals;
  readonly portfolio: Portfolios;
  readonly events: Events;
  readonly on: On;
  readonly accounts: Accounts;
  readonly limits: AccountLimits;
  readonly trading: TradingStates;
  readonly alarms: Alarms;
  /** Null without the option `webhooks`. */
  readonly webhooks: Webhooks | null;
  /** The ports of the use cases, for wiring by hand with `stakeport/core`. */
  readonly ports: UseCasePorts;
  /**
   * Restores what an earlier process left in the ledger: resting paper orders rest again, and orders in flight to an
   * exchange in this process are recovered. Those sent over the network are `liveUseCases(ports, …).lookAfter`'s.
   */
  recover(): Promise<Recovery & Pick<Restoration, 'adopted' | 'homeless'>>;
  /** Stops all activity, and closes the ports that can be closed: ledger, market data, clock. */
  close(): Promise<void>;
}

/** What `createStakeport` returns with the option `webhooks`. */
export type StakeportWithWebhooks = Stakeport & { readonly webhooks: Webhooks };

const OPENING = [(cash: bigint) => cash >= 0n, '0 or more'] as const;

/** A `Stakeport` with webhooks. @throws InputInvalid */
export function createStakeport(
  options: StakeportOptions & Required<Pick<StakeportOptions, 'webhooks'>>,
): StakeportWithWebhooks;
/**
 * Makes strategies, orders, markets and money available in this process, without a server. Nothing is read from the
 * environment, no port is opened, and nothing starts by itself.
 * @throws InputInvalid
 *
 * @example
 * ```ts
 * const stakeport = createStakeport();
 * const order = await stakeport.orders.place({ account: 'me', market: 'rain', outcome: 'YES', price: '0.57', usdc: 20 });
 * console.log(statusOf(order), formatMicro(order.filled.shares)); // filled 35.08
 * await stakeport.close();
 * ```
 */
export function createStakeport(options?: StakeportOptions): Stakeport;
/** Both of these. */
export function createStakeport(options: StakeportOptions = {}): Stakeport {
  return assembled(options).stakeport;
}

/** What programs cannot choose: a backtest does. */
export interface PlayedOptions extends Pick<UseCasePorts, 'accountsAlone' | 'skipLimits' | 'proposerOf'> {
  /** By default anything may have changed at any time. */
  readonly changes?: Changes;
}

/** Makes readers that answer whether something may have changed since they were asked. */
export interface Changes {
  /** The record. */
  record(): () => boolean;
  /** The record, or how a market is described. */
  results(): () => boolean;
  /** The record, a market, or the day. */
  all(): () => boolean;
}

/** A `Stakeport`, with the use cases that it calls, and what ends the decisions of strategies, and nothing else. @throws InputInvalid */
export function assembled(
  options: StakeportOptions,
  played: PlayedOptions = {},
): { readonly stakeport: Stakeport; readonly use: UseCases; readonly endTrading: () => Promise<void> } {
  const { clock = systemTimeline } = options;
  const time = isPlayed(clock) ? clock : null;
  const { all, paper, ports, use } = wired(options, played, clock);
  const { ledger } = ports;
  const automated = options.automation === true ? automate(ports, use, clock, options.onWarning, played.changes) : null;
  const messageTimes = { localTime, zone: options.dayZone ?? 'UTC' };
  const listeners = new Listeners(use.accounts.events, ledger.log);
  const perform: Perform = (action) => time?.perform(action) ?? action();
  const stakeport: Stakeport = {
    orders: ordersOf(use, perform),
    bets: betsOf(use),
    strategies: strategiesOf(use, automated !== null, options.onWarning),
    approvals: approvalsOf(use, perform),
    markets: marketsOf(use, ports.venues, time !== null),
    signals: signalsOf(use),
    portfolio: portfoliosOf(use),
    events: eventsOf(use),
    on: listeners.on,
    accounts: accountsOf(use, all[0].marketData.venue),
    limits: limitsOf(use),
    trading: tradingStatesOf(use),
    alarms: alarmsFrom(use),
    webhooks: options.webhooks === undefined ? null : webhookMethodsOf(ports, use, options.webhooks, messageTimes),
    ports,
    recover: () => recovered(ports, use, paper),
    async close() {
      await automated?.stop();
      listeners.close();
      const sources = all.map(({ marketData }) => marketData);
      const sender = options.webhooks?.sender ?? {};
      for (const port of new Set([paper, ...sources, clock, sender, ledger])) await closed(port);
    },
  };
  return { stakeport, use, endTrading: async () => automated?.trading.stop() };
}

/** The ports and the use cases on them. */
function wired(options: StakeportOptions, played: PlayedOptions, clock: Timeline) {
  const { ledger = new MemoryLedger() } = options;
  const { accountsAlone = false, skipLimits = SKIP_LIMITS, proposerOf } = played;
  const all = venuesOf(options);
  const time = isPlayed(clock) ? clock : null;
  const sink: ReportSink = async (...report) => void (await use.orders.recordReports.execute(...report));
  // A tape is played from its beginning: what is on record of its time has not been taken yet.
  const paper = paperOf(options, all, { timeline: clock, sink, ...(time === null && { ledger }) });
  const own: UseCasePorts = {
    ledger,
    clock,
    wallClock: options.wallClock ?? systemClock,
    stopwatch: monotonic,
    ids: options.ids ?? uuidV7,
    digest: options.digest ?? sha256,
    venues: new Venues(time?.reaching(paper) ?? paper, all),
    liveOrderCap:
      options.liveOrderCap === undefined ? null : (micro('liveOrderCap', options.liveOrderCap, OPENING) as Usdc),
    dayOf: options.dayZone === undefined ? undefined : daysOf(options.dayZone),
    dayZone: options.dayZone,
    measuring: new MeasuringThreads(),
    openingCash: micro('openingCash', options.openingCash ?? 1000, OPENING) as Usdc,
    pause: nextTurn,
    signalNews: new SignalNews(),
    inBackground: time === null ? undefined : (work) => time.inBackground(work),
    signals: options.signals ? modelFirst(options.signals, ledger.signals, () => clock.now()) : ledger.signals,
    accountsAlone,
    skipLimits,
    proposerOf,
  };
  const { marks, placement, followed } = orderParts(own);
  const ports = { ...own, marks, placement, followed };
  const use = useCases(ports);
  return { all, paper, ports, use };
}

/** Has strategies trade, results booked and losses watched, each as often as on a server. */
function automate(
  ports: UseCasePorts,
  use: UseCases,
  timeline: Timeline,
  onWarning = warned,
  changes?: PlayedOptions['changes'],
) {
  const onFault = (what: string, error: unknown) =>
    onWarning(`strategies: ${what}: ${error instanceof Error ? error.message : String(error)}`);
  const attempt = (what: string, work: () => Promise<unknown>) => () =>
    work().catch((error: unknown) => onFault(what, error));
  const ofBets = betWork(use, attempt);
  const watch = attempt('could not measure losses', () => use.limits.watch.execute());
  const ends = [
    repeat(
      timeline,
      SETTLE_EVERY_MS,
      attempt('could not book results', () => use.markets.settleResults.execute()),
      { firstMs: 0, isNeeded: changes?.results() },
    ),
    repeat(
      timeline,
      WATCH_EVERY_MS,
      async () => {
        const looking = watch();
        // No account waits for another one. A tape waits for all of them.
        if (isPlayed(timeline)) await looking;
      },
      { isNeeded: changes?.all() },
    ),
  ];
  // In the time of the machine, whatever that of the markets: the log says when all was. A backtest makes its bets at its end.
  if (changes === undefined) for (const work of ofBets.all) ends.push(repeat(systemTimeline, KEEP_EVERY_MS, work));
  const trading = automatedTrading(
    timeline,
    () => ports,
    { skips: use.strategies.skips, expire: use.approvals.expire },
    {
      onFault,
      onDoubt: (doubt) => use.trading.reduceForNow.execute(doubt),
      changes: changes?.record,
      news: changes?.all,
    },
  );
  return {
    trading,
    async stop(): Promise<void> {
      for (const end of ends) end();
      await trading.stop();
      await ofBets.idle();
      use.bets.close.stop();
    },
  };
}

/** What makes bets of orders and stores what they closed at, each to be run again and again. */
function betWork(
  { bets }: UseCases,
  attempt: (what: string, work: () => Promise<unknown>) => () => Promise<unknown>,
): { readonly all: readonly (() => Promise<unknown>)[]; idle(): Promise<unknown> } {
  const keep = attempt('could not make bets of orders', async () => {
    const { failures } = await bets.keepAll.execute();
    for (const { error } of failures) throw error;
  });
  const close = attempt('could not store what bets closed at', async () => {
    for (const error of await bets.close.execute()) throw error;
  });
  const last = new Map<typeof keep, Promise<unknown>>();
  const remembered = (work: typeof keep) => () => {
    const running = work();
    last.set(work, running);
    return running;
  };
  return { all: [keep, close].map(remembered), idle: () => Promise.all(last.values()) };
}

async function recovered(ports: UseCasePorts, { orders }: UseCases, paper: Exchange): ReturnType<Stakeport['recover']> {
  const none = { adopted: 0, homeless: 0, failures: [] };
  const restored = isRestoring(paper) ? await restoreUseCase(ports, orders, paper).execute() : none;
  const { recovered, failures } = await orders.recover.execute();
  const { adopted, homeless } = restored;
  return { adopted, homeless, recovered, failures: [...restored.failures, ...failures] };
}

function daysOf(zone: string): DayOf {
  try {
    return dayOfZone(zone);
  } catch {
    throw refuse('dayZone', `must be a time zone such as Europe/Berlin; got ${shownBriefly(zone)}`);
  }
}

function venuesOf({ venues, marketData, live, redemption }: StakeportOptions): readonly [Venue, ...Venue[]] {
  if (venues !== undefined) return venues;
  const source = marketData ?? new NoMarketData(live?.venue);
  return [venueFrom(source, live === undefined ? null : { exchange: live, redemption: redemption ?? null })];
}

function paperOf(
  { paper, venues, marketData, latencyMs, onFault = warn }: StakeportOptions,
  all: readonly Venue[],
  parts: Pick<BookExchangeOptions, 'timeline' | 'sink' | 'ledger'>,
) {
  if (paper !== undefined) return paper;
  if (venues === undefined && marketData === undefined) return new PaperExchange();
  const markets = marketsAt(...all.map((venue) => venue.marketData));
  return new BookPaperExchange({ markets, onFault, ...parts, ...(latencyMs !== undefined && { latencyMs }) });
}

function warn(error: unknown, { id }: Order): void {
  const why = error instanceof Error ? error.message : String(error);
  process.emitWarning(`What happened to order ${id} is not on record: ${why}`, 'StakeportWarning');
}

const isRestoring = (exchange: Exchange): exchange is Exchange & Restoring => 'adopt' in exchange;

async function closed(port: object): Promise<void> {
  if ('close' in port && typeof port.close === 'function') await port.close();
}
