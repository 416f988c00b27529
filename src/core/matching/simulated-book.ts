import type { AccountId } from '../ids.js';
import { Book, type BookView, type QuotedPrices, quotedBy } from '../market/book.js';
import { BOOK_SIDES, type BookSide, EVIDENCE, type Evidence, type Level, type LevelChange } from '../market/event.js';
import { wholeLots } from '../market/fee.js';
import { type OutcomeSide, Want } from '../market/market.js';
import type { Side } from '../market/side.js';
import { least, minus, NO_SHARES, type Price, type Shares } from '../money.js';
import type { Execution, TakenLevel } from '../order/order.js';
import { Flow } from './flow.js';
import { fillModel } from './model.js';
import { Queue } from './queue.js';
import type { TakenBefore } from './walk.js';
import { Consumption, type Take, walk } from './walk.js';
import type { WorkingOrder } from './working-order.js';

/** A working order, and what it just got. */
export interface BookFill {
  readonly working: WorkingOrder;
  readonly execution: Execution;
}

/**
 * The book of a market, and the paper orders that rest beside it. Each account trades alone against the book: no paper order
 * takes liquidity from another account's.
 */
export class SimulatedBook {
  readonly book = new Book();
  readonly queue = new Queue();
  /** False until the first whole book, and after a gap, a wipe or a crossed book until the next one. */
  fresh = false;
  /** True after a wipe, while the book is not known. */
  wiped = false;
  /** True once a whole book has come: from then on it is known here what is taken. */
  begun = false;
  /** What is on record as taken before that. */
  #before: readonly TakenBefore[] = [];
  /** When something was last taken, in milliseconds. */
  #latestTake = Number.NEGATIVE_INFINITY;
  readonly #taken = new Map<AccountId, Consumption>();
  /** Those who took something of a level, by its price: a change of another level says nothing to them. */
  readonly #takers: Record<BookSide, Map<Price, Set<Consumption>>> = { bids: new Map(), asks: new Map() };
  readonly #flow = new Flow();

  /** Where `evidence` is not `l2`, orders that rest get nothing: trades are needed to see how a queue moves. */
  constructor(
    private readonly lot: Shares,
    private readonly evidence: Evidence = EVIDENCE[0],
  ) {}

