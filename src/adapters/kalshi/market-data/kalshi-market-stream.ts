import * as v from 'valibot';
import { MarketDataUnavailable } from '../../../core/errors.js';
import type { MarketId } from '../../../core/ids.js';
import type { BookView } from '../../../core/market/book.js';
import type { Market, PriceGrid } from '../../../core/market/market.js';
import type { Following, MarketListener } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';
import { boundedText } from '../../venue/wire-types.js';
import { type KalshiFrame, KalshiSocket, type KalshiSocketOptions } from '../websocket/kalshi-socket.js';
import { readDelta, readSnapshot, readTrade } from '../websocket/market-frames.js';
import { FollowedMarket, type FollowedMarketParts } from './followed-market.js';
import { gridIn } from './listed-market.js';

/** What a stream needs of its surroundings. */
export interface KalshiStreamParts {
  readonly clock: Clock;
  readonly connection: KalshiSocketOptions;
  /** Called with the ticker of a market of which the venue announced something that REST tells. */
  announced(ticker: MarketId): void;
  report(reason: string, error?: unknown): void;
  /** The most markets of one subscription: a message that is lost costs the books of all of them. */
  readonly marketsEach?: number;
  /** How long a book may be crossed before a step counts as lost. */
  readonly crossedMs?: number;
  readonly backlog?: number;
}

const DEFAULTS = { marketsEach: 100, crossedMs: 1000, backlog: 1000 };

