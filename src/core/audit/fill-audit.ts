import type { JournalEntry, JournalLine } from '../account/account.js';
import type { OrderId } from '../ids.js';
import { NO_USDC, type Usdc } from '../money.js';
import { fillEntry, voidEntry } from '../order/apply.js';
import type { Fill, Order } from '../order/order.js';
import { compared, type Finding, outcomeName } from './books-audit.js';

/** What an entry does with a fill: it books it, or takes it back. */
export type Booking = 'fill' | 'void';

/** A fill of an order, by its place among all of them, that an entry is to book or to take back. */
export interface Bookable {
  readonly cause: Booking;
  readonly place: number;
  readonly fill: Fill;
}

/**
 * Compares the entries of fills and voids with the fills of their orders: each entry books one fill that no other entry
 * books, to the micro-dollar. For each order it keeps how many of its first fills were booked, and the few that were booked
 * out of turn.
 */
export class FillAudit {
  readonly #inTurn = new Map<OrderId, number>();
  readonly #outOfTurn = new Map<string, Set<number>>();
  readonly findings: Finding[] = [];

  /** The fill that the entry is about, in its order as it was read after the entry; null where there is none. */
  add(entry: JournalEntry, cause: Booking, order: Order | undefined): Fill | null {
    const own = order !== undefined && order.intent.paper === entry.paper ? order : undefined;
    const found = own === undefined ? null : this.#chosen(entry, cause, own);
    if (own === undefined || found === null) {
      const words = cause === 'fill' ? 'books' : 'takes back';
      const whose = own === undefined ? 'of no order on record' : `that order ${own.id} does not have`;
      this.findings.push(unequal(entry.id, `Entry ${entry.id} ${words} a fill ${whose}.`));
      return null;
    }
    this.#book(own.id, found);
    this.findings.push(...differences(entry, own, found));
    return found.fill;
  }

  /** What the entries read so far do not book of this order. */
  unbooked(order: Order): readonly Bookable[] {
    return bookablesOf(order).filter(({ cause, place }) => !this.isBooked(order.id, cause, place));
  }

  /** True once an entry was read that books, or takes back, this fill. */
  isBooked(id: OrderId, cause: Booking, place: number): boolean {
    if (cause === 'fill' && place < (this.#inTurn.get(id) ?? 0)) return true;
    return this.#outOfTurn.get(`${cause} ${id}`)?.has(place) ?? false;
  }

  /**
   * The first fill that matches, because entries of several servers may be out of order; the first of all when none matches.
   */
  #chosen(entry: JournalEntry, cause: Booking, order: Order): Bookable | null {
    let first: Bookable | null = null;
    const from = cause === 'fill' ? (this.#inTurn.get(order.id) ?? 0) : 0;
    for (const [n, fill] of order.fills.slice(from).entries()) {
      const one = { cause, place: from + n, fill };
      const open = cause === 'fill' || fill.settlement === 'voided';
      if (!open || this.isBooked(order.id, cause, one.place)) continue;
      if (differences(entry, order, one).length === 0) return one;
      first ??= one;
    }
    return first;
  }

  #book(id: OrderId, { cause, place }: Bookable): void {
    const next = this.#inTurn.get(id) ?? 0;
    if (cause === 'fill' && place === next) {
      this.#inTurn.set(id, next + 1);
      return;
    }
    const name = `${cause} ${id}`;
    this.#outOfTurn.set(name, (this.#outOfTurn.get(name) ?? new Set()).add(place));
  }
}

/** True when booking it moves nothing, so that it may have no entry: its money and its cost round to zero. */
export function leavesNoEntry({ intent }: Order, { cause, fill }: Bookable): boolean {
  const { notional, fee, basis } = fill;
  if (notional !== 0n || fee !== 0n) return false;
  return basis.cost === 0n || (cause === 'void' && intent.side === 'BUY');
}

function bookablesOf({ fills }: Order): readonly Bookable[] {
  return fills.flatMap((fill, place): readonly Bookable[] => {
    const came = { cause: 'fill', place, fill } as const;
    return fill.settlement === 'voided' ? [came, { cause: 'void', place, fill }] : [came];
  });
}

function differences(entry: JournalEntry, order: Order, { cause, fill }: Bookable): readonly Finding[] {
  const { id, at, lines } = entry;
  const due = cause === 'fill' ? fillEntry(order, fill, id, at) : voidEntry(order, fill, costIn(lines), id, at);
  const [found, expected] = [sumsOf(lines), sumsOf(due.lines)];
  return [...new Set([...found.keys(), ...expected.keys()])].flatMap((name) => {
    const what = `Entry ${id} of order ${order.id}, ${name}`;
    return compared('entry', id, what, found.get(name) ?? 0n, expected.get(name) ?? 0n, 'by the fill');
  });
}

/** What left the position with an undone purchase depends on later sales; the total cost accounts for it. */
const costIn = (lines: readonly JournalLine[]): Usdc =>
  -(lines.find(({ ledger }) => ledger === 'position')?.amount ?? NO_USDC) as Usdc;

function sumsOf(lines: readonly JournalLine[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { ledger, held, amount } of lines) {
    const name = held === null ? ledger : `the cost of ${outcomeName(held)}`;
    sums.set(name, (sums.get(name) ?? 0n) + amount);
  }
  return sums;
}

const unequal = (about: string, message: string): Finding => ({
  check: 'entry',
  about,
  found: null,
  expected: null,
  message,
});
