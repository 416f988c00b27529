/** GTC rests, GTD rests until it expires, FOK fills whole or not at all, FAK fills what it can and drops the rest. */
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

/** All of them. */
export const TIMES_IN_FORCE = ['GTC', 'GTD', 'FOK', 'FAK'] as const;
