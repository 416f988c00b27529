import type { VenueName } from '../../../ids.js';
import type { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Doubt } from '../../trading/background/reduce-for-now.js';

/** A venue of which nothing is heard for so long shows nobody what its prices are. */
const MOST_SILENT_MS = 60_000;

/** Finds out when the market data of a venue is silent: of all its markets that are followed, no book can be trusted. */
export class FeedSilence {
  readonly #heardAt = new Map<VenueName, Date>();

  /** Null while every venue with followed markets was heard of lately. Call it often. */
  look(followed: readonly Pick<WatchedMarket, 'market' | 'isFresh'>[], now: Date): Doubt | null {
    const venues = new Set(followed.map(({ market }) => market.venue));
    for (const venue of this.#heardAt.keys()) if (!venues.has(venue)) this.#heardAt.delete(venue);
    for (const { market, isFresh } of followed)
      if (isFresh || !this.#heardAt.has(market.venue)) this.#heardAt.set(market.venue, now);
    for (const [venue, heardAt] of this.#heardAt) {
      if (now.getTime() - heardAt.getTime() < MOST_SILENT_MS) continue;
      return { code: 'feed_silent', reason: `No book of ${venue} could be trusted since ${heardAt.toISOString()}` };
    }
    return null;
  }
}
