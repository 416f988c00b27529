import type { MarketKind, OutcomeRole, TimeInForce } from '../../market/market.js';
import type { Price, Usdc } from '../../money.js';

/** Decimal odds in micro-units: 2.5 is 2 500 000. Always above 1. */
export type Odds = bigint;

/** A share of something in micro-units: 0.05 is 50 000. */
export type Fraction = bigint;

/** Bets for (BACK) or against (LAY) an outcome. Orders say BUY and SELL; the two never mix. */
export const BET_SIDES = ['BACK', 'LAY'] as const;
/** The side that a rule takes. */
export type BetSide = (typeof BET_SIDES)[number];

/** How a rule turns a bankroll into a stake; `size.ts` has the formula of each. */
export const SIZING_METHODS = [
  'fixed_fraction',
  'flat',
  'kelly',
  'to_win',
  'fixed_liability',
  'edge_proportional',
  'dutch',
] as const;
/** One of them. */
export type SizingMethod = (typeof SIZING_METHODS)[number];

/** When a rule may bet, by the state of the game. */
export const PHASES = ['pre', 'in_play', 'any'] as const;
/** One of them. */
export type Phase = (typeof PHASES)[number];

/** One, or a list of at least two. */
export type OneOrMore<T> = T | readonly T[];

/**
 * The outcome that a rule bets on: by its label, by what it stands for in the game, by its place in the market, by its place
 * among the outcomes of the game with the most probable first, or each one by itself.
 */
export type OutcomeChoice =
  | 'each'
  | { readonly label: string }
  | { readonly role: OutcomeRole }
  | { readonly index: 0 | 1 }
  /** 1 is the favourite. */
  | { readonly favouriteRank: number };

/** When a rule may bet, relative to the start of the game in milliseconds: negative is before it. */
export interface Window {
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** Members of `filter` that only a strategy that trades by itself needs. Null says that nothing restricts. */
export interface GrownFilter {
  /** Expected yield of the bet, net of fees: probability / cost − 1. */
  readonly minEdge?: Fraction | null;
  /** Best offer less best bid. */
  readonly maxSpread?: Price | null;
  /** What the book offers within the odds. */
  readonly minLiquidity?: Usdc | null;
  /** How far the price may have moved since the strategy first saw it. */
  readonly maxDrift?: Price | null;
  readonly maxBookAgeMs?: number | null;
  /** Sum of the best offers of exclusive outcomes, less 1. */
  readonly maxOverround?: Fraction | null;
}

/** How much and how often a strategy may bet. Null says that nothing restricts. */
export interface BetLimits {
  readonly maxBetsPerOutcome?: number | null;
  readonly maxBetsPerMarket?: number | null;
  readonly maxBetsPerEvent?: number | null;
  readonly maxBetsPerDay?: number | null;
  /** Bets that are neither given up nor settled. */
  readonly maxOpen?: number | null;
  /** From one bet on an outcome to the next. */
  readonly cooldownMs?: number | null;
  /** The most that an event may lose, whatever its result. */
  readonly eventLoss?: Usdc | null;
  readonly dailyLoss?: Usdc | null;
}

/** How a bet is ordered. */
export interface OrderRules {
  readonly timeInForce?: TimeInForce;
  /** What did not fill by then is cancelled. */
  readonly giveUpAfterMs?: number | null;
  /** How far the limit may be from the best price. */
  readonly maxSlippage?: Price | null;
}

/** When a strategy sells what it holds; each condition by itself is enough. */
export interface ExitRules {
  /** At this price of the outcome held, or once selling brings this share of the cost more. */
  readonly takeProfit?: { readonly price: Price } | { readonly gain: Fraction };
  /** At this price of the outcome held, or once selling brings this share of the cost less. */
  readonly stop?: { readonly price: Price } | { readonly loss: Fraction };
  readonly beforeStartMs?: number;
  /** After the first purchase. */
  readonly afterMs?: number;
  /** Once the expected yield of holding is below. */
  readonly edgeBelow?: Fraction;
}

/** Where the probability comes from. */
export interface SignalRule {
  readonly name: string;
  /** False lets the strategy bet without it, where no other rule needs a probability. */
  readonly required: boolean;
}

/** Members that only a strategy that trades by itself needs: present where the client named them. */
export interface GrownRules {
  readonly outcome?: OutcomeChoice;
  readonly window?: Window;
  readonly phase?: Phase;
  readonly limits?: BetLimits;
  readonly order?: OrderRules;
  readonly exit?: ExitRules;
  readonly signal?: SignalRule;
}

/** Members of `match` that only a strategy that trades by itself needs. */
export interface GrownMatch {
  /** Ids or slugs of events. */
  readonly events?: readonly string[];
  /** Words of the question, the event or the slug. */
  readonly text?: string;
}

/** Rules as a client writes them: an absent member does not restrict. Numbers are micro-units. */
export interface RulesDraft extends GrownRules {
  readonly match: GrownMatch & {
    readonly sport?: string;
    readonly market?: OneOrMore<MarketKind>;
    readonly league?: OneOrMore<string>;
  };
  readonly filter: GrownFilter & { readonly minOdds?: Odds; readonly maxOdds?: Odds; readonly side?: BetSide };
  readonly sizing: {
    readonly method: SizingMethod;
    readonly value: bigint;
    /** The expected yield at which `edge_proportional` stakes its whole fraction. */
    readonly referenceEdge?: Fraction;
  };
}

/**
 * Rules with the sport and the side filled in; null does not restrict. Members that only a strategy that trades by itself
 * needs are there if they were named: `tradingRules` has all of them with every default.
 */
export interface Rules extends GrownRules {
  readonly version: 1;
  readonly match: GrownMatch & {
    readonly sport: string;
    readonly market: OneOrMore<MarketKind> | null;
    readonly league: OneOrMore<string> | null;
  };
  readonly filter: GrownFilter & {
    readonly minOdds: Odds | null;
    readonly maxOdds: Odds | null;
    readonly side: BetSide;
  };
  readonly sizing: RulesDraft['sizing'];
}
