import { freeShares, type Position } from '../account/position.js';
import { NO_SHARES, plus, type Shares } from '../money.js';
import type { Intent } from '../order/intent.js';
import { mostCost } from '../order/order.js';

/** What an account holds of the two outcomes of the market of an order. */
export interface HeldBeside {
  /** Of the outcome that the order names, without what the order itself has reserved or may bring. */
  readonly own: Position;
  readonly other: Position;
}

/**
 * Whether an order raises the least that the account gets back from the market, whichever outcome comes true and whichever of
 * the orders that rest there are filled. A sale does of shares that no share of the other outcome needs, not even one that a
 * purchase may bring; a purchase does of shares that complete a pair, which pays a dollar, for less than that, with shares that
 * nothing else may sell or pair.
 */
export function lowersWorstCase(intent: Intent, { own, other }: HeldBeside): boolean {
  const { side, shares } = intent;
  if (side === 'SELL') return freeShares(own) - shares >= most(other);
  return most(own) + shares <= freeShares(other) && mostCost(intent) < shares;
}

const most = ({ shares, wanted = NO_SHARES }: Position): Shares => plus(shares, wanted);
