import * as v from 'valibot';
import { MarketDataUnavailable } from '../../../core/errors.js';
import type { MarketId } from '../../../core/ids.js';
import type { BookView } from '../../../core/market/book.js';
import type { Market, PriceGrid } from '../../../core/market/market.js';
import type { Following, MarketListener } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';
import { FrameMalformed } from '../../transport/websocket-session.js';
import { boundedText } from '../../venue/wire-types.js';
import { isRefusal, type KalshiFrame, KalshiSocket, type KalshiSocketOptions } from '../websocket/kalshi-socket.js';
import { readDelta, readSnapshot, readTrade } from '../websocket/market-frames.js';
import { FollowedMarket, type FollowedMarketParts } from './followed-market.js';
import { deactivated, gridIn } from './listed-market.js';

/** What a stream needs of its surroundings. */
export interface KalshiStreamParts {
  readonly clock: Clock;
  readonly connection: KalshiSocketOptions;
  /** Called with the ticker of a market of which the venue announced something that REST tells. */
  announced(ticker: MarketId): void;
  /** The market as it was last read; undefined where that is long ago. */
  known(ticker: MarketId): Market | undefined;
  report(reason: string, error?: unknown): void;
  /** The most markets of one subscription: a message that is lost costs the books of all of them. */
  readonly marketsEach?: number;
  /** How long a book may be crossed before a step counts as lost. */
  readonly crossedMs?: number;
  /** How long the first book of a market may take. */
  readonly bookMs?: number;
  readonly backlog?: number;
}

const DEFAULTS = { marketsEach: 100, crossedMs: 1000, bookMs: 10_000, backlog: 1000 };
/** The pauses before a doubtful market is subscribed to once more: none the first time, then twice as long each time. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 60_000];
/** Channel error, time-out, buffer overflow: whatever was sent may be lost (`kalshi.md` 7). */
const LOSSES = ['10', '18', '25'];

/** Some markets that are subscribed to together. Its messages are counted over all of them (`kalshi.md` 7). */
interface Subscription {
  /** True of one market that was doubtful: none joins it, so that its doubts cost no other. */
  readonly isAlone: boolean;
  readonly tickers: Set<string>;
  /** Those of them when the command was sent. */
  asked: ReadonlySet<string>;
  /** The command that subscribed. */
  command: number;
  /** The books, and the trades, as the venue numbers their subscriptions; null until it says so. */
  books: number | null;
  trades: number | null;
  /** The number of the last message of the books. */
  seq: number | null;
}

const subscribed = v.object({
  channel: boundedText,
  sid: v.pipe(boundedText, v.regex(/^\d{1,15}$/), v.transform(Number)),
});
const announcement = v.object({
  market_ticker: boundedText,
  event_type: v.fallback(v.nullish(boundedText, null), null),
});
const failure = v.object({ code: v.fallback(boundedText, '') });

/** Follows markets over one connection: their books, their trades, and what the venue announces of them. */
export class KalshiMarketStream {
  readonly #parts: KalshiStreamParts & typeof DEFAULTS;
  readonly #market: FollowedMarketParts;
  readonly #socket: KalshiSocket;
  readonly #followed = new Map<string, FollowedMarket>();
  readonly #subscriptions = new Set<Subscription>();
  /** What is waited for of a market: its book, its end of crossing, or its next subscription. One at a time. */
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** The last pause of a doubtful market. */
  readonly #pauses = new Map<string, number>();
  /** What each command asked for, until it is answered. */
  readonly #commands = new Map<number, readonly string[]>();
  #lifecycle = 0;
  #isDown = false;
  /** Why the connection failed since it was last open. */
  readonly #toldWhy = new Set<string>();
  #isClosed = false;

