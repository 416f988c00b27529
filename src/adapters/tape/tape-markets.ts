import type { MarketId } from '../../core/ids.js';
import { type Page, type Slice, slice } from '../../core/ledger/query.js';
import { Book, type BookView } from '../../core/market/book.js';
import type { MarketChange, MarketEvent } from '../../core/market/event.js';
import { ListenerQueue } from '../../core/market/listener-queue.js';
import { answers, isNetted, type Market, type MarketQuery, statusesOf, withGrid } from '../../core/market/market.js';
import type { Price } from '../../core/money.js';
import type { ClosePrice, NoClose } from '../../core/performance/bet.js';
import { closeOfBet, MarketClose } from '../../core/performance/close.js';
import type { ClosingBet } from '../../ports/close-prices.js';
import type { Following, FollowPlace, MarketListener } from '../../ports/market-data.js';

/** What is known of one market after some lines of a tape. */
export interface MarketState {
  market: Market;
  readonly book: Book;
  /** When the newest part of the book was received. */
  at: Date;
  /** Why the book is not to be trusted; null when it is. */
  gap: string | null;
  /** The middle of a book that is not known; absent, and undefined in a gap, where nothing says it. */
  mid?: Price | undefined;
}

/** Learns of every change of a market, right before it is made. It may not throw. */
export type TapeWatch = (known: Readonly<MarketState>, change: MarketChange, at: Date) => void;

interface Played extends MarketState {
  readonly close: MarketClose;
  readonly followers: Set<ListenerQueue>;
}

/** So many searches are kept. */
const MOST_KEPT = 100;

/** The markets of a tape as of its time, and their followers. */
export class TapeMarkets {
  readonly #played = new Map<MarketId, Played>();
  /** Slugs and the venue's numbers. */
  readonly #names = new Map<string, MarketId>();
  readonly #sports = new Set<string>();
  #nets = false;
  /** The markets that were ever described as of an exclusive set. */
  readonly #sets = new Map<string, Set<Played>>();
  readonly #order: readonly MarketId[];
  /** Whether one of them has one net position. */
  get nets(): boolean {
    return this.#nets;
  }

  /** Those that the tape has described by now. */
  readonly #byStatus = new Map<Market['status'], Set<Played>>();
  /** Those whose book is to be trusted. */
  readonly #fresh = new Set<MarketId>();
  /** What was found last, by query; nothing once a market is described anew. */
  readonly #found = new Map<string, readonly Market[]>();
  /** Before its first line a tape shows all that it has. */
  #isBegun = false;

  /** `first` is each market as the tape first describes it: what is known of it until then. */
  constructor(
    first: readonly Market[],
    began: Date,
    private readonly watch: TapeWatch | undefined = undefined,
  ) {
    for (const market of first) {
      const gap = 'the tape has nothing on this market yet';
      const state = { market, book: new Book(), at: began, gap, close: new MarketClose() };
      this.#played.set(market.id, { ...state, followers: new Set() });
      this.#name(market);
    }
    this.#order = [...this.#played.keys()].sort();
  }