/** Some markets that are subscribed to together. Its messages are counted over all of them (`kalshi.md` 7). */
interface Subscription {
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
const announcement = v.object({ market_ticker: boundedText, event_type: v.nullish(boundedText, '') });

/** Follows markets over one connection: their books, their trades, and what the venue announces of them. */
export class KalshiMarketStream {
  readonly #parts: KalshiStreamParts & typeof DEFAULTS;
  readonly #market: FollowedMarketParts;
  readonly #socket: KalshiSocket;
  readonly #followed = new Map<string, FollowedMarket>();
  readonly #subscriptions = new Set<Subscription>();
  readonly #doubts = new Map<string, NodeJS.Timeout>();
  #isDown = false;
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
    if (this.#isDown) followed.distrust('there is no connection');
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
    for (const timer of this.#doubts.values()) clearTimeout(timer);
    this.#doubts.clear();
    for (const followed of this.#followed.values()) followed.stop();
    this.#followed.clear();
    await this.#socket.close();
  }

  #begin(market: Market): FollowedMarket {
    const followed = new FollowedMarket(market, this.#market);
    this.#followed.set(market.id, followed);
    const room = [...this.#subscriptions].find(({ tickers }) => tickers.size < this.#parts.marketsEach);
    if (room === undefined)
      this.#subscribe({
        tickers: new Set([market.id]),
        asked: new Set(),
        command: 0,
        books: null,
        trades: null,
        seq: null,
      });
    else {
      room.tickers.add(market.id);
      // While the venue has not numbered it, its answer finds the market in the set, and adds it then.
      this.#update(room, 'add_markets', market.id);
    }
    return followed;
  }

  #end(ticker: string): void {
    this.#followed.delete(ticker);
    clearTimeout(this.#doubts.get(ticker));
    this.#doubts.delete(ticker);
    for (const subscription of this.#subscriptions) {
      if (!subscription.tickers.delete(ticker)) continue;
      if (subscription.tickers.size > 0) this.#update(subscription, 'delete_markets', ticker);
      else this.#drop(subscription);
    }
  }

  #subscribe(subscription: Subscription): void {
    this.#subscriptions.add(subscription);
    Object.assign(subscription, { asked: new Set(subscription.tickers), books: null, trades: null, seq: null });
    subscription.command = this.#socket.send('subscribe', {
      channels: ['orderbook_delta', 'trade'],
      market_tickers: [...subscription.tickers],
      use_yes_price: true,
    });
  }

  #update({ books, trades }: Subscription, action: 'add_markets' | 'delete_markets', ticker: string): void {
    for (const sid of [books, trades]) {
      if (sid !== null) this.#socket.send('update_subscription', { sid, action, market_tickers: [ticker] });
    }
  }

  #drop(subscription: Subscription): void {
    this.#subscriptions.delete(subscription);
    const sids = [subscription.books, subscription.trades].filter((sid) => sid !== null);
    if (sids.length > 0) this.#socket.send('unsubscribe', { sids });
  }

  #opened(): void {
    this.#isDown = false;
    this.#socket.send('subscribe', { channels: ['market_lifecycle_v2'] });
    for (const subscription of this.#subscriptions) this.#subscribe(subscription);
  }

  #lost(reason: string): void {
    if (!this.#isDown) this.#parts.report(`${this.#parts.connection.socket.host}: ${reason}`);
    this.#isDown = true;
    for (const followed of this.#followed.values()) followed.distrust(reason);
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
    const { type, sid, msg } = frame;
    const subscription = sid === null ? undefined : this.#bySid(sid);
    if (subscription === undefined) return;
    if (type === 'trade') this.#traded(msg);
    else if (sid !== subscription.books || !this.#isNext(subscription, frame)) return;
    else if (type === 'orderbook_snapshot') this.#whole(msg);
    else if (type === 'orderbook_delta') this.#changed(subscription, msg);
  }

  /** The venue numbers a subscription; a market that was added or left meanwhile is added or left now. */
  #numbered({ id, msg }: KalshiFrame): void {
    const read = v.safeParse(subscribed, msg);
    const subscription = [...this.#subscriptions].find(({ command }) => command === id);
    if (!read.success || subscription === undefined) return;
    const { channel, sid } = read.output;
    if (channel === 'orderbook_delta') subscription.books = sid;
    if (channel === 'trade') subscription.trades = sid;
    const { tickers, asked } = subscription;
    const update = (action: string, some: readonly string[]) => {
      if (some.length > 0) this.#socket.send('update_subscription', { sid, action, market_tickers: some });
    };
    update(
      'add_markets',
      [...tickers].filter((ticker) => !asked.has(ticker)),
    );
    update(
      'delete_markets',
      [...asked].filter((ticker) => !tickers.has(ticker)),
    );
  }

  #refused({ id }: KalshiFrame): void {
    const subscription = [...this.#subscriptions].find(({ command }) => command === id);
    this.#parts.report('the venue refused a subscription');
    for (const ticker of subscription?.tickers ?? []) {
      this.#followed.get(ticker)?.distrust('the venue refused the subscription');
    }
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

  #whole(msg: unknown): void {
    const snapshot = readSnapshot(msg);
    this.#followed.get(snapshot.ticker)?.replace(snapshot);
    this.#doubt(snapshot.ticker);
  }

  #changed(subscription: Subscription, msg: unknown): void {
    const delta = readDelta(msg);
    const followed = this.#followed.get(delta.ticker);
    if (followed?.change(delta) === false) this.#renew(subscription, 'a change does not fit the book');
    else this.#doubt(delta.ticker);
  }

  /** A book may be crossed between the messages of one match; one that stays so lacks a step. */
  #doubt(ticker: string): void {
    const isCrossed = this.#followed.get(ticker)?.isCrossed === true;
    const waiting = this.#doubts.get(ticker);
    if (!isCrossed) {
      clearTimeout(waiting);
      this.#doubts.delete(ticker);
    } else if (waiting === undefined) {
      const timer = setTimeout(() => this.#stayedCrossed(ticker), this.#parts.crossedMs);
      timer.unref();
      this.#doubts.set(ticker, timer);
    }
  }

  #stayedCrossed(ticker: string): void {
    this.#doubts.delete(ticker);
    const subscription = [...this.#subscriptions].find(({ tickers }) => tickers.has(ticker));
    if (subscription !== undefined && this.#socket.isOpen) this.#renew(subscription, 'a book stayed crossed');
  }

  #traded(msg: unknown): void {
    const trade = readTrade(msg);
    if (trade !== null) this.#followed.get(trade.ticker)?.trade(trade);
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
    this.#parts.announced(ticker as MarketId);
  }
}
