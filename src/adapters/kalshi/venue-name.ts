import type { VenueName } from '../../core/ids.js';

/** The name of this venue in orders, markets and positions. */
export const KALSHI = 'kalshi' as VenueName;
