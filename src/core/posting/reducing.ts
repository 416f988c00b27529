import { freeShares, type Position } from '../account/position.js';
import type { Intent } from '../order/intent.js';
import { mostCost } from '../order/order.js';

/** What an account holds of the two outcomes of the market of an order. */
export interface HeldBeside {
  /** Of the outcome that the order names; shares that the order itself has on sale count as free. */
  readonly own: Position;
  readonly other: Position;
}

/**
 * Whether an order raises the least that the account gets back from the market, whichever outcome comes true. A sale does of
 * shares that no share of the other outcome needs; a purchase does of shares that complete a pair, which pays a dollar, for
 * less than that. Orders that rest do not count, but for shares on sale.
 */
export function lowersWorstCase(intent: Intent, { own, other }: HeldBeside): boolean {
  const { side, shares } = intent;
  if (side === 'SELL') return freeShares(own) - shares >= other.shares;
  return own.shares + shares <= freeShares(other) && mostCost(intent) < shares;
}
