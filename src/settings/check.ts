import type { Check } from '../ports/venue-adapter.js';

/** A check that passed. */
export const ok = (words: string): Check => ({ level: 'ok', words });
/** A check that an operator should consider. */
export const warning = (words: string): Check => ({ level: 'warning', words });
/** A check that failed: without what it names, orders with real money do not work. */
export const missing = (words: string): Check => ({ level: 'missing', words });
