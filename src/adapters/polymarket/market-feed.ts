import type { BookSides } from '../../core/market/book.js';
import type { MarketChange } from '../../core/market/event.js';
import type { Market } from '../../core/market/market.js';
import type { Price } from '../../core/money.js';
import type { MarketListener } from '../../ports/market-data.js';
import type { Clock } from '../../ports/system.js';
import { Delivery } from './delivery.js';
import { type Pace, persist, waited } from './persist.js';
import type { StreamNews } from './stream-wire.js';
import { ToldBook } from './told-book.js';

/** What a feed needs from around it. */
export interface FeedOptions {
  readonly readBook: (market: Market, signal: AbortSignal) => Promise<BookSides>;
  readonly clock: Clock;
  /** How many events may wait for the listener. */
  readonly backlog: number;
  /** How long the connection is given to send the book itself. */
  readonly snapshotMs: number;
  readonly retry: Pace;
  readonly report: (reason: string, error?: unknown) => void;
}

type LevelsNews = Extract<StreamNews, { type: 'levels' }>;
type BookNews = Extract<StreamNews, { type: 'book' }>;

/**
 * What one listener is told of one market: begins with a whole book or a gap, and after a gap tells no levels before the
 * next whole book, which it sees to itself while there is a connection.
 */
export class MarketFeed {
  readonly #delivery: Delivery;
  readonly #book = new ToldBook();
  #online = false;
  #told = false;
  #fresh = false;
  #behind = false;
  /** That the book cannot be read was reported, and nothing stood since. */
  #reported = false;
  #snapshotAt: number | null = null;
  #changedAt: number | null = null;
  #tick: Price | null;
  #toldTick: Price | null;
  #recovery = new AbortController();
  /** Levels that came while a book was being read; null when some of them were lost. */
  #kept: LevelsNews[] | null = null;

