import * as v from 'valibot';
import type { MarketId, VenueName } from '../../core/ids.js';
import { MARKET_ID, VENUE_NAME } from '../../core/market/market.js';
import { describe, means } from './schema.js';

/** A market's id as it may come in, in a body, a query or a path. */
export const marketIdIn = describe(
  v.pipe(
    v.string('must be a string'),
    v.regex(MARKET_ID, 'must be 1 to 128 ASCII letters, digits and . _ : -'),
    v.transform((text) => text as MarketId),
  ),
  { type: 'string', minLength: 1, maxLength: 128, pattern: MARKET_ID.source, examples: ['epl-ars-che-2026-12-05'] },
);

/** The name of a venue as it may come in. */
export const venueNameIn = describe(
  v.pipe(
    v.string('must be a string'),
    v.regex(VENUE_NAME, 'must be 1 to 32 of a to z, digits, _ and -, a letter first'),
    v.transform((text) => text as VenueName),
  ),
  { type: 'string', minLength: 1, maxLength: 32, pattern: VENUE_NAME.source, examples: ['polymarket'] },
);

/** The filter of reads that look at one venue. */
export const venueFilter = {
  venue: v.optional(means(venueNameIn, 'The venue to read from; the default one when absent.')),
};
