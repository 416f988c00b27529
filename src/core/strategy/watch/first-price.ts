import type { AccountId, MarketId, StrategyId, VenueName } from '../../ids.js';
import type { Market, OutcomeSide } from '../../market/market.js';
import type { Price } from '../../money.js';
import type { Strategy } from '../strategy.js';

/** Names what a strategy would buy in a market. */
export interface FirstPriceKey {
  readonly account: AccountId;
  readonly strategyId: StrategyId;
  readonly venue: VenueName;
  readonly marketId: MarketId;
  /** What would be bought: BACK buys the outcome that is judged, LAY its complement. */
  readonly outcome: OutcomeSide;
}

/** The best offer of what a strategy would buy, when the strategy first saw it: `filter.max_drift` is measured from there. */
export interface FirstPrice extends FirstPriceKey {
  readonly price: Price;
  /** When it was seen, by the time of the markets. */
  readonly at: Date;
}

/** What a strategy would buy in a market. */
export function firstPriceKey(
  { account, id: strategyId }: Pick<Strategy, 'account' | 'id'>,
  { venue, id: marketId }: Pick<Market, 'venue' | 'id'>,
  outcome: OutcomeSide,
): FirstPriceKey {
  return { account, strategyId, venue, marketId, outcome };
}

/** One text for each key. */
export const firstPriceName = ({ account, strategyId, venue, marketId, outcome }: FirstPriceKey): string =>
  JSON.stringify([account, strategyId, venue, marketId, outcome]);