  constructor(
    readonly market: Market,
    listener: MarketListener,
    private readonly options: FeedOptions,
  ) {
    this.#tick = market.terms?.tick ?? null;
    this.#toldTick = this.#tick;
    this.#delivery = new Delivery(listener, options.clock, options.backlog, {
      drained: () => this.#caughtUp(),
      listenerFailed: (error) => options.report('a listener failed', error),
    });
  }

  /** Resolves once the first event was handed over, or none ever will be. */
  get begun(): Promise<void> {
    return this.#delivery.begun;
  }

  /** The market is subscribed to; the book comes within `patience` milliseconds, or is read. */
  connected(patience = this.options.snapshotMs): void {
    this.#online = true;
    this.#recover(patience);
  }

  /** Nothing comes any more. */
  disconnected(reason: string): void {
    this.#online = false;
    this.#recovery.abort();
    this.#gap(reason);
  }

  /** Hands over nothing from now on, and ends whatever is under way. */
  stop(): void {
    this.#online = false;
    this.#recovery.abort();
    this.#delivery.stop();
  }

  /** True while the book that was told is one to be trusted. */
  get fresh(): boolean {
    return this.#fresh;
  }

  /** Takes a book that was read while nothing came; a listener that was told the same hears nothing. False when it was another. */
  confirm(sides: BookSides): boolean {
    if (!this.#fresh || this.#book.isThat(sides)) return true;
    this.#tell({ type: 'book', ...sides });
    return false;
  }

  /** The book is not to be trusted any more, and is read. */
  distrust(reason: string): void {
    const reading = !this.#fresh;
    this.#kept = null;
    this.#gap(reason);
    // Whatever is being read now goes on, and is read again because levels are missing.
    if (!reading) this.#recover(0);
  }

  /** What the connection told of this market. */
  take(news: StreamNews): void {
    if (news.type === 'book') this.#takeBook(news);
    else if (news.type === 'levels') this.#takeLevels(news);
    else if (news.type === 'tick') this.#takeTick(news.tick);
    else if (news.type === 'unusable') this.distrust(news.reason);
    else if (news.type === 'trade' && this.#told && !this.#behind) this.#tell(bare(news));
  }

  #takeBook({ bids, asks, tick, sentAt }: BookNews): void {
    if (this.#behind) return;
    // What is older than the book that stands would take it back.
    if (this.#fresh && (isOlder(sentAt, this.#snapshotAt) || isOlder(sentAt, this.#changedAt))) return;
    this.#tick = tick ?? this.#tick;
    this.#stand({ bids, asks }, sentAt);
  }

  #takeLevels(news: LevelsNews): void {
    if (!this.#fresh) this.#keep(news);
    // The book has it in already, in its present form.
    else if (isOlder(news.sentAt, this.#snapshotAt)) return;
    else if (isOlder(news.sentAt, this.#changedAt)) this.distrust('changes came out of order');
    else {
      this.#changedAt = news.sentAt ?? this.#changedAt;
      this.#tell({ type: 'levels', changes: news.changes });
    }
  }

  #keep(news: LevelsNews): void {
    if (this.#kept !== null && this.#kept.push(news) > this.options.backlog) this.#kept = null;
  }

  #takeTick(tick: Price): void {
    this.#tick = tick;
    if (this.#told && !this.#behind) this.#tellTick();
  }

  /** The venue tells the tick of a market once for each of its tokens. */
  #tellTick(): void {
    if (this.#tick === null || this.#tick === this.#toldTick) return;
    this.#toldTick = this.#tick;
    this.#tell({ type: 'tick', tick: this.#tick });
  }

  #stand({ bids, asks }: BookSides, sentAt: number | null): void {
    this.#recovery.abort();
    this.#fresh = true;
    this.#reported = false;
    this.#snapshotAt = sentAt;
    this.#changedAt = null;
    this.#tell({ type: 'book', bids, asks });
    if (this.#fresh) this.#tellTick();
  }

  #gap(reason: string): void {
    if (this.#told && !this.#fresh) return;
    this.#fresh = false;
    this.#tell({ type: 'gap', reason });
  }

  #tell(change: MarketChange): void {
    this.#told = true;
    this.#book.tell(change);
    if (this.#delivery.put(change)) return;
    this.#behind = true;
    this.#fresh = false;
    this.#toldTick = null;
    this.#recovery.abort();
    this.#delivery.clear();
    this.#delivery.put({ type: 'gap', reason: 'the listener fell behind' });
  }

  #caughtUp(): void {
    if (!this.#behind) return;
    this.#behind = false;
    this.#recover(0);
  }

  #recover(patience: number): void {
    this.#recovery.abort();
    if (!this.#online || this.#behind) return;
    this.#recovery = new AbortController();
    void this.#readAfter(patience, this.#recovery.signal);
  }

  async #readAfter(patience: number, signal: AbortSignal): Promise<void> {
    this.#kept = null;
    if (patience > 0 && !(await waited(patience, signal))) return;
    await persist(this.options.retry, signal, () => this.#read(signal));
  }

  async #read(signal: AbortSignal): Promise<'done' | 'again'> {
    this.#kept = [];
    try {
      const sides = await this.options.readBook(this.market, signal);
      if (signal.aborted) return 'done';
      if (this.#kept === null) return 'again';
      this.#standOn(sides, this.#kept);
      return 'done';
    } catch (error) {
      if (signal.aborted) return 'done';
      if (!this.#reported) this.options.report('a book could not be read', error);
      this.#reported = true;
      this.#gap('the book could not be read');
      return 'again';
    }
  }

  /** A book that was asked for may be older than levels that came before its answer; told anew, they do no harm. */
  #standOn(sides: BookSides, kept: readonly LevelsNews[]): void {
    this.#kept = null;
    this.#stand(sides, null);
    for (const { changes } of kept) if (this.#fresh) this.#tell({ type: 'levels', changes });
  }
}

function bare({ price, shares, taker }: Extract<StreamNews, { type: 'trade' }>): MarketChange {
  return { type: 'trade', price, shares, taker };
}

function isOlder(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && a < b;
}
