import type { MarketId } from '../ids.js';
import type { Shares } from '../money.js';

/** YES is the market's first outcome and NO its second, by the venue's metadata, whatever they are called. */
export type Token = 'YES' | 'NO';

/** What an order needs to know of a market. Members without metadata are null. */
export interface Market {
  readonly id: MarketId;
  readonly slug: string | null;
  readonly conditionId: string | null;
  readonly question: string | null;
  /** Labels of the first and second outcome, such as `Yes`/`No` or two team names. */
  readonly outcomeLabels: readonly [string, string] | null;
  /** Smallest step of an order's shares. */
  readonly lot: Shares;
}

/** One hundredth of a share: the lot of every Polymarket market (two decimals of size). */
export const CENTI_SHARE = 10_000n as Shares;

/** The label of the outcome that `token` names, or null where the market came without metadata. */
export function outcomeLabel(market: Market, token: Token): string | null {
  if (market.outcomeLabels === null) return null;
  return market.outcomeLabels[token === 'YES' ? 0 : 1];
}
