import type { BetPlots } from '../core/performance/bet-plots.js';
import type { CountedBet, ResultRow, ResultTerms } from '../core/performance/results.js';

/** Measures bets where it keeps nobody waiting: all of them are needed for it, and they may be very many. They come page by page. */
export interface BetMeasuring {
  /** All rows of these bets, in no order. */
  measure(pages: AsyncIterable<readonly CountedBet[]>, terms: ResultTerms): Promise<readonly ResultRow[]>;
  /** What the plots of these bets are drawn from: each is counted under the day on which it settled. */
  plot(pages: AsyncIterable<readonly CountedBet[]>): Promise<readonly BetPlots[]>;
}
