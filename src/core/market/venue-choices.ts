import type { Price, Shares } from '../money.js';

/*
 * Choices where the venue's facts are uncertain, each made once, for paper and for real money alike. `docs/paper.md`
 * explains them with examples.
 */

/**
 * An order of any kind below the least size, which is a number of shares, is refused; the remainder after a fill may be
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
 * Fees go in steps of 0.00001 USDC, to the nearest, at least one, and are rounded once for each match, over all levels that
 * it met: a match is one trade of the venue, and its walk on paper. The venue does not document what its rounding covers.
 */
export const FEE_STEP = 10n;

/**
 * A level may be reported with up to six decimals, but no fill takes part of a lot: orders have two decimals of a share, and
 * what the venue does with the rest is not documented.
 */
export const wholeLots = (shares: Shares, lot: Shares): Shares => (shares - (shares % lot)) as Shares;
