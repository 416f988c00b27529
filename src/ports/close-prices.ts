import type { BetRow, ClosePrice, NoClose } from '../core/performance/bet.js';

/** Knows at which prices markets closed: those right before their events began. */
export interface ClosePrices {
  /** Of an outcome, or why there is none; `not_started` while it is not known. It asks nobody. */
  closeOf(of: Pick<BetRow, 'venue' | 'marketId' | 'outcome'>): ClosePrice | NoClose;
}
