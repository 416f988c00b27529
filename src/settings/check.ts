import type { Check } from '../ports/venue-adapter.js';

/** In order. */
export const ok = (words: string): Check => ({ level: 'ok', words });
/** An operator should consider it. */
export const warning = (words: string): Check => ({ level: 'warning', words });
/** Without it orders with real money do not work. */
export const missing = (words: string): Check => ({ level: 'missing', words });
