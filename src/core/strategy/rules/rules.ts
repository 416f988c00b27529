import type { MarketKind } from '../../market/market.js';
import type { BetSide, Odds, OneOrMore, Phase, RuleValues, ValueOf } from './rule-member.js';
import type { RulePart, RuleTable } from './rule-members.js';

/** The outcome that a rule bets on. */
export type OutcomeChoice = RuleValues['outcome'];

/** What a client may ask for in a part of rules: an absent member does not restrict, and null says that nothing does. */
export type AskedIn<Part extends RulePart> = {
  readonly [Name in keyof RuleTable[Part]]?: ValueOf<RuleTable[Part][Name], RuleValues>;
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
export type SignalRule = RuleValues['signal'];

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
  readonly sizing: RuleValues['sizing'];
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
  readonly sizing: RuleValues['sizing'];
}
