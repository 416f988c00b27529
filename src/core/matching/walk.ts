import type { AccountId } from '../ids.js';
import type { Book } from '../market/book.js';
import { BOOK_SIDES, type BookSide, type Level } from '../market/event.js';
import { wholeLots } from '../market/fee.js';
import { least, minus, NO_SHARES, type Price, plus, type Shares } from '../money.js';
import type { Order } from '../order/order.js';
import { type Flow, type Move, noMove, note, settle } from './flow.js';
import { inFirst, takenSide, type WorkingOrder } from './working-order.js';

/** Shares to be taken from one level. */
export interface Take {
  readonly level: Level;
  readonly shares: Shares;
}

/** What an account has taken of a level, and what was given back of it recently. */
interface Taken {
  shares: Shares;
  readonly freed: Move;
}

/**
 * What one account has taken of what is displayed. The venue does not know of it, and goes on displaying those shares. A
 * level that shrinks without a trade may have lost the very shares that were taken: it keeps what was left of it, at most
 * what is displayed. Trades of others come out of what was left. What a level grows by is available. A level that was gone
 * is whole when it returns.
 */
export class Consumption {
  readonly #taken: Record<BookSide, Map<Price, Taken>> = { bids: new Map(), asks: new Map() };

  get isEmpty(): boolean {
    return BOOK_SIDES.every((side) => [...this.#taken[side].values()].every(({ shares }) => shares === 0n));
  }

  /** What is left of `shares` on display, in whole lots. */
  left(side: BookSide, price: Price, shares: Shares, lot: Shares): Shares {
    const left = minus(shares, this.#taken[side].get(price)?.shares ?? NO_SHARES);
    return left > 0n ? wholeLots(left, lot) : NO_SHARES;
  }

  /** Returns all that is taken of the level by now. */
  take(side: BookSide, { level: { price }, shares }: Take): Shares {
    const taken = this.#taken[side].get(price) ?? { shares: NO_SHARES, freed: noMove() };
    taken.shares = plus(taken.shares, shares);
    this.#taken[side].set(price, taken);
    return taken.shares;
  }

  /** Shares left the level, and no trade explains them: they may be those that this account had taken. */
  shrank(side: BookSide, price: Price, unexplained: Shares, at: number): void {
    const taken = this.#taken[side].get(price);
    if (taken === undefined) return;
    const freed = least(taken.shares, unexplained);
    taken.shares = minus(taken.shares, freed);
    note(taken.freed, freed, at);
  }

  /** A trade explains shares that had left the level before: they were not those that this account had taken. */
  explained(side: BookSide, price: Price, shares: Shares, at: number): void {
    const taken = this.#taken[side].get(price);
    if (taken !== undefined) taken.shares = plus(taken.shares, settle(taken.freed, shares, at));
  }

  /** The level is gone: a later quote at this price is a new level. */
  ended(side: BookSide, price: Price): void {
    this.#taken[side].delete(price);
  }
}

/** The book that a working order meets, at a moment: what traded already and is displayed still is not there to be taken. */
export interface BookMoment {
  readonly book: Book;
  readonly flow: Flow;
  readonly lot: Shares;
  readonly at: number;
}

/** The shares that a working order would still need after these takes, at its limit. */
export function leftAfter(working: WorkingOrder, takes: readonly Take[]): Shares {
  const want = working.wants();
  for (const { level, shares } of takes) want.take(shares, working.own(level.price));
  return want.shares;
}

/** All shares of these takes. */
export const takenShares = (takes: readonly Take[]): Shares =>
  takes.reduce((sum, { shares }) => plus(sum, shares), NO_SHARES);

/** What a working order would take now: best price first, never past its limit, never more than is displayed and left. */
export function walk(
  { book, flow, lot, at }: BookMoment,
  taken: Consumption,
  working: WorkingOrder,
  want = working.wants(),
): readonly Take[] {
  const takes: Take[] = [];
  for (let index = 0; want.shares > 0n; index++) {
    const level = book.at(working.takes, index);
    if (level === undefined || !working.reaches(level.price)) break;
    const price = working.own(level.price);
    const displayed = minus(level.shares, flow.due(working.takes, level.price, at));
    const shares = least(want.at(price), taken.left(working.takes, level.price, displayed, lot));
    if (shares === 0n) continue;
    takes.push({ level, shares });
    want.take(shares, price);
  }
  return takes;
}

/** What an account had taken of a level when it last took something there, by the record; in terms of the first outcome. */
export interface TakenBefore {
  readonly account: AccountId;
  readonly side: BookSide;
  readonly price: Price;
  readonly shares: Shares;
  readonly at: Date;
}

/**
 * What these orders of one market add to what is known to be taken there. Of each account and level the newest fill counts:
 * it says what was taken by then. What happened to the level after it is not on record.
 */
export function takenBy(orders: readonly Order[], known: readonly TakenBefore[] = []): readonly TakenBefore[] {
  const newest = new Map(known.map((taken) => [levelOf(taken), taken]));
  for (const { account, intent, fills } of orders) {
    for (const { taken } of fills) {
      if (taken === undefined) continue;
      const { shares, at } = taken;
      const one = { account, side: takenSide(intent), price: inFirst(intent.outcome, taken.price), shares, at };
      const other = newest.get(levelOf(one));
      if (other === undefined || isNewer(one, other)) newest.set(levelOf(one), one);
    }
  }
  return [...newest.values()];
}

const levelOf = ({ account, side, price }: TakenBefore): string => `${side} ${price} ${account}`;

/** Whether one is later; of two at one moment the one that came after the other is. */
function isNewer(one: TakenBefore, other: TakenBefore): boolean {
  const later = one.at.getTime() - other.at.getTime();
  return later > 0 || (later === 0 && one.shares > other.shares);
}
