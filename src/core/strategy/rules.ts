import { RulesInvalid } from '../errors.js';
import type { MarketKind } from '../market/kind.js';
import { formatMicro, ONE } from '../money.js';

/** Decimal odds in micro-units: 2.5 is 2 500 000. Always above 1. */
export type Odds = bigint;

/** Bets for (BACK) or against (LAY) an outcome. Orders say BUY and SELL; the two never mix. */
export const BET_SIDES = ['BACK', 'LAY'] as const;
/** The side that a rule takes. */
export type BetSide = (typeof BET_SIDES)[number];

/** `fixed_fraction` of the bankroll still free, `flat` USDC, or a fraction of full `kelly`. */
export const SIZING_METHODS = ['fixed_fraction', 'flat', 'kelly'] as const;
/** How a rule turns a bankroll into a stake. */
export type SizingMethod = (typeof SIZING_METHODS)[number];

/** Rules as a client writes them: an absent member does not restrict. Numbers are micro-units. */
export interface RulesDraft {
  readonly match: { readonly sport?: string; readonly market?: MarketKind; readonly league?: string };
  readonly filter: { readonly minOdds?: Odds; readonly maxOdds?: Odds; readonly side?: BetSide };
  readonly sizing: { readonly method: SizingMethod; readonly value: bigint };
}

/** Rules with every default filled in; null does not restrict. */
export interface Rules {
  readonly version: 1;
  readonly match: { readonly sport: string; readonly market: MarketKind | null; readonly league: string | null };
  readonly filter: { readonly minOdds: Odds | null; readonly maxOdds: Odds | null; readonly side: BetSide };
  readonly sizing: { readonly method: SizingMethod; readonly value: bigint };
}

/**
 * Fills in the defaults: the sport is the strategy's, the side is BACK.
 * @throws RulesInvalid for odds of 1 or less, crossed bounds, or a fraction above 1.
 */
export function completeRules(draft: RulesDraft, strategySport: string): Rules {
  const { match, filter, sizing } = draft;
  const minOdds = filter.minOdds ?? null;
  const maxOdds = filter.maxOdds ?? null;
  checkOdds(minOdds, maxOdds);
  if (sizing.method !== 'flat' && sizing.value > ONE) {
    const got = formatMicro(sizing.value);
    throw new RulesInvalid('sizing/value', `must be from 0 to 1 for ${sizing.method}: it is a fraction; got ${got}`);
  }
  return {
    version: 1,
    match: { sport: match.sport ?? strategySport, market: match.market ?? null, league: match.league ?? null },
    filter: { minOdds, maxOdds, side: filter.side ?? 'BACK' },
    sizing: { method: sizing.method, value: sizing.value },
  };
}

function checkOdds(minOdds: Odds | null, maxOdds: Odds | null): void {
  const tooLow = (odds: Odds) =>
    `must be above 1: decimal odds of 1 pay back the stake alone; got ${formatMicro(odds)}`;
  if (minOdds !== null && minOdds <= ONE) throw new RulesInvalid('filter/min_odds', tooLow(minOdds));
  if (maxOdds !== null && maxOdds <= ONE) throw new RulesInvalid('filter/max_odds', tooLow(maxOdds));
  if (minOdds !== null && maxOdds !== null && minOdds > maxOdds) {
    const bounds = `must not be above max_odds, which is ${formatMicro(maxOdds)}`;
    throw new RulesInvalid('filter/min_odds', `${bounds}; got ${formatMicro(minOdds)}`);
  }
}
