import type { MarketKind, OutcomeRole } from '../../market/market.js';
import type { BetSide, Fraction, Odds, OneOrMore, RuleKind, RuleValues } from './rule-member.js';
import type { RulePart, RuleTable } from './rule-members.js';

/** How a rule turns a bankroll into a stake; `size/` has the formula of each. */
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

/** Null where a member may say that nothing restricts. */
export type NullOf<Member> = Member extends { readonly orNull: true } ? null : never;
/** The value of a member. */
export type RuleValueOf<Member> = Member extends { readonly kind: infer Kind extends RuleKind }
  ? RuleValues[Kind]
  : never;

/** What a client may ask for in a part of rules: an absent member does not restrict, and null says that nothing does. */
export type AskedIn<Part extends RulePart> = {
  readonly [Name in keyof RuleTable[Part]]?: RuleValueOf<RuleTable[Part][Name]> | NullOf<RuleTable[Part][Name]>;
};

/** When a rule may bet, relative to the start of the game in milliseconds: negative is before it. */
export type Window = AskedIn<'window'>;
/** How much and how often a strategy may bet. */
export type BetLimits = AskedIn<'limits'>;
/** How a bet is ordered. */
export type OrderRules = AskedIn<'order'>;
/** When a strategy sells what it holds; each condition by itself is enough. */
export type ExitRules = AskedIn<'exit'>;
/** Members of `filter` that only a strategy that trades by itself needs. */
export type GrownFilter = Omit<AskedIn<'filter'>, 'minOdds' | 'maxOdds' | 'side'>;

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
export type GrownMatch = Omit<AskedIn<'match'>, 'sport' | 'market' | 'league'>;

/** Rules as a client writes them: an absent member does not restrict. Numbers are micro-units. */
export interface RulesDraft extends GrownRules {
  readonly match: AskedIn<'match'>;
  readonly filter: AskedIn<'filter'>;
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
