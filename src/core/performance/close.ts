import type { Book } from '../market/book.js';
import { isTradingOver, type Market } from '../market/market.js';
import { ONE, type Price, type Ratio } from '../money.js';
import type { BetRow, ClosePrice, NoClose } from './bet.js';

/** A wider book has no close. */
const WIDEST = ONE / 20n;

/** The best prices of a book in terms of its first outcome. */
export type ClosingBook = Pick<Book, 'best'>;

/** A close that was taken. */
export interface TakenClose {
  /** The start that it was taken by; null where there is none for another reason. */
  readonly startedAt: Date | null;
  readonly close: Price | NoClose;
}

/**
 * The closes of one market: the middle of its book right before its event begins, in terms of the first outcome, or why there is none. A
 * book counts while it is known, however long ago it last changed. A start that is moved before it passes has no close. One that is moved
 * after it passed keeps the close for the bets of before it, and those that follow have the close of the next start.
 */
export class MarketClose {
  readonly #all: TakenClose[] = [];
  #isTaken = false;

  /** The newest; undefined while the start that is known is still to come. */
  get taken(): TakenClose | undefined {
    return this.#isTaken ? this.#all.at(-1) : undefined;
  }

  /** True once the event has begun, until its close is taken. */
  isDue(startsAt: Date | null, now: number): boolean {
    return !this.#isTaken && startsAt !== null && now >= startsAt.getTime();
  }

  /** There is none, for this reason. */
  none(reason: NoClose): void {
    this.#add({ startedAt: null, close: reason });
  }

  /** Takes it from what was known right before the start. */
  take(market: Pick<Market, 'status' | 'payout' | 'startsAt'>, book: ClosingBook, isKnown: boolean): void {
    const close = isTradingOver(market) ? 'no_book' : isKnown ? closeBy(book) : 'gap';
    this.#add({ startedAt: market.startsAt, close });
  }

  /** Takes in that the start moved at this moment: one that is still to come has its own close. */
  moved(from: Date | null, to: Date | null, now: number): void {
    if (to !== null && to.getTime() !== from?.getTime() && now < to.getTime()) this.#isTaken = false;
  }

  /** By the first start that passed after a bet at this moment; else the newest. */
  after(bet: Date): TakenClose | undefined {
    return this.#all.find(({ startedAt }) => startedAt !== null && startedAt > bet) ?? this.taken;
  }

  /** Of this start. */
  of(start: Date | null): TakenClose['close'] | undefined {
    return this.#all.find(({ startedAt }) => startedAt?.getTime() === start?.getTime())?.close;
  }

  #add(taken: TakenClose): void {
    this.#all.push(taken);
    this.#isTaken = true;
  }
}

function closeBy(book: ClosingBook): Price | NoClose {
  const [bid, ask] = [book.best('bids')?.price, book.best('asks')?.price];
  if (bid === undefined && ask === undefined) return 'no_book';
  if (bid === undefined || ask === undefined) return 'one_sided';
  return ask - bid > WIDEST ? 'wide_spread' : (((bid + ask) / 2n) as Price);
}

/** A close that was taken, or why there is none; undefined while it is not known. */
type Closed = Price | NoClose | undefined;

/**
 * The close of a bet, by those of its market; `not_started` while it is not known. `others` are the other markets of its exclusive set: the
 * fair price is the price over the sum of all, where each of them has one of the same start.
 */
export function closeOfBet(
  { outcome, firstFillAt }: Pick<BetRow, 'outcome' | 'firstFillAt'>,
  market: MarketClose,
  others: readonly MarketClose[] = [],
): ClosePrice | NoClose {
  const { close = 'not_started', startedAt = null } = market.after(firstFillAt) ?? {};
  if (typeof close !== 'bigint') return close;
  const { n, d } = fairOf(
    close,
    others.map((other) => other.of(startedAt)),
  );
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