  /** True while something is displayed that an account has taken. */
  get hasTaken(): boolean {
    return [...this.#taken.values()].some((taken) => !taken.isEmpty);
  }

  /** Takes up what accounts took before a restart: of each level up to as much as the first whole book displays there. */
  recall(before: readonly TakenBefore[]): void {
    this.#before = before;
    for (const { at } of before) this.#latestTake = Math.max(this.#latestTake, at.getTime());
  }

  view(at: Date): BookView {
    return { bids: this.book.side('bids'), asks: this.book.side('asks'), at, fresh: this.fresh };
  }

  /** The prices of an outcome. */
  quoted(outcome: OutcomeSide): QuotedPrices {
    const top = (side: BookSide) => [this.book.best(side)].filter((level) => level !== undefined);
    return quotedBy(outcome, { bids: top('bids'), asks: top('asks') });
  }

  /** True when something is displayed within the working order's limit, even if its account has taken all of it. */
  crosses(working: WorkingOrder): boolean {
    const best = this.best(working);
    return best !== null && working.reaches(best);
  }

  /** The best price on the side that the working order takes from, in terms of the first outcome; null where that is empty. */
  best({ takes }: WorkingOrder): Price | null {
    return this.book.best(takes)?.price ?? null;
  }

  /** What the working order would take at this moment, in milliseconds. */
  walk(working: WorkingOrder, at: number, want?: Want): readonly Take[] {
    const { book, lot } = this;
    return walk({ book, flow: this.#flow, lot, at }, this.#consumed(working.order.account), working, want);
  }

  /** Fills the working order with what it takes at this moment, as a taker; `model` says what that assumes. */
  take(working: WorkingOrder, takes: readonly Take[], model: string, at: number): readonly BookFill[] {
    return takes.map((take) => {
      const taken = this.#consume(working, take, at);
      return { working, execution: working.fill(take.shares, take.level.price, 'TAKER', model, taken) };
    });
  }

  join(working: WorkingOrder): void {
    this.queue.join(working, this.fresh ? this.book : null);
  }

  /** Applies a snapshot. A crossed one counts as none: something in it is wrong. */
  replace(bids: readonly Level[], asks: readonly Level[], at: number): readonly BookFill[] {
    this.#replace(bids, asks, at);
    this.fresh = !this.book.crossed;
    this.wiped = false;
    if (!this.fresh) return [];
    this.#begin();
    return this.look(at);
  }

  /** Sets the totals of levels. */
  change(changes: readonly LevelChange[], at: number): readonly BookFill[] {
    for (const { side, price, shares } of changes) {
      this.#levelChanged(side, price, this.book.set(side, price, shares), shares, at);
    }
    this.queue.recountAt(changes, this.book, at);
    return this.#meet(at);
  }

  /** The book is no longer to be trusted. */
  lose(): void {
    this.fresh = false;
    this.wiped = false;
  }

  /** The venue emptied the book: it is not known until the next snapshot. */
  wipe(at: number): void {
    this.#replace([], [], at);
    this.queue.emptied();
    this.#before = [];
    this.fresh = false;
    this.wiped = true;
  }

  /**
   * After a change of the book or the queue: updates what is ahead, and fills the resting orders that must have traded by
   * now.
   */
  look(at: number): readonly BookFill[] {
    this.queue.recount(this.book, at);
    return this.#meet(at);
  }

  /** Fills the resting orders that must have traded by now. */
  #meet(at: number): readonly BookFill[] {
    const filled: BookFill[] = [];
    for (const side of BOOK_SIDES) {
      for (const working of this.#resting(side)) {
        // Those that come after it want a better price still.
        if (!this.crosses(working)) break;
        if (working.displaced > 0n) this.#serveDisplaced(working, at);
        if (working.ahead > 0n) continue;
        for (const take of this.walk(working, at)) {
          const taken = this.#consume(working, take, at);
          filled.push(this.#rested(working, take.shares, 'crossed', taken));
        }
      }
    }
    return filled;
  }

  /** What is displayed now within the limit would have met those first that earlier orders of the account displaced. */
  #serveDisplaced(working: WorkingOrder, at: number): void {
    for (const take of this.walk(working, at, Want.shares(working.displaced))) {
      this.#consume(working, take, at);
      this.queue.served(working, take.shares);
    }
  }

  /** What a trade at the venue would have left for the orders that rest here. */
  trade(taker: Side, price: Price, traded: Shares, at: number): readonly BookFill[] {
    const filled: BookFill[] = [];
    const side = taker === 'SELL' ? 'bids' : 'asks';
    const explained = this.#flow.traded(side, price, traded, at);
    for (const taken of this.#takersOf(side, price)) taken.explained(side, price, explained, at);
    const resting = this.#resting(side);
    for (const owner of new Set(resting.map(({ order }) => order.account))) {
      const mine = (working: WorkingOrder) => working.order.account === owner;
      for (const { working, shares } of this.queue.reached({ taker, price, shares: traded, at }, mine)) {
        const lots = wholeLots(shares, this.lot);
        if (lots > 0n) filled.push(this.#rested(working, lots, 'traded'));
      }
    }
    return filled;
  }

  /** The orders that can be filled while they rest. */
  #resting(side: BookSide): readonly WorkingOrder[] {
    return this.evidence === EVIDENCE[0] ? this.queue.side(side) : [];
  }

  #replace(bids: readonly Level[], asks: readonly Level[], at: number): void {
    const before = BOOK_SIDES.map((side) => ({ side, levels: this.book.side(side) }));
    this.book.replace(bids, asks);
    for (const { side, levels } of before) {
      for (const { price, shares } of levels) this.#levelChanged(side, price, shares, this.#shown(side, price), at);
    }
  }

  /** The venue reports a new total of a level. */
  #levelChanged(side: BookSide, price: Price, before: Shares, after: Shares, at: number): void {
    if (after >= before) return;
    const unexplained = this.#flow.shrank(side, price, minus(before, after), at);
    for (const taken of this.#takersOf(side, price)) {
      if (after === 0n) taken.ended(side, price);
      else taken.shrank(side, price, unexplained, at);
    }
    if (after === 0n) this.#takers[side].delete(price);
  }

  #shown(side: BookSide, price: Price): Shares {
    return this.book.level(side, price)?.shares ?? NO_SHARES;
  }

  #rested(working: WorkingOrder, shares: Shares, cause: 'traded' | 'crossed', taken?: TakenLevel): BookFill {
    const model = fillModel({ kind: 'queue', cause, ahead: working.queuedBehind });
    return { working, execution: working.fill(shares, working.limit, 'MAKER', model, taken) };
  }

  /** Takes from the level, and says what the account has taken of it by now. */
  #consume(working: WorkingOrder, take: Take, at: number): TakenLevel {
    this.#latestTake = Math.max(this.#latestTake, at);
    const { price, shares: displayed } = take.level;
    const shares = this.#takeAt(working.order.account, working.takes, take);
    return { price: working.own(price), shares, displayed, at: new Date(this.#latestTake) };
  }

  /**
   * What is displayed of what was taken before is taken still: whether it left and came back meanwhile is not known. What is
   * displayed beyond that is there, and a level that is gone is complete when it returns.
   */
  #begin(): void {
    for (const { account, side, price, shares: taken } of this.#before) {
      const shares = least(taken, this.#shown(side, price));
      if (shares > 0n) this.#takeAt(account, side, { level: { price, shares }, shares });
    }
    this.#before = [];
    this.begun = true;
  }

  /** Returns all that the account has taken of the level by now. */
  #takeAt(account: AccountId, side: BookSide, take: Take): Shares {
    const taken = this.#consumed(account);
    const takers = this.#takersOf(side, take.level.price);
    this.#takers[side].set(take.level.price, new Set(takers).add(taken));
    return taken.take(side, take);
  }

  #takersOf(side: BookSide, price: Price): ReadonlySet<Consumption> {
    return this.#takers[side].get(price) ?? NOBODY;
  }

  #consumed(account: AccountId): Consumption {
    const known = this.#taken.get(account);
    if (known !== undefined) return known;
    const fresh = new Consumption();
    this.#taken.set(account, fresh);
    return fresh;
  }
}

const NOBODY: ReadonlySet<Consumption> = new Set();
