import type { Market, OutcomeSide } from '../core/market/market.js';

/** How shares that a result paid for become cash where they are kept. Nothing here sends a transaction. */
export interface Redemption {
  /** What a person must do to redeem the wallet's shares in the market, in sentences. */
  instructions(market: Market): readonly string[];
  /**
   * True once the wallet holds no share of the outcome any more, false while it holds some; null where that is not known.
   * Called only for shares that are known to have been there.
   */
  isRedeemed(market: Market, outcome: OutcomeSide): Promise<boolean | null>;
}