  /** By id, slug or the venue's number. */
  find(id: MarketId): Market | undefined {
    return (this.#played.get(id) ?? this.#played.get(this.#names.get(id) ?? id))?.market;
  }

  /** The sports of all markets so far; null where none has one. */
  sports(): readonly string[] | null {
    return this.#sports.size === 0 ? null : [...this.#sports].sort();
  }

  /** Those that the tape has described by now, in the order of the ids: no strategy finds a market before it was there. */
  search(query: MarketQuery, page: Page<string>): Promise<Slice<Market, string>> {
    return slice(
      page,
      async ({ limit, after = '' }) => {
        const found = this.#matching(query);
        const from = after === '' ? 0 : found.findIndex(({ id }) => id > after);
        return from < 0 ? [] : found.slice(from, from + limit);
      },
      ({ id }) => id,
    );
  }

  /** What a bet closed at by now, or why it has no close; `not_started` while that is not known. */
  closeOf(bet: ClosingBet, now: Date): ClosePrice | NoClose {
    const played = this.#played.get(bet.marketId);
    if (played === undefined) return 'not_started';
    const { exclusiveSet } = played.market;
    const set = exclusiveSet === null ? [] : [...(this.#sets.get(exclusiveSet) ?? [])];
    const others = set.filter((one) => one !== played && one.market.exclusiveSet === exclusiveSet);
    // A market of which nothing was heard since the start is as it was before it.
    for (const one of others) takeIfDue(one, now);
    return closeOfBet(
      bet,
      played.close,
      others.map(({ close }) => close),
    );
  }

  /** The book at the tape's time; undefined for a market that the tape does not have. */
  view(id: MarketId): BookView | undefined {
    const played = this.#played.get(id);
    if (played === undefined) return undefined;
    const { book, at, gap } = played;
    return { bids: book.side('bids'), asks: book.side('asks'), at, fresh: gap === null };
  }

  /** Begins with the current book, as old as it is, or a gap. */
  async follow(id: MarketId, now: Date, listener: MarketListener, place?: FollowPlace): Promise<Following> {
    const follower = new ListenerQueue(listener);
    const played = this.#played.get(id);
    // The follower is added before its first event: events during that delivery are queued for it.
    const others = place === 'first' ? [...(played?.followers ?? [])] : [];
    for (const other of others) played?.followers.delete(other);
    for (const one of [follower, ...others]) played?.followers.add(one);
    await follower.hand(asItIs(played, now));
    return {
      stop: () => {
        follower.stop();
        played?.followers.delete(follower);
      },
    };
  }

  /**
   * Changes what is known, then delivers to the followers one after another; undefined where all took it at once. @throws what a
   * listener throws
   */
  take(id: MarketId, change: MarketChange, at: Date): Promise<void> | undefined {
    const played = this.#played.get(id);
    if (played === undefined) return undefined;
    if (!this.#isBegun || change.type === 'market' || change.type === 'tick') this.#found.clear();
    this.#isBegun = true;
    this.watch?.(played, change, at);
    takeIfDue(played, at);
    const { gap, market } = played;
    const { startsAt } = market;
    apply(played, change, at);
    if (gap !== null && played.gap === null) this.#fresh.add(id);
    else if (gap === null && played.gap !== null) this.#fresh.delete(id);
    if (change.type === 'market') this.#describe(played, startsAt, at);
    if (played.followers.size === 0) return undefined;
    const delivered = change.type === 'book' && played.gap !== null ? asItIs(played, at) : { ...change, at };
    return deliver(delivered, [...played.followers]);
  }

  /** A gap for these markets, by default for every one. @throws what a listener throws */
  async takeGap(reason: string, at: Date, markets: Iterable<MarketId> = this.#played.keys()): Promise<void> {
    for (const id of markets) await this.take(id, { type: 'gap', reason }, at);
  }

  /** A gap for those of these markets that have none. @throws what a listener throws */
  takeHole(reason: string, at: Date, markets?: Iterable<MarketId>): Promise<void> {
    const known = markets === undefined ? [...this.#fresh] : [...markets].filter((id) => this.#fresh.has(id));
    return this.takeGap(reason, at, known);
  }

  #matching(query: MarketQuery): readonly Market[] {
    const name = JSON.stringify(query);
    const known = this.#found.get(name);
    if (known !== undefined) return known;
    const found = this.#listed(query).filter((market) => answers(market, query));
    if (this.#found.size >= MOST_KEPT) this.#found.clear();
    this.#found.set(name, found);
    return found;
  }

  #describe(played: Played, startedAt: Date | null, at: Date): void {
    const { market, close } = played;
    this.#list(played);
    close.moved(startedAt, market.startsAt, at.getTime());
    if (market.exclusiveSet !== null) {
      const set = this.#sets.get(market.exclusiveSet) ?? new Set();
      this.#sets.set(market.exclusiveSet, set.add(played));
    }
    this.#name(market);
  }

  /** In the order of their ids. */
  #listed(query: MarketQuery): readonly Market[] {
    const statuses = statusesOf(query);
    if (!this.#isBegun) return this.#order.flatMap((id) => this.#played.get(id)?.market ?? []);
    const wanted = statuses === null ? this.#byStatus.values() : statuses.map((one) => this.#byStatus.get(one) ?? []);
    const listed = [...wanted].flatMap((those) => [...those]);
    return listed.map(({ market }) => market).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Takes in that the tape has described it by now. */
  #list(played: Played): void {
    for (const others of this.#byStatus.values()) others.delete(played);
    const { status } = played.market;
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? new Set()).add(played));
  }

  #name({ id, slug, venueId, sport, terms }: Market): void {
    if (isNetted({ terms })) this.#nets = true;
    if (sport !== null) this.#sports.add(sport);
    if (slug !== null) this.#names.set(slug, id);
    if (venueId !== null) this.#names.set(venueId, id);
  }
}

function takeIfDue({ market, book, gap, close }: Played, now: Date): void {
  if (close.isDue(market.startsAt, now.getTime())) close.take(market, book, gap === null);
}

/** Hands it to the next of them once one has taken it. */
function deliver(event: MarketEvent, followers: readonly ListenerQueue[], from = 0): Promise<void> | undefined {
  for (let at = from; at < followers.length; at += 1) {
    const taking = followers[at]?.hand(event);
    if (taking !== undefined) return taking.then(() => deliver(event, followers, at + 1));
  }
  return undefined;
}

/** The book, of when its newest part was received; a gap is one of now. */
function asItIs(played: Played | undefined, now: Date): MarketEvent {
  if (played === undefined) return { type: 'gap', reason: 'the tape does not have this market', at: now };
  const { gap, book, at } = played;
  return gap === null
    ? { type: 'book', bids: book.side('bids'), asks: book.side('asks'), at }
    : { type: 'gap', reason: gap, at: now };
}

/** Makes a state that of after one more change. */
export function apply(played: MarketState, change: MarketChange, at: Date): void {
  switch (change.type) {
    case 'market':
      played.market = change.market;
      return;
    case 'book':
      played.book.replace(change.bids, change.asks);
      played.gap = played.book.crossed ? 'the book on the tape is crossed' : null;
      played.at = at;
      return;
    case 'levels':
      for (const { side, price, shares } of change.changes) played.book.set(side, price, shares);
      played.at = at;
      return;
    case 'mid':
      played.mid = change.price;
      return;
    case 'gap':
      played.gap = change.reason;
      played.mid = undefined;
      return;
    case 'tick':
      played.market = withGrid(played.market, change);
  }
}
