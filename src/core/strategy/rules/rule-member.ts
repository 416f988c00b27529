import type { RefusingState } from '../../limits/limits.js';
import type { MarketKind, OutcomeRole, TimeInForce } from '../../market/market.js';
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

/** The value of each kind of member that is not an object. Amounts are micro-units, times are milliseconds. */
export interface PlainValues {
  /** 1 to 80 characters. */
  readonly name: string;
  readonly names: OneOrMore<string>;
  /** 1 to 128 characters. */
  readonly text: string;
  readonly texts: readonly string[];
  readonly marketKinds: OneOrMore<MarketKind>;
  readonly side: BetSide;
  readonly timeInForce: TimeInForce;
  readonly method: SizingMethod;
  readonly phase: Phase;
  readonly role: OutcomeRole;
  readonly signalName: string;
  readonly flag: boolean;
  readonly odds: Odds;
  /** 0 or more. */
  readonly fraction: Fraction;
  /** Above 0. */
  readonly positive: Fraction;
  /** Above 0 and below 1. */
  readonly share: Fraction;
  /** 0 or more. */
  readonly usdc: Usdc;
  /** 0 or more: a fraction or USDC, by the method of sizing. */
  readonly stake: bigint;
  readonly price: Price;
  /** A difference of prices, below 1. */
  readonly gap: Price;
  /** From 1 to `MOST_BETS`. */
  readonly count: number;
  /** The place of an outcome in its market. */
  readonly index: 0 | 1;
  readonly duration: number;
  /** Relative to the start of a game: negative is before it. */
  readonly offset: number;
}

/** A kind of member that is not an object. */
export type PlainKind = keyof PlainValues;

/** Kinds whose values are micro-units. */
export const AMOUNT_KINDS: readonly string[] = [
  'odds',
  'fraction',
  'positive',
  'share',
  'usdc',
  'stake',
  'price',
  'gap',
];

/** What is stated about every member, wherever it is named. */
export interface MemberOf<Kind> {
  readonly kind: Kind;
  /** Its name in the interface. */
  readonly shown: string;
  /** Its meaning in requests and answers. */
  readonly meaning: string;
  /** A value of it as answers show it. */
  readonly example?: string;
  /** True where null says that nothing restricts. */
  readonly orNull?: true;
  /** True where rules, and answers that show them, always have it. */
  readonly always?: true;
  /** True where a client must name it. */
  readonly isRequired?: true;
}

/** A member of an object within rules. */
export interface PlainMember extends MemberOf<PlainKind> {
  /** What holds where it is absent. */
  readonly default?: boolean;
}

const PRICE = { kind: 'price', shown: 'price', meaning: 'The price at which the outcome held can be sold.' } as const;

/** Members of the objects within rules, by the kind of the object and their name in the core. */
export const OBJECTS = {
  /** One of these. */
  profit: {
    price: PRICE,
    gain: {
      kind: 'positive',
      shown: 'gain',
      meaning: 'A share of the cost: 0.2 sells what cost 10 once it brings 12.',
    },
  },
  /** One of these. */
  loss: {
    price: PRICE,
    loss: { kind: 'share', shown: 'loss', meaning: 'A share of the cost: 0.2 sells what cost 10 once it brings 8.' },
  },
  /** One of these, where it is not `each`. */
  outcome: {
    label: { kind: 'text', shown: 'label', meaning: 'The outcome of this label, in any case of letters.' },
    role: { kind: 'role', shown: 'role', meaning: 'The outcome that stands for this in its game.' },
    index: {
      kind: 'index',
      shown: 'index',
      meaning: '0 for the first outcome of the market, 1 for the second.',
    },
    favouriteRank: {
      kind: 'count',
      shown: 'favourite_rank',
      meaning: '1 for the most probable outcome of the game, 2 for the next, and so on.',
    },
  },
  sizing: {
    method: {
      kind: 'method',
      shown: 'method',
      meaning:
        '`fixed_fraction` of the free bankroll, `flat` USDC, a fraction of full `kelly`, `to_win` so many USDC, `fixed_liability` of so many USDC, `edge_proportional` to the edge, or `dutch`: so many USDC divided among the outcomes.',
      always: true,
      isRequired: true,
    },
    value: {
      kind: 'stake',
      shown: 'value',
      meaning:
        'A fraction from 0 to 1 for `fixed_fraction`, `kelly` and `edge_proportional`, USDC for the other methods.',
      example: '0.02',
      always: true,
      isRequired: true,
    },
    referenceEdge: {
      kind: 'positive',
      shown: 'reference_edge',
      meaning: 'For `edge_proportional`: the edge at which the whole fraction is staked; 0.1 by default.',
      example: '0.1',
    },
  },
  signal: {
    name: {
      kind: 'signalName',
      shown: 'name',
      meaning: 'The name of the signal: 1 to 64 letters, digits, `_`, `.` and `-`.',
      example: 'my-model',
      always: true,
      isRequired: true,
    },
    required: {
      kind: 'flag',
      shown: 'required',
      meaning: 'False lets it bet without the signal where no other rule needs a probability. True by default.',
      always: true,
      default: true,
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, PlainMember>>>>;

/** The tables of objects, as a type. */
export type ObjectTable = typeof OBJECTS;
/** A kind of member that is an object. */
export type ObjectKind = keyof ObjectTable;
/** Kinds of members that are objects. */
export const OBJECT_KINDS = Object.keys(OBJECTS) as readonly ObjectKind[];
/** A kind of member. */
export type RuleKind = PlainKind | ObjectKind;

/** The members of an object of that kind, each with its name in the core; none where the kind is no object. */
export const membersWithin = (kind: RuleKind): readonly (readonly [name: string, member: PlainMember])[] =>
  kind in OBJECTS ? Object.entries<PlainMember>(OBJECTS[kind as ObjectKind]) : [];

/** The value of a member, by its kind; null where it may say that nothing restricts. */
export type ValueOf<Member, Values> =
  | (Member extends { readonly kind: infer Kind extends keyof Values } ? Values[Kind] : never)
  | (Member extends { readonly orNull: true } ? null : never);
/** An object with one of the members. */
export type OneOf<Table, Values> = {
  [Name in keyof Table]: { readonly [One in Name]: ValueOf<Table[Name], Values> };
}[keyof Table];
/** An object with the members, of which it always has those that are `Always`. */
export type ObjectOf<Table, Values, Always = { readonly always: true }> = {
  readonly [Name in keyof Table as Table[Name] extends Always ? Name : never]: ValueOf<Table[Name], Values>;
} & {
  readonly [Name in keyof Table as Table[Name] extends Always ? never : Name]?: ValueOf<Table[Name], Values>;
};

/** The value of each kind of member. */
export interface RuleValues extends PlainValues {
  readonly profit: OneOf<ObjectTable['profit'], PlainValues>;
  readonly loss: OneOf<ObjectTable['loss'], PlainValues>;
  /**
   * The outcome that a rule bets on: by its label, by what it stands for in the game, by its place in the market, by its place
   * among the outcomes of the game with the most probable first, or each one by itself.
   */
  readonly outcome: 'each' | OneOf<ObjectTable['outcome'], PlainValues>;
  readonly sizing: ObjectOf<ObjectTable['sizing'], PlainValues>;
  /** Where the probability comes from. */
  readonly signal: ObjectOf<ObjectTable['signal'], PlainValues>;
}

/**
 * Everything that is stated about one member of rules, wherever it is named; the conditions, exits and limits of a strategy
 * act on it.
 */
export interface RuleMemberOf<Kind extends RuleKind> extends MemberOf<Kind> {
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
