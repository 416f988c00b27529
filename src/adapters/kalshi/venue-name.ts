import type { VenueName } from '../../core/ids.js';

/** The exchanges of the venue: that of the demo trades play money, at prices of its own. */
export const KALSHI_ENVIRONMENTS = ['demo', 'production'] as const;
/** One of them. */
export type KalshiEnvironment = (typeof KALSHI_ENVIRONMENTS)[number];

/** The name of this venue in MARKET_DATA, and of its production in orders, markets and positions. */
export const KALSHI = 'kalshi' as VenueName;
/** The same of its demo: a venue of its own, whose books, results and money have nothing to do with the real ones. */
export const KALSHI_DEMO = 'kalshi_demo' as VenueName;

/** The venue of what is traded in an environment. */
export const kalshiVenue = (environment: KalshiEnvironment): VenueName =>
  environment === 'demo' ? KALSHI_DEMO : KALSHI;
