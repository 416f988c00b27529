/** The market kinds that a rule may name. */
export const MARKET_KINDS = ['moneyline', 'spread', 'total'] as const;
/** A market kind that a rule may name. */
export type MarketKind = (typeof MARKET_KINDS)[number];
