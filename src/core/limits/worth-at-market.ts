import { type BookView, isCrossed, seenFrom } from '../market/book.js';
import type { Market, OutcomeSide } from '../market/market.js';
import { payoutFor } from '../market/resolution.js';
import { NO_USDC, type Price, type Shares, type Usdc } from '../money.js';

/** Shares as far as their worth goes. */
interface Held {
  readonly outcome: OutcomeSide;
  readonly shares: Shares;
  readonly cost: Usdc;
}

/** Shares that nobody bids for, and that are offered for at most a cent, are worth nothing. */
const WORTHLESS = 10_000n as Price;

/**
 * What shares could be sold for at once, by a result or the best bid; what they cost in a market that has no book at all. Null
 * where a book does not say it: it may be out of date, is crossed, or has no bid.
 */
export function worthAtMarket(
  { outcome, shares, cost }: Held,
  market: Market,
  book: BookView | undefined,
): Usdc | null {
  const payout = market.payout?.[outcome === 'YES' ? 0 : 1];
  if (payout !== undefined) return payoutFor(shares, payout);
  if (book === undefined) return cost;
  if (!book.fresh || isCrossed(book)) return null;
  const { bids, asks } = seenFrom(outcome, book);
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  if (bid !== undefined) return payoutFor(shares, bid as bigint as Usdc);
  return ask !== undefined && ask <= WORTHLESS ? NO_USDC : null;
}
