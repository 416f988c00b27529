/** BUY opens with money, SELL closes shares that are held. */
export type Side = (typeof SIDES)[number];

/** Both. */
export const SIDES = ['BUY', 'SELL'] as const;
