import type { Book } from '../market/book.js';
import type { Market, OutcomeSide } from '../market/market.js';
import { ONE, type Price, type Ratio } from '../money.js';
import type { ClosePrice, NoClose } from './bet.js';

/** A wider book has no close. */
const WIDEST = ONE / 20n;

const OVER: readonly Market['status'][] = ['closed', 'resolving', 'disputed', 'resolved', 'amended'];

/** True of a market that is traded no longer. */
export const isTradingOver = ({ status, payout }: Pick<Market, 'status' | 'payout'>): boolean =>
  payout !== null || OVER.includes(status);

/** The best prices of a book in terms of its first outcome. */
export type ClosingBook = Pick<Book, 'best'>;

/**
 * The close of one market: the middle of its book right before its event begins, in terms of the first outcome, or why there is none. A
 * book counts while it is known, however long ago it last changed.
 */
export class MarketClose {
  #taken: Closed;

  /** Undefined before it was taken. */
  get taken(): Closed {
    return this.#taken;
  }

  /** True once the event has begun, until it is taken. */
  isDue(startsAt: Date | null, now: number): boolean {
    return this.#taken === undefined && startsAt !== null && now >= startsAt.getTime();
  }

  /** There is none, for this reason. */
  none(reason: NoClose): void {
    this.#taken = reason;
  }

  /** Takes it from what was known right before the start. */
  take(market: Pick<Market, 'status' | 'payout'>, book: ClosingBook, isKnown: boolean): void {
    this.#taken = isTradingOver(market) ? 'no_book' : isKnown ? closeBy(book) : 'gap';
  }

  /** Takes in that the start moved at this moment: one that is still to come has its own close. */
  moved(from: Date | null, to: Date | null, now: number): void {
    if (to !== null && to.getTime() !== from?.getTime() && now < to.getTime()) this.#taken = undefined;
  }
}

function closeBy(book: ClosingBook): Price | NoClose {
  const [bid, ask] = [book.best('bids')?.price, book.best('asks')?.price];
  if (bid === undefined && ask === undefined) return 'no_book';
  if (bid === undefined || ask === undefined) return 'one_sided';
  return ask - bid > WIDEST ? 'wide_spread' : (((bid + ask) / 2n) as Price);
}

/** The close of another market of an exclusive set, where that begins at the same moment. */
export const closeInSet = (startsAt: Date | null, othersStart: Date | null, { taken }: MarketClose): Closed =>
  othersStart?.getTime() === startsAt?.getTime() ? taken : undefined;

/** A close that was taken, or why there is none; undefined while it is not known. */
type Closed = Price | NoClose | undefined;

/**
 * The close of an outcome, by that of its market. `others` has those of the others of its exclusive set: the fair price is the price over
 * the sum of all, where each of them has one.
 */
export function closeOfOutcome(
  outcome: OutcomeSide,
  close: Closed,
  others: readonly Closed[] = [],
): ClosePrice | NoClose {
  if (typeof close !== 'bigint') return close ?? 'not_started';
  const { n, d } = fairOf(close, others);
  if (outcome === 'YES') return { price: close, fair: { n, d } };
  return { price: (ONE - close) as Price, fair: { n: d - n, d } };
}

function fairOf(close: Price, others: readonly Closed[]): Ratio {
  let sum: bigint = close;
  for (const one of others) {
    if (typeof one !== 'bigint') return { n: close, d: ONE };
    sum += one;
  }
  return others.length === 0 ? { n: close, d: ONE } : { n: close, d: sum };
}
