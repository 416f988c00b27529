import type { BetRow, ClosePrice, NoClose } from '../core/performance/bet.js';

/** What the close of a bet depends on: its outcome, when it was made, and the start that was known then. */
export type ClosingBet = Pick<BetRow, 'venue' | 'marketId' | 'outcome' | 'firstFillAt' | 'startsAt'>;

/** Knows at which prices markets closed: those right before their events began. */
export interface ClosePrices {
  /** Of a bet, or why there is none; `not_started` while it is not known. It asks nobody. */
  closeOf(bet: ClosingBet): ClosePrice | NoClose;
}
