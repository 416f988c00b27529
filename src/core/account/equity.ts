import type { AccountId, StrategyId } from '../ids.js';
import type { Usdc } from '../money.js';

/** What an account, or the part of one strategy, was worth at one moment. */
export interface EquityPoint {
  readonly account: AccountId;
  readonly paper: boolean;
  /** Null is the whole account. */
  readonly strategyId: StrategyId | null;
  readonly at: Date;
  /** Null for a strategy: cash is the account's. May be negative after a result was amended. */
  readonly cash: Usdc | null;
  /** Open positions at the price that they could be sold for; at cost where there is none. */
  readonly positions: Usdc;
  /** May be negative. */
  readonly realised: Usdc;
  readonly unrealised: Usdc;
  readonly fees: Usdc;
}
