import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ports/system.js';
import type { ReadFor } from './market-data-client.js';

/** Metadata of this age is read again. */
const FRESH_MS = 30_000;
/**
 * For so long it is remembered that there is no such market: long enough for guesses that are repeated in a loop, and short enough
 * for one who looks again for a market that was just listed. An order never waits for it: it asks anew.
 */
const MISSING_MS = 5000;
const MOST_CACHED = 5000;

/** What was read of markets, by the names by which they were asked for, and of which there is none. */
export class MarketCache<Records extends object> {
  readonly #found: LRUCache<string, Records>;
  readonly #missing: LRUCache<string, true>;
  /** What is being read, by name and by who asks: nobody waits in the turn of another account. */
  readonly #reading = new Map<string, Map<string, Promise<Records | undefined>>>();

  constructor(clock: Clock) {
    const perf = { now: () => clock.now().getTime() };
    this.#found = new LRUCache({ max: MOST_CACHED, ttl: FRESH_MS, ttlResolution: 0, perf });
    this.#missing = new LRUCache({ max: MOST_CACHED, ttl: MISSING_MS, ttlResolution: 0, perf });
  }

  /** What is remembered under this name, or what `read` finds, once for all requests of one asker at a time. Throws as `read` does. */
  async find(
    name: string,
    asker: ReadFor['asker'],
    read: () => Promise<Records | undefined>,
  ): Promise<Records | undefined> {
    const found = this.#found.get(name);
    if (found !== undefined) return found;
    if (typeof asker === 'object' && asker.purpose === 'look' && this.#missing.has(name)) return undefined;
    const reading = this.#reading.get(name) ?? new Map<string, Promise<Records | undefined>>();
    this.#reading.set(name, reading);
    const who = typeof asker === 'object' ? `${asker.purpose} ${asker.account}` : `${asker}`;
    const running = reading.get(who) ?? read();
    reading.set(who, running);
    try {
      const records = await running;
      // What was forgotten meanwhile may be older than what is there now.
      if (this.#reading.get(name) === reading) this.#remember(name, records);
      return records;
    } finally {
      reading.delete(who);
      if (reading.size === 0 && this.#reading.get(name) === reading) this.#reading.delete(name);
    }
  }

  /** What is remembered under this name; undefined where nothing is. */
  young(name: string): Records | undefined {
    return this.#found.get(name);
  }

  /** The next `find` by this name reads the market anew. */
  forget(name: string): void {
    this.#found.delete(name);
    this.#missing.delete(name);
    this.#reading.delete(name);
  }

  #remember(name: string, records: Records | undefined): void {
    if (records === undefined) {
      this.#missing.set(name, true);
      return;
    }
    this.#found.set(name, records);
    this.#missing.delete(name);
  }
}
