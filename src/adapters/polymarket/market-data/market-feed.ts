import { type BookSides, isCrossed } from '../../../core/market/book.js';
import type { MarketChange } from '../../../core/market/event.js';
import type { Market } from '../../../core/market/market.js';
import type { Price } from '../../../core/money.js';
import type { MarketListener } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';
import type { BackoffLimits, Ending } from '../../transport/backoff.js';
import { BoundedDelivery } from '../../venue/bounded-delivery.js';
import { bareTrade, type MarketUpdate, type UpdateOf } from '../websocket/market-wire.js';
import { BestPriceCheck, LatestBestPrices } from './best-price-check.js';
import { BookRecovery } from './book-recovery.js';
import { type BookSnapshot, DeliveredBook } from './delivered-book.js';
import { ReceivedLevels } from './received-levels.js';
import { isOlder } from './sent-at.js';

/** The dependencies and limits of a feed. */
export interface FeedOptions {
  readonly readBook: (market: Market, signal: AbortSignal) => Promise<BookSnapshot>;
  readonly clock: Clock;
  /** How many events may be queued for the listener. */
  readonly backlog: number;
  /** How long the connection has to send the book itself. */
  readonly snapshotMs: number;
  /** How long the book may differ from the venue's best prices before a change counts as lost. */
  readonly doubtMs: number;
  readonly retry: BackoffLimits;
  readonly report: (reason: string, error?: unknown) => void;
}

/**
 * Delivers one market to one listener: begins with a whole book or a gap, and after a gap delivers no levels before the next
 * whole book, which it requests itself while there is a connection.
 */
export class MarketFeed {
  readonly #delivery: BoundedDelivery;
  /** The book as delivered, to be trusted while `fresh`. */
  readonly delivered = new DeliveredBook();
  #online = false;
  #hasBegun = false;
  #fresh = false;
  #behind = false;
  /** True when a failure to read the book was reported, and no book stood since. */
  #reported = false;
  #snapshotAt: number | null = null;
  #changedAt: number | null = null;
  #tick: Price | null;
  #deliveredTick: Price | null;
  readonly #recovery: BookRecovery;
  readonly #received: ReceivedLevels;
  readonly #check: BestPriceCheck;
  readonly #best = new LatestBestPrices();

