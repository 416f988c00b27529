/** The venue ends a GTD order so long before the second that it is told (`polymarket.md` 3.1). */
export const GTD_STOPPED_EARLY_MS = 60_000;

/** That second has to be so far ahead when the order arrives (`polymarket.md` 3.1). */
export const GTD_LEAST_AHEAD_MS = 180_000;
