import { LRUCache } from 'lru-cache';
import type { Stopwatch } from '../../ports/system.js';

/**
 * This many lookups without a trace of an order, over this long, before it may count as never arrived.
 */
const LEAST_LOOKS = 5;
const LEAST_SPREAD_MS = 120_000;
/** How many orders have their lookups remembered; beyond that the oldest are forgotten, which is always safe. */
const MOST_ORDERS = 10_000;

interface Series {
  /** What the lookups agree on. */
  readonly finding: string;
  readonly since: number;
  readonly looks: number;
}

/**
 * Remembers the findings of lookups at the venue, order by order, while they stay the same. Kept in memory: a restarted
 * process begins again, which takes longer and is always safe.
 */
export class LookupHistory {
  readonly #series = new LRUCache<string, Series>({ max: MOST_ORDERS });
  readonly #cancelled = new LRUCache<string, 'taken' | 'nothing there'>({ max: MOST_ORDERS });

  constructor(private readonly stopwatch: Stopwatch) {}

  /** Records a lookup; true once enough lookups in a row, over long enough, have found the same. */
  note(venueOrderId: string, finding: string): boolean {
    const now = this.stopwatch();
    const before = this.#series.get(venueOrderId);
    const fresh = { finding, since: now, looks: 0 };
    const { since, looks } = before?.finding === finding ? before : fresh;
    this.#series.set(venueOrderId, { finding, since, looks: looks + 1 });
    return looks + 1 >= LEAST_LOOKS && now - since >= LEAST_SPREAD_MS;
  }

  /** Records that the venue answered a cancellation of this order: it accepted it, or there was nothing to cancel. */
  noteCancelled(venueOrderId: string, how: 'taken' | 'nothing there'): void {
    if (!this.isTaken(venueOrderId)) this.#cancelled.set(venueOrderId, how);
  }

  /** Whether it has answered either way, after everything that was ever sent of the order. */
  isCancelled(venueOrderId: string): boolean {
    return this.#cancelled.has(venueOrderId);
  }

  /** Whether it has accepted the cancellation, so that only the order's trades are left. */
  isTaken(venueOrderId: string): boolean {
    return this.#cancelled.get(venueOrderId) === 'taken';
  }

  /** Discards what was found so far. */
  forget(venueOrderId: string): void {
    this.#series.delete(venueOrderId);
    this.#cancelled.delete(venueOrderId);
  }
}
