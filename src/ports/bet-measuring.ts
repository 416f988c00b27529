import type { Slice } from '../core/ledger/query.js';
import type { CountedBet, ResultCursor, ResultRow, ResultTerms } from '../core/performance/results.js';

/** Measures bets where it keeps nobody waiting: all of them are needed for it, and they may be very many. */
export interface BetMeasuring {
  /** The rows of these bets, which come page by page. */
  measure(pages: AsyncIterable<readonly CountedBet[]>, terms: ResultTerms): Promise<Slice<ResultRow, ResultCursor>>;
}