  constructor(
    readonly market: Market,
    listener: MarketListener,
    private readonly options: FeedOptions,
  ) {
    this.#tick = market.terms?.tick ?? null;
    this.#deliveredTick = this.#tick;
    this.#recovery = new BookRecovery(options.retry, (signal) => this.#read(signal));
    this.#received = new ReceivedLevels(options.backlog);
    this.#check = new BestPriceCheck(this.delivered.book, options.doubtMs, () => this.#doubted());
    this.#delivery = new BoundedDelivery(listener, options.clock, options.backlog, {
      drained: () => this.#caughtUp(),
      listenerFailed: (error) => options.report('a listener failed', error),
    });
  }

  /** Resolves once the first event was delivered, or none ever will be. */
  get begun(): Promise<void> {
    return this.#delivery.begun;
  }

  /** The market is subscribed to; the book arrives within `patience` milliseconds, or is read. */
  connected(patience = this.options.snapshotMs): void {
    this.#online = true;
    this.#recover(patience);
  }

  /** The connection is lost. */
  disconnected(reason: string): void {
    this.#online = false;
    this.#recovery.end();
    this.#gap(reason);
    this.#received.forget();
    this.#snapshotAt = null;
    this.#best.forget();
  }

  /** Delivers nothing from now on, and ends what is in progress. */
  stop(): void {
    this.#online = false;
    this.#recovery.end();
    this.#check.settle();
    this.#delivery.stop();
  }

  /** True while the delivered book can be trusted. */
  get fresh(): boolean {
    return this.#fresh;
  }

  /**
   * Takes a book that was read while the market was idle. False when it differs from the delivered one; only then does the
   * listener get it.
   */
  confirm(read: BookSnapshot): boolean {
    if (!this.#fresh || this.delivered.isThat(read)) return true;
    this.#replace(read, read.sentAt ?? null);
    return false;
  }

  /** The book can no longer be trusted, and is read. */
  distrust(reason: string): void {
    const reading = !this.#fresh;
    this.#received.miss();
    this.#gap(reason);
    // A read in progress goes on, and is repeated because levels are missing.
    if (!reading) this.#recover(0);
  }

  /** Takes a message of the connection about this market. */
  take(news: MarketUpdate): void {
    if (news.type === 'book') this.#takeBook(news);
    else if (news.type === 'levels') this.#takeLevels(news);
    else if (news.type === 'best') this.#takeBest(news);
    else if (news.type === 'tick') this.#takeTick(news.tick);
    else if (news.type === 'unusable') this.distrust(news.reason);
    else if (news.type === 'trade' && this.#hasBegun && !this.#behind) this.#deliver(bareTrade(news));
  }

  #takeBook({ bids, asks, tick, sentAt }: UpdateOf<'book'>): void {
    if (this.#behind) return;
    // An older book than the present or the last one would undo its changes.
    if (isOlder(sentAt, this.#snapshotAt) || (this.#fresh && isOlder(sentAt, this.#changedAt))) return;
    if (isCrossed({ bids, asks })) {
      if (this.#fresh) this.distrust('a crossed book was received');
      return;
    }
    this.#tick = tick ?? this.#tick;
    this.#replace(this.#received.addedToSent({ bids, asks }, sentAt), sentAt);
  }

  #takeLevels(news: UpdateOf<'levels'>): void {
    this.#received.receive(news);
    if (!this.#fresh) return;
    // The book already includes it, in its current form.
    if (isOlder(news.sentAt, this.#snapshotAt)) return;
    if (isOlder(news.sentAt, this.#changedAt)) this.distrust('changes came out of order');
    else {
      this.#changedAt = news.sentAt ?? this.#changedAt;
      this.#deliver({ type: 'levels', changes: news.changes });
      this.#check.changed(news.changes);
    }
  }

  #takeBest({ best, sentAt }: UpdateOf<'best'>): void {
    if (!this.#best.take(best, sentAt)) return;
    const past = isOlder(sentAt, this.#snapshotAt) || isOlder(sentAt, this.#changedAt);
    if (this.#fresh && !past) this.#check.expect(best);
  }

  /** The book has differed from the venue's best prices for so long that a change must have been lost. */
  #doubted(): void {
    if (!this.#fresh) return;
    // With both sides empty, the whole book is known.
    if (this.#best.isEmpty) this.#deliver({ type: 'book', bids: [], asks: [] });
    const reason = 'a change was missed: the best prices differ from those of the book';
    this.options.report(reason);
    this.distrust(reason);
  }

  #takeTick(tick: Price): void {
    this.#tick = tick;
    if (this.#hasBegun && !this.#behind) this.#deliverTick();
  }

  /** The venue sends the tick of a market once for each of its tokens. */
  #deliverTick(): void {
    if (this.#tick === null || this.#tick === this.#deliveredTick) return;
    this.#deliveredTick = this.#tick;
    this.#deliver({ type: 'tick', tick: this.#tick });
  }

  #replace({ bids, asks }: BookSides, sentAt: number | null): void {
    this.#recovery.end();
    this.#fresh = true;
    this.#reported = false;
    this.#snapshotAt = sentAt;
    this.#changedAt = isOlder(sentAt, this.#received.newest) ? this.#received.newest : null;
    this.#check.settle();
    this.#deliver({ type: 'book', bids, asks });
    if (this.#fresh) this.#deliverTick();
  }

  #gap(reason: string): void {
    if (this.#hasBegun && !this.#fresh) return;
    this.#fresh = false;
    this.#check.settle();
    this.#deliver({ type: 'gap', reason });
  }

  #deliver(change: MarketChange): void {
    this.#hasBegun = true;
    this.delivered.apply(change);
    if (this.#delivery.put(change)) return;
    this.#behind = true;
    this.#fresh = false;
    this.#deliveredTick = null;
    this.#check.settle();
    this.#recovery.end();
    this.#delivery.clear();
    this.#delivery.put({ type: 'gap', reason: 'the listener fell behind' });
  }

  #caughtUp(): void {
    if (!this.#behind) return;
    this.#behind = false;
    this.#recover(0);
  }

  #recover(patience: number): void {
    if (this.#online && !this.#behind) this.#recovery.begin(patience);
    else this.#recovery.end();
  }

  async #read(signal: AbortSignal): Promise<Ending> {
    this.#received.ask();
    try {
      const read = await this.options.readBook(this.market, signal);
      return signal.aborted || this.#standsOn(read) ? 'done' : 'again';
    } catch (error) {
      if (signal.aborted) return 'done';
      if (!this.#reported) this.options.report('a book could not be read', error);
      this.#reported = true;
      this.#gap('the book could not be read');
      return 'again';
    }
  }

  /** A requested book may be older than the messages that came before its answer. */
  #standsOn(read: BookSnapshot): boolean {
    const sentAt = read.sentAt ?? null;
    const sides = this.#received.addedToRead(read, sentAt);
    if (sides === null || isCrossed(sides) || this.#best.contradicts(sides, sentAt)) return false;
    this.#replace(sides, sentAt);
    return true;
  }
}
