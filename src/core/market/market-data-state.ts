/**
 * What market data does: there is `none`, it is `live`, or a tape is `waiting` for its start, `playing`, or has `ended` and says
 * nothing more.
 */
export type MarketDataState = 'none' | 'live' | 'waiting' | 'playing' | 'ended';
