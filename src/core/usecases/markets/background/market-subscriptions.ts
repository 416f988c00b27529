import type { Clock, Ids } from '../../../../ports/system.js';
import { TooManyMarkets } from '../../../errors.js';
import type { AccountId, MarketId, VenueName } from '../../../ids.js';
import type { BookView } from '../../../market/book.js';
import type { Level, MarketEvent } from '../../../market/event.js';
import type { Payout } from '../../../market/lifecycle.js';
import { type Market, marketName, refOf, sameMarket } from '../../../market/market.js';
import type { Side } from '../../../market/side.js';
import type { Price, Shares } from '../../../money.js';
import type { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { FollowedMarkets, MarketUser } from '../../strategies/background/watched-markets.js';
import type { ReadMarkets } from '../read-markets.js';

/** How many levels of each side of a book a reader may ask for. */
export const MOST_DEPTH = 100;
/** How many markets one reader may follow. */
export const MOST_MARKETS_AT_ONCE = 100;
/** How many markets are followed for readers, and how many of them one account may have brought. */
const MOST_MARKETS = 1000;
const MOST_OF_ACCOUNT = 200;
/** How many trades and changes of markets are kept for readers that are slow or come back. */
const KEPT = 8192;
/** So many markets are looked up at once for one reader. */
const AT_ONCE = 5;

/**
 * Why something may be missing: the venue's data had a hole (`market_data`), the reader was too slow or away for too long (`missed`), or
 * its position is of another program (`restarted`).
 */
export type GapReason = 'market_data' | 'missed' | 'restarted';

/** What a reader gets of the markets that it follows. */
export type MarketNews = {
  /** The position of the reader after it; null for what stands for itself, such as a book. */
  readonly seq: number | null;
  /** In the time of the markets. */
  readonly at: Date;
} & (
  | { readonly type: 'market'; readonly market: Market }
  | { readonly type: 'result'; readonly market: Market; readonly payout: Payout }
  /** A match at the venue, in terms of the first outcome. */
  | {
      readonly type: 'trade';
      readonly market: Market;
      readonly price: Price;
      readonly shares: Shares;
      readonly taker: Side;
    }
  /** The book in terms of the first outcome; it replaces the one before. */
  | { readonly type: 'book'; readonly market: Market; readonly book: BookView }
  /** Null for all markets of the reader. */
  | { readonly type: 'gap'; readonly market: Market | null; readonly reason: GapReason }
);

/** A place in what one program heard of markets. */
export interface MarketPosition {
  /** Which program it was. */
  readonly run: string;
  readonly seq: number;
}

/** Which markets a reader follows, and from where on. */
export interface SubscriptionRequest {
  /** Null for the program itself, which is not bounded. */
  readonly account: AccountId | null;
  /** Null for the default venue. */
  readonly venue: VenueName | null;
  readonly markets: readonly MarketId[];
  /** How many levels of each side of the book. */
  readonly depth: number;
  /** Null for from now on. */
  readonly after: MarketPosition | null;
}

/** One market that is followed for readers: as it is now. */
export class SubscribedMarket implements MarketUser {
  readonly readers = new Set<MarketSubscription>();
  readonly watched: WatchedMarket;
  /** Resolves once it is followed. */
  begun: Promise<void> = Promise.resolve();
  readonly #tops = new Map<number, { readonly revision: number; readonly book: BookView }>();
  /** As readers know it. */
  #told: Market;
  #isMid = false;
  #isInGap = false;

  constructor(
    market: Market,
    followed: FollowedMarkets,
    /** The position from which on everything was heard of it. */
    readonly since: number,
    private readonly heard: (change: UnnumberedNews, at?: Date) => void | Promise<void>,
    private readonly changes: () => void | Promise<void>,
  ) {
    this.watched = followed.use(market, this);
    this.#told = this.watched.market;
  }

  get market(): Market {
    return this.watched.market;
  }

  changed(_: WatchedMarket, type: MarketEvent['type']): Promise<void> | undefined {
    if (type === 'mid' || type === 'book') this.#isMid = type === 'mid';
    const isNewGap = type === 'gap' && !this.#isInGap;
    if (type === 'gap' || type === 'book') this.#isInGap = type === 'gap';
    if (isNewGap) return waiting(this.heard({ type: 'gap', market: this.market, reason: 'market_data' }));
    if (type === 'market' || type === 'tick') return waiting(this.#describe());
    return waiting(this.changes());
  }

  traded(_: WatchedMarket, { price, shares, taker, at }: TradeEvent): Promise<void> | undefined {
    return waiting(this.heard({ type: 'trade', market: this.market, price, shares, taker }, at));
  }

  renewed(): void {
    void this.#describe();
  }

  /** The best levels of each side; the same object until they change. Null while no book is known. */
  top(depth: number): BookView | null {
    const known = this.#tops.get(depth);
    if (known?.revision === this.watched.revision) return known.book;
    const { book: whole } = this.watched.view();
    if (whole === null || this.#isMid) return null;
    const book = { ...whole, bids: whole.bids.slice(0, depth), asks: whole.asks.slice(0, depth) };
    const top = known !== undefined && sameBook(known.book, book) ? known.book : book;
    this.#tops.set(depth, { revision: this.watched.revision, book: top });
    return top;
  }

  async #describe(): Promise<void> {
    const { market } = this;
    const before = this.#told;
    if (sameMarket(before, market)) return;
    this.#told = market;
    const { payout } = market;
    const isResult = payout !== null && !samePayout(before.payout, payout);
    const told = [this.heard({ type: 'market', market }), isResult && this.heard({ type: 'result', market, payout })];
    await Promise.all(told);
  }
}

/** A match at the venue, as it was heard. */
export type TradeEvent = Extract<MarketEvent, { readonly type: 'trade' }>;
/** News without their place. */
export type UnnumberedNews = MarketNews extends infer Update
  ? Update extends MarketNews
    ? Omit<Update, 'seq' | 'at'>
    : never
  : never;

const waiting = (work: void | Promise<void>): Promise<void> | undefined => work ?? undefined;

const samePayout = (one: Payout | null, other: Payout): boolean => one?.[0] === other[0] && one[1] === other[1];

function sameBook(one: BookView, other: BookView): boolean {
  return one.fresh === other.fresh && sameLevels(one.bids, other.bids) && sameLevels(one.asks, other.asks);
}

const sameLevels = (one: readonly Level[], other: readonly Level[]): boolean =>
  one.length === other.length &&
  one.every(({ price, shares }, at) => price === other[at]?.price && shares === other[at]?.shares);

/**
 * One reader of some markets. It pulls, so that nothing waits for it and nothing piles up: of each market it gets the newest book, and
 * of trades and changes of markets those that are still kept. What it misses is a `gap`.
 */
export class MarketSubscription {
  /** What it has to get before anything else. */
  #first: MarketNews[];
  #seq: number;
  #next = 0;
  readonly #books = new Map<SubscribedMarket, BookView>();

  constructor(
    private readonly hub: Pick<MarketSubscriptions, 'first' | 'last' | 'newsAfter' | 'leave' | 'now'>,
    private readonly of: readonly SubscribedMarket[],
    readonly account: AccountId | null,
    readonly depth: number,
    /** Resolves once every market is followed. @throws what kept one of them from it */
    readonly begun: Promise<void>,
    start: { readonly seq: number; readonly reason: GapReason | null },
  ) {
    this.#seq = start.seq;
    const at = hub.now();
    const described = of.flatMap(({ market }) => {
      const { payout } = market;
      const found: MarketNews[] = [{ type: 'market', seq: null, at, market }];
      return payout === null ? found : [...found, { type: 'result', seq: null, at, market, payout } as const];
    });
    const gap = (market: Market | null, reason: GapReason) => ({ type: 'gap', seq: null, at, market, reason }) as const;
    const lost = of.filter(({ since }) => since > start.seq).map(({ market }) => gap(market, 'missed'));
    this.#first = [...described, ...(start.reason === null ? lost : [gap(null, start.reason)])];
  }

  /** Its markets as they are described now, in the order in which they were asked for. */
  get markets(): readonly Market[] {
    return this.of.map(({ market }) => market);
  }

  /** Where it would go on. */
  get position(): number {
    return this.#seq;
  }

  /** Whether there is something that it did not get yet. */
  get isBehind(): boolean {
    if (this.#first.length > 0 || this.#seq < this.hub.last) return true;
    return this.of.some((one) => one.top(this.depth) !== (this.#books.get(one) ?? null));
  }

  /** Up to `most` of what is new for it: trades and changes of markets in their order, then the newest books. */
  take(most: number): readonly MarketNews[] {
    const taken = this.#first.splice(0, most);
    if (this.#first.length > 0) return taken;
    if (this.#seq < this.hub.first - 1) {
      this.#seq = this.hub.first - 1;
      taken.push({ type: 'gap', seq: this.#seq, at: this.hub.now(), market: null, reason: 'missed' });
    }
    for (const { update, market } of this.hub.newsAfter(this.#seq)) {
      if (taken.length >= most) return taken;
      this.#seq = update.seq ?? this.#seq;
      if (market.readers.has(this)) taken.push(update);
    }
    this.#takeBooks(taken, most);
    return taken;
  }

  /** Gets nothing more; a market without readers is followed no longer. */
  end(): void {
    for (const one of this.of) this.hub.leave(one, this);
  }

  /** Each market in turn, so that none waits for the others where not all are taken. */
  #takeBooks(taken: MarketNews[], most: number): void {
    for (let looked = 0; looked < this.of.length && taken.length < most; looked += 1) {
      const one = this.of[this.#next % this.of.length] as SubscribedMarket;
      this.#next += 1;
      const book = one.top(this.depth);
      if (book === null || book === this.#books.get(one)) continue;
      this.#books.set(one, book);
      taken.push({ type: 'book', seq: null, at: book.at, market: one.market, book });
    }
  }
}

/** What was heard of a market. */
export interface KeptNews {
  readonly update: MarketNews;
  readonly market: SubscribedMarket;
}

/**
 * The markets that are followed for readers, each once, whoever reads it, and the newest news of all of them. Strategies and bets follow
 * the same markets at the same source.
 */
export class MarketSubscriptions {
  readonly #byName = new Map<string, SubscribedMarket>();
  readonly #listeners = new Set<() => void | Promise<void>>();
  /** As in a ring: `#news[seq % KEPT]`. */
  readonly #news: KeptNews[] = [];
  #last = 0;
  #run: string | null = null;

  constructor(
    private readonly markets: Pick<ReadMarkets, 'one'>,
    private readonly followed: FollowedMarkets,
    private readonly context: { readonly clock: Clock; readonly ids: Ids },
    private readonly kept = KEPT,
  ) {}

  /** Which program this is, in positions. */
  get run(): string {
    this.#run ??= this.context.ids.next();
    return this.#run;
  }

  /** The positions of the first and the last news that are kept. */
  get first(): number {
    return Math.max(1, this.#last - this.kept + 1);
  }

  get last(): number {
    return this.#last;
  }

  now(): Date {
    return this.context.clock.now();
  }

  /** Calls `listener` whenever there may be something new for some reader; on a tape, its time waits for the promise. */
  watch(listener: () => void | Promise<void>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @throws MarketNotFound, MarketUnusable, MarketDataUnavailable, TooManyLookups, TooManyMarkets */
  async subscribe(request: SubscriptionRequest): Promise<MarketSubscription> {
    const { account, depth, after } = request;
    const markets = await this.#find(request);
    const news = [...markets].flatMap(([name, market]) => (this.#byName.has(name) ? [] : [market]));
    const most = this.#mayBring(account);
    if (news.length > most.more) throw new TooManyMarkets(most.all);
    const start = this.#start(after);
    const of = [...markets].map(([name, market]) => this.#byName.get(name) ?? this.#begin(name, market));
    const begun = Promise.all(of.map((one) => one.begun)).then(() => {});
    // Whoever waits for it gets the error.
    begun.catch(() => {});
    const subscription = new MarketSubscription(this, of, account, depth, begun, start);
    for (const one of of) one.readers.add(subscription);
    return subscription;
  }

  /** In their order. */
  *newsAfter(seq: number): Generator<KeptNews> {
    for (let next = Math.max(seq + 1, this.first); next <= this.#last; next += 1) {
      const news = this.#news[next % this.kept];
      if (news !== undefined) yield news;
    }
  }

  /** For subscriptions alone. */
  leave(market: SubscribedMarket, reader: MarketSubscription): void {
    if (!market.readers.delete(reader) || market.readers.size > 0) return;
    const name = marketName(refOf(market.market));
    if (this.#byName.get(name) !== market) return;
    this.#byName.delete(name);
    this.followed.leave(market.market, market);
  }

  async #find({ account, venue, markets }: SubscriptionRequest): Promise<ReadonlyMap<string, Market>> {
    const found: Market[] = [];
    const waiting = [...new Set(markets)].entries();
    const work = async () => {
      for (const [at, id] of waiting) found[at] = await this.markets.one(account, venue, id);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return new Map(found.map((market) => [marketName(refOf(market)), market]));
  }

  /** No account may take so many that there is no room for the next one. */
  #mayBring(account: AccountId | null): { readonly all: number; readonly more: number } {
    if (account === null) return { all: Number.POSITIVE_INFINITY, more: Number.POSITIVE_INFINITY };
    let own = 0;
    for (const { readers } of this.#byName.values()) {
      const [first] = readers;
      if (first?.account === account) own += 1;
    }
    const others = this.#byName.size - own;
    const all = Math.min(MOST_OF_ACCOUNT, (MOST_MARKETS - others) >> 1);
    return { all, more: all - own };
  }

  #start(after: MarketPosition | null): { readonly seq: number; readonly reason: GapReason | null } {
    if (after === null) return { seq: this.#last, reason: null };
    if (after.run !== this.run || after.seq > this.#last) return { seq: this.#last, reason: 'restarted' };
    return { seq: after.seq, reason: null };
  }

  #begin(name: string, market: Market): SubscribedMarket {
    const one: SubscribedMarket = new SubscribedMarket(
      market,
      this.followed,
      this.#last,
      (change, at = this.now()) => this.#hear(one, change, at),
      () => this.#tell(),
    );
    this.#byName.set(name, one);
    one.begun = this.followed.follow(one.watched, one).catch((error: unknown) => {
      if (this.#byName.get(name) === one) this.#byName.delete(name);
      throw error;
    });
    return one;
  }

  #hear(market: SubscribedMarket, change: UnnumberedNews, at: Date): void | Promise<void> {
    this.#last += 1;
    this.#news[this.#last % this.kept] = { update: { ...change, seq: this.#last, at }, market };
    return this.#tell();
  }

  #tell(): void | Promise<void> {
    const work = [...this.#listeners].flatMap((listener) => listener() ?? []);
    return work.length === 0 ? undefined : Promise.all(work).then(() => {});
  }
}
