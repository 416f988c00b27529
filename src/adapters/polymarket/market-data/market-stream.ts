import { MarketDataUnavailable, MarketUnusable } from '../../../core/errors.js';
import type { MarketId } from '../../../core/ids.js';
import type { BookView } from '../../../core/market/book.js';
import type { Market } from '../../../core/market/market.js';
import type { Following, MarketListener } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';
import type { BackoffLimits } from '../../transport/backoff.js';
import { PacedRounds } from '../../transport/paced-rounds.js';
import type { BookSnapshot } from './delivered-book.js';
import { type ChannelOptions, MarketChannel } from './market-channel.js';
import { type FeedOptions, MarketFeed } from './market-feed.js';

/** The market channel's address and the limits of listening to it. Times in milliseconds. */
export interface MarketStreamOptions {
  /** The base URL to which `/ws/market` is appended, such as `wss://ws-subscriptions-clob.polymarket.com`. */
  readonly url: string;
  /** Reads a book by other means, in terms of the first outcome; a rejection is retried after a pause. */
  readonly readBook: (market: Market, signal: AbortSignal) => Promise<BookSnapshot>;
  readonly clock: Clock;
  /**
   * A connection with neither a message nor a PONG for this long is ended; a market without messages for this long has its
   * book read again.
   */
  readonly silenceMs?: number;
  /** A connection without a message for this long is ended, even if PONGs come. */
  readonly idleMs?: number;
  readonly pingMs?: number;
  readonly handshakeMs?: number;
  /** How long a new subscription has to send its book before it is read by `readBook`. */
  readonly snapshotMs?: number;
  /** How long the venue's best prices may differ from the book before a message counts as lost. */
  readonly doubtMs?: number;
  readonly marketsPerConnection?: number;
  /** The largest frame that is read, in bytes. */
  readonly maxPayload?: number;
  /** How many events may be queued for one listener. */
  readonly backlog?: number;
  /** The pauses between connections, and between attempts to read a book. */
  readonly retry?: BackoffLimits;
  /** A market is reported as resolved: a reason to check, not a result. */
  readonly onResolvedHint?: (conditionId: MarketId) => void;
  /** Called with an error that is being recovered from; never with anything that the venue sent. */
  readonly report?: (reason: string, error?: unknown) => void;
}

const DEFAULTS = {
  silenceMs: 30_000,
  idleMs: 300_000,
  pingMs: 10_000,
  handshakeMs: 10_000,
  snapshotMs: 5000,
  doubtMs: 1000,
  marketsPerConnection: 200,
  maxPayload: 8 * 1024 * 1024,
  backlog: 1000,
  retry: { initialDelay: 500, maxDelay: 30_000 },
  onResolvedHint: () => {},
  report: () => {},
};

/**
 * A quarter of what the venue grants for books (`polymarket.md` 2.5): the rest is for client requests and new connections.
 */
export const MOST_CONFIRMED_PER_SECOND = 37;

/** The market channel of Polymarket (`polymarket.md` 5): follows markets over as few connections as it can. */
export class MarketStream {
  readonly #channels = new Set<MarketChannel>();
  readonly #closing = new Set<Promise<void>>();
  readonly #perConnection: number;
  readonly #channel: ChannelOptions;
  readonly #feed: FeedOptions;
  /** Idle markets on a live connection: their subscription alone may have died. */
  readonly #idle: PacedRounds<MarketId>;
  #closed = false;

  /** @throws TypeError when the URL is not that of a WebSocket. */
  constructor(options: MarketStreamOptions) {
    const chosen = { ...DEFAULTS, ...options };
    const { clock, onResolvedHint: resolved, retry: reconnect, report, readBook } = chosen;
    const received = (id: MarketId) => this.#idle.touch(id);
    this.#perConnection = chosen.marketsPerConnection;
    const sources = { clock, readBook, resolved, received, report };
    this.#channel = { url: channelUrl(options.url), limits: chosen, reconnect, ...sources };
    const rounds = { everyMs: chosen.silenceMs, mostPerSecond: MOST_CONFIRMED_PER_SECOND };
    this.#idle = new PacedRounds(rounds, (id) => this.#confirm(id));
    this.#feed = chosen;
  }

  /**
   * Delivers every event of the market to `listener`, one after another. Resolves once the first was delivered: the whole
   * book, or a `gap` when the first attempt failed; later attempts go on by themselves.
   * @throws MarketUnusable for a market without tokens; MarketDataUnavailable once closed.
   */
  async follow(market: Market, listener: MarketListener): Promise<Following> {
    if (this.#closed) throw new MarketDataUnavailable();
    if (market.outcomes === null) throw new MarketUnusable('no_outcomes', 'The market has no outcomes to follow.');
    const feed = new MarketFeed(market, listener, this.#feed);
    const channel = this.#channelFor(market.id);
    channel.add(feed, market.outcomes);
    this.#idle.touch(market.id);
    await feed.begun;
    return { stop: () => this.#leave(channel, feed) };
  }

  /** The book of a market that is followed; undefined where it is not, or cannot be told without reading it. */
  book(id: MarketId): BookView | undefined {
    for (const channel of this.#channels) if (channel.follows(id)) return channel.book(id);
    return undefined;
  }

  /** Stops all feeds; resolves once no connection and no timer is left. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#idle.close();
    for (const channel of this.#channels) this.#end(channel);
    await Promise.all(this.#closing);
  }

  #channelFor(id: MarketId): MarketChannel {
    const all = [...this.#channels];
    const fitting =
      all.find((channel) => channel.follows(id)) ?? all.find((channel) => channel.size < this.#perConnection);
    if (fitting !== undefined) return fitting;
    const channel = new MarketChannel(this.#channel);
    this.#channels.add(channel);
    return channel;
  }

  #confirm(id: MarketId): void {
    for (const channel of this.#channels) if (channel.follows(id)) void channel.confirm(id);
  }

  #leave(channel: MarketChannel, feed: MarketFeed): void {
    channel.remove(feed);
    if (!channel.follows(feed.market.id)) this.#idle.remove(feed.market.id);
    if (channel.size === 0 && this.#channels.has(channel)) this.#end(channel);
  }

  #end(channel: MarketChannel): void {
    this.#channels.delete(channel);
    const closing = channel.close();
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }
}

function channelUrl(base: string): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/ws/market`;
  url.hash = '';
  if (!['ws:', 'wss:'].includes(url.protocol)) throw new TypeError('the URL of the stream must begin with ws: or wss:');
  return url;
}
