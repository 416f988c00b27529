import { LRUCache } from 'lru-cache';
import type { Stopwatch } from '../../../ports/system.js';

/** So many looks without a trace of an order, over so long, before it may count as never arrived (`reliability.md` 3.3). */
const LEAST_LOOKS = 5;
const LEAST_SPREAD_MS = 120_000;
/** Of more orders than these the oldest looks are forgotten, which is never wrong. */
const MOST_ORDERS = 10_000;

interface Series {
  /** What the looks agree on. */
  readonly finding: string;
  readonly since: number;
  readonly looks: number;
}

/**
 * Remembers what looks at the venue found, order by order, while they find the same. Kept in memory: another process begins
 * anew, which takes longer and is never wrong.
 */
export class LookupHistory {
  readonly #series = new LRUCache<string, Series>({ max: MOST_ORDERS });
  readonly #cancelled = new LRUCache<string, 'taken' | 'nothing there'>({ max: MOST_ORDERS });

  constructor(private readonly stopwatch: Stopwatch) {}

  /** Notes a look; true once enough looks in a row, over long enough, have found the same. */
  note(venueOrderId: string, finding: string): boolean {
    const now = this.stopwatch();
    const before = this.#series.get(venueOrderId);
    const fresh = { finding, since: now, looks: 0 };
    const { since, looks } = before?.finding === finding ? before : fresh;
    this.#series.set(venueOrderId, { finding, since, looks: looks + 1 });
    return looks + 1 >= LEAST_LOOKS && now - since >= LEAST_SPREAD_MS;
  }

  /** The venue has answered a cancellation of this order: it took it, or there was nothing to cancel. */
  noteCancelled(venueOrderId: string, how: 'taken' | 'nothing there'): void {
    if (!this.isTaken(venueOrderId)) this.#cancelled.set(venueOrderId, how);
  }

  /** Whether it has answered either, after all that was ever sent of the order. */
  isCancelled(venueOrderId: string): boolean {
    return this.#cancelled.has(venueOrderId);
  }

  /** Whether it has taken the cancellation, so that nothing of the order is left but its trades. */
  isTaken(venueOrderId: string): boolean {
    return this.#cancelled.get(venueOrderId) === 'taken';
  }

  /** What was found so far no longer counts. */
  forget(venueOrderId: string): void {
    this.#series.delete(venueOrderId);
    this.#cancelled.delete(venueOrderId);
  }
}
