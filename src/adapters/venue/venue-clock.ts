import { performance } from 'node:perf_hooks';
import type { Clock } from '../../ports/system.js';

/** A clock difference up to this is not reported. */
const TOLERATED_MS = 2000;
const FRESH_MS = 300_000;
const AFTER_FAILURE_MS = 10_000;

/** The dependencies of a venue clock. */
export interface VenueClockOptions {
  readonly clock: Clock;
  /** Unix seconds by the venue's clock, rounded down; null when it does not answer. */
  readSeconds(): Promise<number | null>;
  /** Called each time our clock is found more than two seconds off; positive when the venue is ahead. */
  reportSkew(milliseconds: number): void;
}

/** The venue's time, kept as the offset from our clock. Measured again every five minutes, while it is in use. */
export class VenueClock {
  readonly #options: VenueClockOptions;
  #offsetMs = 0;
  #dueAt = Number.NEGATIVE_INFINITY;
  #measuring: Promise<boolean> | undefined;

  constructor(options: VenueClockOptions) {
    this.#options = options;
  }

  /** The venue's time in Unix seconds, without waiting; a measurement started here serves the next call. */
  seconds(): number {
    this.#keepFresh();
    return Math.floor((this.#options.clock.now().getTime() + this.#offsetMs) / 1000);
  }

  /** Positive when the venue is ahead; a measurement started here serves the next call. */
  get offsetMs(): number {
    this.#keepFresh();
    return this.#offsetMs;
  }

  /** Measures now; false when the venue did not answer, and then the offset stays. Concurrent callers share the answer. */
  measure(): Promise<boolean> {
    this.#measuring ??= this.#measured().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  #keepFresh(): void {
    if (performance.now() >= this.#dueAt) void this.measure();
  }

  async #measured(): Promise<boolean> {
    this.#dueAt = performance.now() + AFTER_FAILURE_MS;
    const before = this.#options.clock.now().getTime();
    const started = performance.now();
    const seconds = await this.#options.readSeconds().catch(() => null);
    if (seconds === null) return false;
    this.#dueAt = performance.now() + FRESH_MS;
    this.#offsetMs = offsetBetween(before, before + performance.now() - started, seconds);
    if (Math.abs(this.#offsetMs) > TOLERATED_MS) this.#options.reportSkew(this.#offsetMs);
    return true;
  }
}

/**
 * The smallest correction that agrees with the observation: the venue read `seconds`, rounded down, at some moment between
 * these two of our clock.
 */
function offsetBetween(before: number, after: number, seconds: number): number {
  const least = Math.ceil(seconds * 1000 - after);
  const most = Math.floor(seconds * 1000 + 999 - before);
  return Math.min(Math.max(0, least), most);
}
