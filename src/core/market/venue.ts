import type { MarketId, VenueName } from '../ids.js';

/** The name of a venue in the interface: 1 to 32 of `a` to `z`, digits, `_` and `-`, a letter first. */
export const VENUE_NAME = /^[a-z][a-z0-9_-]{0,31}$/;

/** The venue of a market whose real venue is not known: it can be traded on paper only. */
export const NO_VENUE = 'none' as VenueName;

/** Names a market: ids are a venue's own, so that two venues may use the same one. */
export interface MarketRef {
  readonly venue: VenueName;
  readonly marketId: MarketId;
}

/** A market as one text, in the order in which markets are listed; neither part has a stroke. */
export const marketName = ({ venue, marketId }: MarketRef): string => `${venue}/${marketId}`;

/** Parses such a text. */
export function marketNamed(text: string): MarketRef {
  const [venue = '', marketId = ''] = text.split('/');
  return { venue: venue as VenueName, marketId: marketId as MarketId };
}
