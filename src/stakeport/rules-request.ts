import type { MarketKind } from '../core/market/kind.js';
import type { OutcomeRole } from '../core/market/market.js';
import type { TimeInForce } from '../core/market/time-in-force.js';
import type { BetSide, OneOrMore, Phase, SizingMethod } from '../core/strategy/rules/rules.js';
import type { Decimal } from './input.js';

/** A whole number of seconds, minutes, hours or days: `30s`, `15m`, `12h` or `90d`. */
export type RuleDuration = `${number}${'s' | 'm' | 'h' | 'd'}`;

/** Rules as a program writes them: an absent member does not restrict, and null loosens a default. */
export interface RulesRequest {
  readonly match?: {
    readonly sport?: string;
    readonly market?: OneOrMore<MarketKind>;
    readonly league?: OneOrMore<string>;
    /** Ids or slugs. */
    readonly events?: readonly string[];
    readonly text?: string;
  };
  /** Decimal odds, above 1. */
  readonly filter?: {
    readonly minOdds?: Decimal;
    readonly maxOdds?: Decimal;
    readonly side?: BetSide;
    readonly minEdge?: Decimal | null;
    readonly maxSpread?: Decimal | null;
    /** Dollars. */
    readonly minLiquidity?: Decimal | null;
    readonly maxDrift?: Decimal | null;
    readonly maxBookAge?: RuleDuration | null;
    readonly maxOverround?: Decimal | null;
  };
  /** `fixed_fraction`, `kelly` and `edge_proportional` take a fraction from 0 to 1, the others take dollars. */
  readonly sizing: { readonly method: SizingMethod; readonly value: Decimal; readonly referenceEdge?: Decimal };
  /** What to bet on; required unless `automation` is `off`. */
  readonly outcome?:
    | 'each'
    | { readonly label: string }
    | { readonly role: OutcomeRole }
    | { readonly index: 0 | 1 }
    | { readonly favouriteRank: number };
  /** Relative to the start of the game: `-24h` is a day before it. */
  readonly window?: { readonly from?: RuleDuration; readonly to?: RuleDuration };
  readonly phase?: Phase;
  readonly limits?: {
    readonly maxBetsPerOutcome?: number | null;
    readonly maxBetsPerMarket?: number | null;
    readonly maxBetsPerEvent?: number | null;
    readonly maxBetsPerDay?: number | null;
    readonly maxOpen?: number | null;
    readonly cooldown?: RuleDuration | null;
    /** Dollars. */
    readonly eventLoss?: Decimal | null;
    /** Dollars. */
    readonly dailyLoss?: Decimal | null;
  };
  readonly order?: {
    readonly timeInForce?: TimeInForce;
    readonly giveUpAfter?: RuleDuration | null;
    readonly maxSlippage?: Decimal | null;
  };
  /** A gain or a loss is a share of the cost. */
  readonly exit?: {
    readonly takeProfit?: { readonly price: Decimal } | { readonly gain: Decimal };
    readonly stop?: { readonly price: Decimal } | { readonly loss: Decimal };
    readonly beforeStart?: RuleDuration;
    readonly after?: RuleDuration;
    readonly edgeBelow?: Decimal;
  };
  readonly signal?: { readonly name: string; readonly required?: boolean };
}
