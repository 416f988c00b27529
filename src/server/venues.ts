import { kalshi } from '../adapters/kalshi/kalshi.js';
import { polymarket } from '../adapters/polymarket/polymarket.js';
import { realVenue } from '../core/market/market.js';
import type { VenueAdapter } from '../ports/venue-adapter.js';

/** The venues that this server knows, the default first. One line adds another. */
export const VENUE_ADAPTERS: readonly [VenueAdapter, ...VenueAdapter[]] = [polymarket, kalshi];

/** The adapter of a venue, also of its play money; undefined for one that a program brought along. */
export const adapterNamed = (venue: string): VenueAdapter | undefined =>
  VENUE_ADAPTERS.find(({ name }) => name === realVenue(venue));
