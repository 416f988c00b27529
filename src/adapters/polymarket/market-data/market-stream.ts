import { MarketDataUnavailable, MarketUnusable } from '../../../core/errors.js';
import type { MarketId } from '../../../core/ids.js';
import type { BookView } from '../../../core/market/book.js';
import type { Market, Outcome } from '../../../core/market/market.js';
import type { Following, MarketListener } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';
import type { BackoffLimits } from '../../transport/backoff.js';
import { PacedRounds } from '../../transport/paced-rounds.js';
import type { WebSocketLimits } from '../../transport/websocket-session.js';
import { MarketConnection } from '../websocket/market-connection.js';
import { type MarketUpdate, type Routes, readFrame, type TokenRoute } from '../websocket/market-wire.js';
import type { BookSnapshot } from './delivered-book.js';
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

  /** The book of a followed market; undefined where the market is not followed, or its book is unknown without a read. */
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

/** How a channel connects, and the callbacks for what is not a market event. */
export interface ChannelOptions {
  readonly url: URL;
  readonly clock: Clock;
  readonly limits: WebSocketLimits;
  readonly reconnect: BackoffLimits;
  readonly readBook: (market: Market, signal: AbortSignal) => Promise<BookSnapshot>;
  readonly resolved: (conditionId: MarketId) => void;
  /** A message about this market was received. */
  readonly received: (conditionId: MarketId) => void;
  readonly report: (reason: string) => void;
}

interface Followed {
  readonly tokens: readonly [string, string];
  readonly feeds: Set<MarketFeed>;
  /** Aborted when a message about the market is received, or its connection ends: a book being read may then be outdated. */
  reading: AbortController;
  /** When the last message about the market was received. */
  heardAt: Date | null;
}

/** So long after its last message, a followed market may have changed unnoticed: its subscription may have died. */
const HEARD_MS = 5000;

/** The markets that share one connection, and the feeds of each. */
class MarketChannel implements Routes {
  readonly #connection: MarketConnection;
  readonly #markets = new Map<MarketId, Followed>();
  readonly #routes = new Map<string, TokenRoute>();
  /** True from the loss of a connection until one is open again. */
  #down = false;

  constructor(private readonly options: ChannelOptions) {
    const { url, limits, reconnect } = options;
    this.#connection = new MarketConnection(url, limits, reconnect, {
      opened: () => this.#opened(),
      received: (text) => this.#received(text),
      lost: (reason) => this.#lost(reason),
      tokens: () => [...this.#routes.keys()],
    });
  }

  /** How many markets share the connection. */
  get size(): number {
    return this.#markets.size;
  }

  /** Where a token belongs. */
  route(tokenId: string): TokenRoute | undefined {
    return this.#routes.get(tokenId);
  }

  /** True when a market of this condition is followed. */
  follows(conditionId: string): boolean {
    return this.#markets.has(conditionId as MarketId);
  }

  /** From now on the feed receives the messages about its market, whose outcomes are these. */
  add(feed: MarketFeed, [yes, no]: readonly [Outcome, Outcome]): void {
    const { id } = feed.market;
    const known = this.#markets.get(id);
    if (known !== undefined) {
      known.feeds.add(feed);
      // The book was sent when the market was subscribed to, and may not come again.
      if (this.#connection.isOpen) feed.connected(0);
      return;
    }
    const tokens = [yes.tokenId, no.tokenId] as const;
    this.#markets.set(id, { tokens, feeds: new Set([feed]), reading: new AbortController(), heardAt: null });
    this.#routes.set(yes.tokenId, { market: id, outcome: 'YES' });
    this.#routes.set(no.tokenId, { market: id, outcome: 'NO' });
    this.#connection.subscribe(tokens);
    if (this.#connection.isOpen) feed.connected();
  }

  /** The book of a market that is followed and was heard of a moment ago; undefined where it has to be read. */
  book(id: MarketId): BookView | undefined {
    const { heardAt = null, feeds = [] } = this.#markets.get(id) ?? {};
    const at = this.options.clock.now();
    if (heardAt === null || !this.#connection.isOpen || at.getTime() - heardAt.getTime() > HEARD_MS) return undefined;
    const book = [...feeds].find(({ fresh }) => fresh)?.delivered.book;
    return book && { bids: book.side('bids'), asks: book.side('asks'), at, fresh: true };
  }

  /** Stops the feed; the last one of a market ends its subscription. */
  remove(feed: MarketFeed): void {
    feed.stop();
    const { id } = feed.market;
    const followed = this.#markets.get(id);
    if (!followed?.feeds.delete(feed) || followed.feeds.size > 0) return;
    this.#markets.delete(id);
    followed.reading.abort();
    for (const token of followed.tokens) this.#routes.delete(token);
    this.#connection.unsubscribe(followed.tokens);
  }

  /** Stops all feeds, and resolves once the connection is gone. */
  async close(): Promise<void> {
    this.#endReadings();
    for (const feed of this.#feeds()) feed.stop();
    this.#markets.clear();
    this.#routes.clear();
    await this.#connection.close();
  }

  /**
   * Reads the book of an idle market, while its connection lives. A book that differs from the delivered one is delivered
   * whole, and the market's subscription, which must have died, is renewed. One that cannot be read is a gap.
   */
  async confirm(id: MarketId): Promise<void> {
    const followed = this.#markets.get(id);
    const [first, ...others] = [...(followed?.feeds ?? [])].filter(({ fresh }) => fresh);
    if (followed === undefined || first === undefined || !this.#connection.isOpen) return;
    followed.reading = new AbortController();
    const { signal } = followed.reading;
    try {
      const sides = await this.options.readBook(first.market, signal);
      if (!signal.aborted) this.#compare(followed, [first, ...others], sides);
    } catch {
      if (signal.aborted) return;
      for (const feed of [first, ...others]) feed.distrust('the book could not be read');
    }
  }

  #compare({ tokens }: Followed, feeds: readonly MarketFeed[], sides: BookSnapshot): void {
    const confirmed = feeds.map((feed) => feed.confirm(sides));
    if (!confirmed.includes(false)) return;
    this.options.report('a market changed without a message');
    this.#connection.unsubscribe(tokens);
    this.#connection.subscribe(tokens);
  }

  #endReadings(): void {
    for (const { reading } of this.#markets.values()) reading.abort();
  }

  #opened(): void {
    this.#down = false;
    for (const feed of this.#feeds()) feed.connected();
  }

  #lost(reason: string): void {
    if (!this.#down) this.options.report(`${this.options.url.host}: ${reason}`);
    this.#down = true;
    this.#endReadings();
    for (const feed of this.#feeds()) feed.disconnected(reason);
  }

  #received(text: string): void {
    for (const news of readFrame(text, this)) this.#handOver(news);
  }

  #handOver(news: MarketUpdate): void {
    if (news.type === 'resolved') this.options.resolved(news.market);
    const followed = this.#markets.get(news.market);
    if (followed === undefined) return;
    followed.reading.abort();
    followed.heardAt = this.options.clock.now();
    this.options.received(news.market);
    const feeds = [...followed.feeds];
    if (news.type === 'unusable' && feeds.some(({ fresh }) => fresh)) this.options.report(news.reason);
    for (const feed of feeds) feed.take(news);
  }

  /** A copy: a listener may stop its feed during the iteration. */
  #feeds(): MarketFeed[] {
    return [...this.#markets.values()].flatMap(({ feeds }) => [...feeds]);
  }
}