  constructor(parts: KalshiStreamParts) {
    this.#parts = { ...DEFAULTS, ...parts };
    const { clock, backlog, report } = this.#parts;
    this.#market = { clock, backlog, report };
    this.#socket = new KalshiSocket(parts.connection, {
      opened: () => this.#opened(),
      received: (frame) => this.#received(frame),
      lost: (reason) => this.#lost(reason),
    });
  }

  /**
   * Delivers every event of the market to `listener`, one after another. Resolves once the first was delivered: the whole book, or a `gap`.
   * @throws MarketDataUnavailable once closed
   */
  async follow(market: Market, listener: MarketListener): Promise<Following> {
    if (this.#isClosed) throw new MarketDataUnavailable();
    const followed = this.#followed.get(market.id) ?? this.#begin(market);
    const follower = followed.add(listener);
    await follower.begun;
    return {
      stop: () => {
        follower.stop();
        if (!followed.isFollowed && this.#followed.get(market.id) === followed) this.#end(market.id);
      },
    };
  }

  /** The book of a followed market; undefined where it is not followed, or not to be trusted. */
  book(id: MarketId): BookView | undefined {
    return this.#socket.isOpen ? this.#followed.get(id)?.view : undefined;
  }

  /** Resolves once no connection and no timer is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const ticker of this.#timers.keys()) this.#wait(ticker, null);
    for (const followed of this.#followed.values()) followed.stop();
    this.#followed.clear();
    await this.#socket.close();
  }

  #begin(market: Market): FollowedMarket {
    const followed = new FollowedMarket(market, this.#market);
    this.#followed.set(market.id, followed);
    if (this.#isDown) followed.distrust('there is no connection');
    const room = [...this.#subscriptions].find(
      ({ tickers, isAlone }) => !isAlone && tickers.size < this.#parts.marketsEach,
    );
    if (room === undefined) this.#subscribeTo([market.id], false);
    else {
      room.tickers.add(market.id);
      // While the venue has not numbered it, its answer finds the market in the set, and adds it then.
      this.#update(room, 'add_markets', [market.id]);
    }
    return followed;
  }

  #end(ticker: string): void {
    this.#followed.delete(ticker);
    this.#pauses.delete(ticker);
    this.#wait(ticker, null);
    this.#leave(ticker);
  }

  #leave(ticker: string): void {
    for (const subscription of this.#subscriptions) {
      if (!subscription.tickers.delete(ticker)) continue;
      if (subscription.tickers.size > 0) this.#update(subscription, 'delete_markets', [ticker]);
      else this.#drop(subscription);
    }
  }

  #subscribeTo(tickers: readonly string[], isAlone: boolean): void {
    const state = { asked: new Set<string>(), command: 0, books: null, trades: null, seq: null };
    this.#subscribe({ isAlone, tickers: new Set(tickers), ...state });
  }

  #subscribe(subscription: Subscription): void {
    this.#subscriptions.add(subscription);
    const tickers = [...subscription.tickers];
    Object.assign(subscription, { asked: new Set(tickers), books: null, trades: null, seq: null });
    const params = { channels: ['orderbook_delta', 'trade'], market_tickers: tickers, use_yes_price: true };
    subscription.command = this.#command('subscribe', params, tickers);
  }

  #update({ books, trades }: Subscription, action: 'add_markets' | 'delete_markets', tickers: readonly string[]): void {
    for (const sid of [books, trades]) {
      if (sid === null || tickers.length === 0) continue;
      const added = action === 'add_markets' ? tickers : [];
      this.#command('update_subscription', { sid, action, market_tickers: tickers }, added);
    }
  }

  /** Sends a command; the books of these markets have to follow. */
  #command(cmd: string, params: object, tickers: readonly string[]): number {
    const id = this.#socket.send(cmd, params);
    this.#commands.set(id, tickers);
    if (this.#socket.isOpen) for (const ticker of tickers) this.#awaitBook(ticker);
    return id;
  }

  #drop(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
    const sids = [subscription.books, subscription.trades].filter((sid) => sid !== null);
    if (sids.length > 0) this.#socket.send('unsubscribe', { sids });
  }

  #awaitBook(ticker: string): void {
    this.#wait(
      ticker,
      () => this.#followed.get(ticker)?.isKnown === false && this.#again(ticker, 'no book came'),
      this.#parts.bookMs,
    );
  }

  /** A doubtful market is subscribed to anew and alone, after a pause that grows while it stays doubtful. */
  #again(ticker: string, reason: string): void {
    const followed = this.#followed.get(ticker);
    if (followed === undefined) return;
    followed.distrust(reason);
    this.#leave(ticker);
    const last = this.#pauses.get(ticker);
    const pauseMs = last === undefined ? 0 : Math.min(Math.max(2 * last, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    this.#pauses.set(ticker, pauseMs);
    this.#wait(ticker, () => this.#subscribeTo([ticker], true), pauseMs);
  }

  #wait(ticker: string, then: (() => unknown) | null, afterMs = 0): void {
    clearTimeout(this.#timers.get(ticker));
    this.#timers.delete(ticker);
    if (then === null) return;
    const timer = setTimeout(() => {
      this.#timers.delete(ticker);
      then();
    }, afterMs);
    timer.unref();
    this.#timers.set(ticker, timer);
  }

  #opened(): void {
    this.#isDown = false;
    this.#toldWhy.clear();
    this.#commands.clear();
    this.#lifecycle = this.#command('subscribe', { channels: ['market_lifecycle_v2'] }, []);
    for (const subscription of this.#subscriptions) this.#subscribe(subscription);
  }

  #lost(reason: string): void {
    // Of an outage the first reason is told, and each that a person has to act upon.
    if ((!this.#isDown || isRefusal(reason)) && !this.#toldWhy.has(reason))
      this.#parts.report(`${this.#parts.connection.socket.host}: ${reason}`);
    this.#toldWhy.add(reason);
    this.#isDown = true;
    for (const [ticker, followed] of this.#followed) {
      const isSubscribed = [...this.#subscriptions].some(({ tickers }) => tickers.has(ticker));
      if (isSubscribed) this.#wait(ticker, null);
      followed.distrust(reason);
    }
  }

  #received(frame: KalshiFrame): void {
    switch (frame.type) {
      case 'subscribed':
        this.#numbered(frame);
        break;
      case 'error':
        this.#refused(frame);
        break;
      case 'market_lifecycle_v2':
        this.#announced(frame.msg);
        break;
      default:
        this.#ofSubscription(frame);
    }
  }

  #ofSubscription(frame: KalshiFrame): void {
    const { type, sid, id, msg } = frame;
    if (type === 'ok' && id !== null) this.#commands.delete(id);
    const subscription = sid === null ? undefined : this.#bySid(sid);
    if (subscription === undefined) return;
    if (type !== 'trade' && (sid !== subscription.books || !this.#isNext(subscription, frame))) return;
    try {
      if (type === 'trade') this.#traded(subscription, msg);
      else if (type === 'orderbook_snapshot') this.#whole(subscription, msg);
      else if (type === 'orderbook_delta') this.#changed(subscription, msg);
    } catch (error) {
      if (!(error instanceof FrameMalformed)) throw error;
      this.#unreadable(subscription, msg, error.message);
    }
  }

  /** What a message says of a market is lost for that market; where it does not name one, for all of its subscription. */
  #unreadable(subscription: Subscription, msg: unknown, reason: string): void {
    const read = v.safeParse(announcement, msg);
    if (!read.success) this.#renew(subscription, reason);
    else if (subscription.tickers.has(read.output.market_ticker)) this.#again(read.output.market_ticker, reason);
  }

  /** The venue numbers a subscription; a market that was added or left meanwhile is added or left now. */
  #numbered({ id, msg }: KalshiFrame): void {
    const read = v.safeParse(subscribed, msg);
    if (!read.success || id === this.#lifecycle) return;
    const { channel, sid } = read.output;
    const subscription = [...this.#subscriptions].find(({ command }) => command === id);
    if (subscription === undefined) {
      // It was dropped before the venue numbered it.
      this.#socket.send('unsubscribe', { sids: [sid] });
      return;
    }
    if (channel === 'orderbook_delta') subscription.books = sid;
    if (channel === 'trade') subscription.trades = sid;
    if (subscription.books !== null && subscription.trades !== null) this.#commands.delete(subscription.command);
    const { tickers, asked } = subscription;
    const numbered = { ...subscription, books: null, trades: sid };
    this.#update(
      numbered,
      'add_markets',
      [...tickers].filter((ticker) => !asked.has(ticker)),
    );
    this.#update(
      numbered,
      'delete_markets',
      [...asked].filter((ticker) => !tickers.has(ticker)),
    );
  }

  /** What a refused command asked for is asked for again, each market alone. Where the venue lost messages, every book is suspect. */
  #refused({ id, msg }: KalshiFrame): void {
    const read = v.safeParse(failure, msg);
    const tickers = id === null ? undefined : this.#commands.get(id);
    if (tickers === undefined || (read.success && LOSSES.includes(read.output.code))) {
      for (const subscription of [...this.#subscriptions])
        this.#renew(subscription, 'the venue may have lost messages');
      return;
    }
    this.#parts.report('the venue refused a command for markets');
    for (const ticker of tickers) this.#again(ticker, 'the venue refused the subscription');
  }

  #bySid(sid: number): Subscription | undefined {
    return [...this.#subscriptions].find(({ books, trades }) => books === sid || trades === sid);
  }

  /** False where a message before it was lost: then every book of the subscription is suspect (K12). */
  #isNext(subscription: Subscription, { seq }: KalshiFrame): boolean {
    if (seq === null) return true;
    const { seq: last } = subscription;
    if (last !== null && seq !== last + 1) {
      this.#renew(subscription, 'a message was lost');
      return false;
    }
    subscription.seq = seq;
    return true;
  }

  /** The books are asked for anew by a new subscription: which shorter way would heal them is not documented. */
  #renew(subscription: Subscription, reason: string): void {
    this.#parts.report(reason);
    for (const ticker of subscription.tickers) this.#followed.get(ticker)?.distrust(reason);
    this.#drop(subscription);
    this.#subscribe(subscription);
  }

  #whole({ tickers }: Subscription, msg: unknown): void {
    const snapshot = readSnapshot(msg);
    if (!tickers.has(snapshot.ticker)) return;
    this.#followed.get(snapshot.ticker)?.replace(snapshot);
    this.#wait(snapshot.ticker, null);
    this.#judge(snapshot.ticker);
  }

  #changed({ tickers }: Subscription, msg: unknown): void {
    const delta = readDelta(msg);
    const followed = tickers.has(delta.ticker) ? this.#followed.get(delta.ticker) : undefined;
    if (followed === undefined || !followed.isKnown) return;
    if (followed.change(delta)) this.#judge(delta.ticker);
    else this.#again(delta.ticker, 'a change does not fit the book');
  }

  /** A book may be crossed between the messages of one match; one that stays so lacks a step. */
  #judge(ticker: string): void {
    const isCrossed = this.#followed.get(ticker)?.isCrossed === true;
    if (!isCrossed) {
      this.#wait(ticker, null);
      this.#pauses.delete(ticker);
    } else if (!this.#timers.has(ticker)) {
      this.#wait(ticker, () => this.#again(ticker, 'a book stayed crossed'), this.#parts.crossedMs);
    }
  }

  #traded({ tickers }: Subscription, msg: unknown): void {
    const trade = readTrade(msg);
    if (trade !== null && tickers.has(trade.ticker)) this.#followed.get(trade.ticker)?.trade(trade);
  }

  /** Of the venue's announcements, the price grid is taken from the message; all else is read. */
  #announced(msg: unknown): void {
    const read = v.safeParse(announcement, msg);
    if (!read.success) return;
    const { market_ticker: ticker } = read.output;
    const followed = this.#followed.get(ticker);
    if (followed === undefined) return;
    const grid: PriceGrid | null = gridIn(msg);
    if (grid !== null) followed.hand({ type: 'tick', ...grid });
    // The next read may come once it trades again, and what rested has ended then.
    const known =
      read.output.event_type === 'deactivated' ? (this.#parts.known(followed.market.id) ?? followed.market) : null;
    if (known !== null) followed.hand({ type: 'market', market: deactivated(known) });
    this.#parts.announced(ticker as MarketId);
  }
}
