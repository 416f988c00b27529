import type { MarketId } from '../../../core/ids.js';
import type { BookView } from '../../../core/market/book.js';
import type { Market, Outcome } from '../../../core/market/market.js';
import type { Clock } from '../../../ports/system.js';
import type { BackoffLimits } from '../../transport/backoff.js';
import type { WebSocketLimits } from '../../transport/websocket-session.js';
import { MarketConnection } from '../websocket/market-connection.js';
import { type MarketUpdate, type Routes, readFrame, type TokenRoute } from '../websocket/market-wire.js';
import type { BookSnapshot } from './delivered-book.js';
import type { MarketFeed } from './market-feed.js';

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
export class MarketChannel implements Routes {
  readonly #connection: MarketConnection;
  readonly #markets = new Map<MarketId, Followed>();
  readonly #routes = new Map<string, TokenRoute>();
  /** True from the loss of a connection until one stands again. */
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
