import type { RefusingState } from '../../limits/limits.js';
import type { MarketKind, TimeInForce } from '../../market/market.js';
import type { Side } from '../../market/side.js';
import { formatMicro, type Price, type Usdc } from '../../money.js';
import { writeDuration } from './rule-duration.js';

/** Decimal odds in micro-units: 2.5 is 2 500 000. Always above 1. */
export type Odds = bigint;

/** A share of something in micro-units: 0.05 is 50 000. */
export type Fraction = bigint;

/** Bets for (BACK) or against (LAY) an outcome. Orders say BUY and SELL; the two never mix. */
export const BET_SIDES = ['BACK', 'LAY'] as const;
/** The side that a rule takes. */
export type BetSide = (typeof BET_SIDES)[number];

/** One, or a list of at least two. */
export type OneOrMore<T> = T | readonly T[];

/** The value of each kind of member. Amounts are micro-units, times are milliseconds. */
export interface RuleValues {
  /** 1 to 80 characters. */
  readonly name: string;
  readonly names: OneOrMore<string>;
  /** Each 1 to 128 characters. */
  readonly texts: readonly string[];
  readonly marketKinds: OneOrMore<MarketKind>;
  readonly side: BetSide;
  readonly timeInForce: TimeInForce;
  readonly odds: Odds;
  /** 0 or more. */
  readonly fraction: Fraction;
  /** 0 or more. */
  readonly usdc: Usdc;
  /** A difference of prices, below 1. */
  readonly gap: Price;
  /** From 1 to `MOST_BETS`. */
  readonly count: number;
  readonly duration: number;
  /** Relative to the start of a game: negative is before it. */
  readonly offset: number;
  readonly profit: { readonly price: Price } | { readonly gain: Fraction };
  readonly loss: { readonly price: Price } | { readonly loss: Fraction };
}

/** A kind of member. */
export type RuleKind = keyof RuleValues;

/**
 * Everything that is stated about one member of rules, wherever it is named; the conditions, exits and limits of a strategy
 * act on it.
 */
export interface RuleMemberOf<Kind extends RuleKind> {
  readonly kind: Kind;
  /** Its name in the interface. */
  readonly shown: string;
  /** Its meaning in requests and answers. */
  readonly meaning: string;
  /** A value of it as answers show it. */
  readonly example?: string;
  /** True where null says that nothing restricts. */
  readonly orNull?: true;
  /** True where every answer shows it. */
  readonly always?: true;
  /** True where null is probably a mistake of a strategy that trades by itself. */
  readonly isGuard?: true;
  /** What holds where it is absent; without one, nothing restricts. */
  readonly default?: RuleValues[Kind];
  /** The default of a strategy that trades by itself, by its bankroll. */
  readonly automated?: (bankroll: Usdc) => RuleValues[Kind];
  /** What it does, in words; null where it does nothing. */
  sentence(value: RuleValues[Kind], order: { readonly timeInForce: TimeInForce }): string | null;
  /** Its row in docs/strategies.md after its name: what it means, its default where the table has that column, an example. */
  readonly row?: readonly string[];
  /** Where it limits the orders of a day, whoever places them. */
  readonly perDay?: DayLimit;
  /** What a bet that it refused waits for at every price; that of a limit of a day is the next one. */
  readonly waitsFor?: RefusingState;
}

/**
 * What a limit of the orders of a day counts and refuses. A row with it is all that such a limit needs: accepted orders are counted,
 * checked and audited by it.
 */
export interface DayLimit {
  /** The name of its counter in the records of days and orders, which never changes. */
  readonly counter: string;
  /** The sides of the accepted orders that it counts. */
  readonly counts: readonly Side[];
  /** The sides of the orders that it refuses, once as many as it allows were counted. */
  readonly refuses: readonly Side[];
  readonly code: string;
  /** The sentence of a refusal without its figures. */
  readonly message: string;
  /** What a refused caller may do. */
  readonly help: string;
}

/** The description of one member of rules. */
export type RuleMember = { readonly [Kind in RuleKind]: RuleMemberOf<Kind> }[RuleKind];

/** How docs/strategies.md says that a default is one of strategies that trade by themselves. */
export const AUTOMATED_ELSE_ANY = 'where automation is not `off`, else any';

/** An amount of USDC in a sentence. */
export const usdcText = (micro: bigint): string => `${formatMicro(micro)} USDC`;
/** A fraction in a sentence. */
export const percentText = (micro: bigint): string => `${formatMicro(micro * 100n)} %`;

/** One name or several in a sentence. */
export const listed = (names: OneOrMore<string>): string => (typeof names === 'string' ? names : names.join(' or '));
/** How often at most, in a sentence. */
export const timesText = (count: number): string => (count === 1 ? 'Once' : `At most ${count} times`);
/** A price to sell at. */
export const atPrice = (price: bigint, way: string): string => `at a price of ${formatMicro(price)} or ${way}`;
/** A gain or a loss to sell at. */
export const atReturn = (share: bigint, way: string): string =>
  `once it brings ${percentText(share)} ${way} than it cost`;
/** A moment before or after the start of a game. */
export const relativeText = (ms: number): string =>
  ms === 0 ? 'the start' : `${writeDuration(Math.abs(ms))} ${ms < 0 ? 'before' : 'after'} the start`;

/** What becomes of an order of each kind. */
export const FORCE_TEXT: Readonly<Record<TimeInForce, string>> = {
  GTC: 'Orders rest until they fill or are cancelled.',
  GTD: 'Orders rest until they expire.',
  FOK: 'Orders fill completely at once, or not at all.',
  FAK: 'Orders fill what they can at once, and drop the rest.',
};
