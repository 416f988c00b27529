import type { Usdc } from '../../../core/money.js';
import { CENT } from '../signing/amounts.js';

/**
 * A FOK or FAK BUY is signed as dollars, in whole cents (`polymarket.md` 3.1). At a better price it gets more shares:
 * reported of several fills, documented nowhere. The dollars bound the spending in either case.
 */
export const QUOTE_STEP: Usdc = CENT;

/** The venue ends a GTD order this long before the expiration sent to it (`polymarket.md` 3.1). */
export const GTD_STOPPED_EARLY_MS = 60_000;

/** How far ahead that expiration must be when the order arrives (`polymarket.md` 3.1). */
export const GTD_LEAST_AHEAD_MS = 180_000;
