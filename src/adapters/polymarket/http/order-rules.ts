import type { Usdc } from '../../../core/money.js';
import { CENT } from '../signing/amounts.js';

/**
 * A FOK or FAK BUY is signed as dollars, in whole cents (`polymarket.md` 3.1). At a better price it gets more shares: reported of
 * several fills, documented nowhere; the dollars bound what can be spent whichever is true.
 */
export const QUOTE_STEP: Usdc = CENT;

/** The venue ends a GTD order so long before the second that it is told (`polymarket.md` 3.1). */
export const GTD_STOPPED_EARLY_MS = 60_000;

/** That second has to be so far ahead when the order arrives (`polymarket.md` 3.1). */
export const GTD_LEAST_AHEAD_MS = 180_000;
