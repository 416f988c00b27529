import type { Price, Shares } from '../money.js';

/*
 * Choices where the venue's facts are uncertain, each made once, for paper and for real money alike. `docs/paper.md` tells them
 * with examples.
 */

/**
 * Below the least size, which is a number of shares, no order is taken, whatever its kind; what a fill leaves of one may be
 * less, and goes on. One page of the venue calls it dollars; 210,807 of 210,836 markets have 5, which as dollars would be
 * more than users report to trade.
 */
export const isBelowLeastSize = (shares: Shares, least: Shares): boolean => shares < least;

/**
 * No market has prices in finer steps, so that dollars buy at most so many shares: a paper purchase that spends them counts
 * cheaper levels as this price.
 */
export const FINEST_TICK = 100n as Price;

/**
 * Fees go in steps of 0.00001 USDC, to the nearest, at least one, and are rounded once for each match, over all levels that it
 * met: a match is one trade of the venue, and its walk on paper. The venue does not tell what its rounding is over.
 */
export const FEE_STEP = 10n;

/**
 * Of a level that is told with up to six decimals nobody gets a part of a lot: orders have two decimals of a share, and what the
 * venue does with the rest is not told.
 */
export const wholeLots = (shares: Shares, lot: Shares): Shares => (shares - (shares % lot)) as Shares;
