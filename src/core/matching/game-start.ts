import type { Book } from '../market/book.js';
import type { Market } from '../market/market.js';

/** For how long an emptied book counts as a sign of a start that is not reported yet. */
const UNREPORTED_MS = 10 * 60_000;

/** When the game of a market starts, and with it the venue empties the book: once, where it does that at all. */
export class GameStart {
  /** The start that has passed, or had when this was created; one in the future where the game is on already. */
  #passed: number | null;
  #live: boolean;
  readonly #book = new EmptiedBook();
  /** When the book was last emptied before any reported start. */
  #emptied = Number.NEGATIVE_INFINITY;

  constructor({ startsAt, status }: Market, now: Date) {
    this.#live = status === 'in_play';
    this.#passed = startsAt !== null && (this.#live || startsAt <= now) ? startsAt.getTime() : null;
  }

  /** The moment at which the book is to be emptied, in milliseconds; undefined when it is not. */
  due({ startsAt, terms }: Market): number | undefined {
    if (startsAt === null || terms?.clearsBookAtStart !== true) return undefined;
    return startsAt.getTime() === this.#passed ? undefined : startsAt.getTime();
  }

  /**
   * True when the game may be on: the venue says so, its start has come or is not known, or the book was just emptied for it.
   * Only then orders that would match are held back.
   */
  inPlay({ startsAt, status }: Market, now: number): boolean {
    if (status === 'in_play' || startsAt === null || startsAt.getTime() <= now) return true;
    return now - this.#emptied < UNREPORTED_MS;
  }

  /** True when the book was emptied since this moment, or would be now. */
  wiped({ startsAt, terms }: Market, since: Date): boolean {
    const passed = startsAt !== null && startsAt.getTime() === this.#passed && since < startsAt;
    return passed && terms?.clearsBookAtStart === true;
  }

  /**
   * The moment at which a game turns out to have started by now; null when it has not, or that is known already. A start
   * that is reported again, or moved earlier afterwards, empties nothing. A start that the venue reports ahead of its time is
   * the moment at which the book was emptied, or else now.
   */
  found(market: Market, now: number): number | null {
    const began = market.status === 'in_play' && !this.#live;
    this.#live = market.status === 'in_play';
    const start = this.due(market);
    if (start !== undefined && start <= now) return this.#foundBehind(start);
    this.#passAhead(market, now);
    if (!began || market.terms?.clearsBookAtStart !== true || this.#isBehind(market, now)) return null;
    return now - this.#emptied < UNREPORTED_MS ? this.#emptied : now;
  }

  pass(start: number): void {
    this.#passed = start;
  }

  /** The book before an update; null when it is not known. */
  before(book: Book | null, now: number): void {
    this.#book.before(book, now);
  }

  /** True when this update emptied the book for a game that starts before its time. */
  emptied(update: 'book' | 'levels', book: Book, market: Market, now: number): boolean {
    if (!this.#book.emptied(update, book, now)) return false;
    if (market.terms?.clearsBookAtStart !== true || this.#live || this.#isBehind(market, now)) return false;
    this.#emptied = now;
    return true;
  }

  #foundBehind(start: number): number | null {
    const known = this.#passed ?? Number.NEGATIVE_INFINITY;
    this.#passed = start;
    return start > known ? start : null;
  }

  /** A start in the future counts as passed for as long as the venue says that the game is on. */
  #passAhead({ startsAt }: Market, now: number): void {
    if (startsAt === null || startsAt.getTime() <= now) return;
    if (this.#live) this.#passed = startsAt.getTime();
    else if (this.#passed === startsAt.getTime()) this.#passed = null;
  }

  #isBehind({ startsAt }: Market, now: number): boolean {
    return startsAt !== null && startsAt.getTime() <= now;
  }
}

/** This many levels on each side belong to several traders, who do not all cancel within one second. */
const MANY = 3;
const AT_ONCE_MS = 1000;

/**
 * Distinguishes a book that the venue emptied from one that became empty. The venue emptied it when an empty snapshot
 * replaces a book with two sides, or when changes remove all of a book that had many levels on each side within the second
 * before. A book with few levels may be one trader's, cancelled to be quoted again. What was before a gap proves nothing.
 */
class EmptiedBook {
  #hadBoth = false;
  #hadManyAt = Number.NEGATIVE_INFINITY;

  /** The book before an update; null when it is not known. */
  before(book: Book | null, now: number): void {
    const bids = book?.depth('bids') ?? 0;
    const asks = book?.depth('asks') ?? 0;
    this.#hadBoth = bids > 0 && asks > 0;
    if (bids >= MANY && asks >= MANY) this.#hadManyAt = now;
    else if (book === null) this.#hadManyAt = Number.NEGATIVE_INFINITY;
  }

  /** True when this update emptied the book, and the venue did that. */
  emptied(update: 'book' | 'levels', book: Book, now: number): boolean {
    if (book.depth('bids') > 0 || book.depth('asks') > 0) return false;
    return update === 'book' ? this.#hadBoth : now - this.#hadManyAt <= AT_ONCE_MS;
  }
}
