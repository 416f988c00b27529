import { Book, type BookView } from '../../../core/market/book.js';
import type { MarketChange } from '../../../core/market/event.js';
import type { Market } from '../../../core/market/market.js';
import type { MarketListener } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';
import { BoundedDelivery } from '../../venue/bounded-delivery.js';
import { changedLevel, type DeltaFrame, type SnapshotFrame, type TradeFrame } from '../websocket/market-frames.js';

const CROSSED = 'the book is crossed';

/** What a followed market needs of its surroundings. */
export interface FollowedMarketParts {
  readonly clock: Clock;
  /** How many events may be queued for one listener. */
  readonly backlog: number;
  report(reason: string, error?: unknown): void;
}

/** One listener of a market. */
export interface MarketFollower {
  /** Resolves once the first event was delivered, or none ever will be. */
  readonly begun: Promise<void>;
  stop(): void;
}

/** The book of one market as its messages make it, and all who listen to it. */
export class FollowedMarket {
  readonly #book = new Book();
  readonly #listeners = new Map<BoundedDelivery, { isBehind: boolean }>();
  /** True while the book is what the venue has. */
  #isFresh = false;
  /** True once the whole book came, also while it is crossed. */
  #isKnown = false;
  /** Why the book is not to be trusted; null while it is, and before anything came. */
  #gap: string | null = null;

  constructor(
    readonly market: Market,
    private readonly parts: FollowedMarketParts,
  ) {}

  /** True once the whole book came on this subscription. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** True while somebody listens. */
  get isFollowed(): boolean {
    return this.#listeners.size > 0;
  }

  /** True of a book that is known and crossed: it lacks a step, or is about to be told it. */
  get isCrossed(): boolean {
    return this.#isKnown && this.#book.crossed;
  }

  /** Undefined while it is not to be trusted. */
  get view(): BookView | undefined {
    if (!this.#isFresh) return undefined;
    return { bids: this.#book.side('bids'), asks: this.#book.side('asks'), at: this.parts.clock.now(), fresh: true };
  }

  /** Hands everything to this listener too, from the whole book on. */
  add(listener: MarketListener): MarketFollower {
    const state = { isBehind: false };
    const delivery = new BoundedDelivery(listener, this.parts.clock, this.parts.backlog, {
      drained: () => {
        if (!state.isBehind) return;
        state.isBehind = false;
        if (this.#isFresh) delivery.put(this.#whole());
      },
      listenerFailed: (error) => this.parts.report('a listener failed', error),
    });
    this.#listeners.set(delivery, state);
    if (this.#isFresh) delivery.put(this.#whole());
    else if (this.#gap !== null) delivery.put({ type: 'gap', reason: this.#gap });
    return {
      begun: delivery.begun,
      stop: () => {
        delivery.stop();
        this.#listeners.delete(delivery);
      },
    };
  }

  /** The book as the venue has it. */
  replace({ bids, asks }: SnapshotFrame): void {
    this.#book.replace(bids, asks);
    this.#isKnown = true;
    this.#judge();
    if (this.#isFresh) this.#hand(this.#whole());
  }

  /** False where the change cannot be one of this book: a step was lost. Before the whole book is known, changes say nothing. */
  change(delta: DeltaFrame): boolean {
    if (!this.#isKnown) return true;
    const before = this.#book.level(delta.side, delta.price)?.shares ?? (0n as typeof delta.change);
    const change = changedLevel(before, delta);
    if (change === null) return false;
    this.#book.set(change.side, change.price, change.shares);
    const wasFresh = this.#isFresh;
    this.#judge();
    if (wasFresh && this.#isFresh) this.#hand({ type: 'levels', changes: [change] });
    else if (this.#isFresh) this.#hand(this.#whole());
    return true;
  }

  trade({ price, shares, taker }: TradeFrame): void {
    if (this.#isFresh) this.#hand({ type: 'trade', price, shares, taker });
  }

  /** Hands over what is no change of the book, such as another price grid. */
  hand(change: MarketChange): void {
    this.#hand(change);
  }

  /** The book is not to be trusted until the next whole one. */
  distrust(reason: string): void {
    this.#isKnown = false;
    this.#isFresh = false;
    if (this.#gap === null) this.#hand({ type: 'gap', reason });
    this.#gap = reason;
  }

  stop(): void {
    for (const delivery of this.#listeners.keys()) delivery.stop();
    this.#listeners.clear();
  }

  /** Orders that cross would have matched: nothing may be filled against such a book. */
  #judge(): void {
    const { crossed } = this.#book;
    if (crossed && this.#gap === null) this.#hand({ type: 'gap', reason: CROSSED });
    this.#gap = crossed ? CROSSED : null;
    this.#isFresh = !crossed;
  }

  #whole(): MarketChange {
    return { type: 'book', bids: this.#book.side('bids'), asks: this.#book.side('asks') };
  }

  #hand(change: MarketChange): void {
    for (const [delivery, state] of this.#listeners) {
      if (state.isBehind || delivery.put(change)) continue;
      state.isBehind = true;
      delivery.clear();
      delivery.put({ type: 'gap', reason: 'the listener fell behind' });
    }
  }
}
