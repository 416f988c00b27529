import type { MarketDirectory } from '../../../ports/venue.js';
import { DomainError } from '../../domain-error.js';
import { type RiskGroup, riskGroupOf } from '../../limits/risk.js';
import type { MarketRef } from '../../market/venue.js';

/** What a market belongs to; null where it cannot be looked up. */
export async function marketGroup(
  markets: Pick<MarketDirectory, 'find'>,
  { venue, marketId }: MarketRef,
): Promise<RiskGroup | null> {
  try {
    const market = await markets.find({ venue, marketId });
    return market === undefined ? null : riskGroupOf(market);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
