import {
  MARKET_KINDS,
  type MarketKind,
  OUTCOME_ROLES,
  type OutcomeRole,
  TIMES_IN_FORCE,
  type TimeInForce,
} from '../core/market/market.js';
import { ONE } from '../core/money.js';
import { SIGNAL_NAME, SIGNAL_NAME_WORDS } from '../core/signal/signal.js';
import { readDuration, readOffset } from '../core/strategy/rules/rule-duration.js';
import { BET_SIDES, type BetSide, type OneOrMore, type RuleKind } from '../core/strategy/rules/rule-member.js';
import { membersOf, type RulePart, type RuleTable } from '../core/strategy/rules/rule-members.js';
import {
  PHASES,
  type Phase,
  type RulesDraft,
  SIZING_METHODS,
  type SizingMethod,
} from '../core/strategy/rules/rules.js';
import { type Decimal, flag, knownWord, micro, onlyMembers, refuse, shownBriefly, text } from './input.js';

type Reader = (member: string, value: unknown) => unknown;

const words: Reader = (member, value) => text(member, value as string);
const yesOrNo: Reader = (member, value) => flag(member, value as boolean);
const wordOf =
  (known: readonly string[]): Reader =>
  (member, value) =>
    knownWord(member, value as string, known);
const amount =
  (holds: (micro: bigint) => boolean, what: string): Reader =>
  (member, value) =>
    micro(member, value as Decimal, [holds, what]);
const odds = amount((read) => read > ONE, 'decimal odds greater than 1, such as 1.5');
const decimal = amount(() => true, 'a decimal');
const belowOne = amount((read) => read < ONE, '0 or more, and below 1');
const between = amount((read) => read > 0n && read < ONE, 'greater than 0 and less than 1');
const positive = amount((read) => read > 0n, 'greater than 0');

const time =
  (read: (text: string) => number | undefined): Reader =>
  (member, value) => {
    const ms = typeof value === 'string' ? read(value) : undefined;
    if (ms !== undefined) return ms;
    throw refuse(member, `must be a whole number and s, m, h or d, such as '15m'; got ${shownBriefly(value)}`);
  };
const duration = time(readDuration);

/** The core says which numbers it takes. */
const count: Reader = (member, value) => {
  if (typeof value === 'number') return value;
  throw refuse(member, `must be a whole number; got ${shownBriefly(value)}`);
};

const nullable =
  (read: Reader): Reader =>
  (member, value) =>
    value === null ? null : read(member, value);

const listOf =
  (read: Reader): Reader =>
  (member, value) => {
    if (!Array.isArray(value)) throw refuse(member, `must be an array; got ${shownBriefly(value)}`);
    return value.map((one, i) => read(`${member}.${i}`, one));
  };
const oneOrMore =
  (read: Reader): Reader =>
  (member, value) =>
    Array.isArray(value) ? listOf(read)(member, value) : read(member, value);

/** Each member that is there; a time is read into a member of milliseconds. */
const members =
  (shape: Readonly<Record<string, Reader>>, times: readonly string[] = []): Reader =>
  (path, value) => {
    if (value === null || typeof value !== 'object')
      throw refuse(path, `must be an object; got ${shownBriefly(value)}`);
    onlyMembers(value, Object.keys(shape));
    const said = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(
      said.map(([name, member]) => [
        times.includes(name) ? `${name}Ms` : name,
        shape[name]?.(`${path}.${name}`, member),
      ]),
    );
  };

const oneMember =
  (shape: Readonly<Record<string, Reader>>): Reader =>
  (path, value) => {
    const read = members(shape)(path, value) as object;
    if (Object.keys(read).length === 1) return read;
    throw refuse(path, `must have one of ${Object.keys(shape).join(', ')}`);
  };

const outcome = oneMember({
  label: words,
  role: wordOf(OUTCOME_ROLES),
  index: (member, value) => {
    if (value === 0 || value === 1) return value;
    throw refuse(member, `must be 0 or 1; got ${shownBriefly(value)}`);
  },
  favouriteRank: count,
});

const signal: Reader = (path, value) => {
  const { name, required = true } = members({ name: words, required: yesOrNo })(path, value) as Record<string, unknown>;
  if (typeof name === 'string' && SIGNAL_NAME.test(name)) return { name, required };
  throw refuse(`${path}.name`, `must be ${SIGNAL_NAME_WORDS}; got ${shownBriefly(name)}`);
};

const READ: Readonly<Record<RuleKind, Reader>> = {
  name: words,
  names: oneOrMore(words),
  texts: listOf(words),
  marketKinds: oneOrMore(wordOf(MARKET_KINDS)),
  side: wordOf(BET_SIDES),
  timeInForce: wordOf(TIMES_IN_FORCE),
  odds,
  fraction: decimal,
  usdc: decimal,
  gap: belowOne,
  count,
  duration,
  offset: time(readOffset),
  profit: oneMember({ price: between, gain: positive }),
  loss: oneMember({ price: between, loss: between }),
};

/** A part of rules whose members are in a table of the core: times are written without the unit that the core has in their names. */
function partOf(part: RulePart): Reader {
  const table = membersOf(part).map(([name, { kind, orNull }]) => {
    const read = READ[kind];
    return {
      name: name.replace(/Ms$/, ''),
      isTime: name.endsWith('Ms'),
      read: orNull === true ? nullable(read) : read,
    };
  });
  const times = table.flatMap(({ name, isTime }) => (isTime ? [name] : []));
  return members(Object.fromEntries(table.map(({ name, read }) => [name, read])), times);
}

const PARTS: Readonly<Record<string, Reader>> = {
  match: partOf('match'),
  filter: partOf('filter'),
  sizing: members({ method: wordOf(SIZING_METHODS), value: decimal, referenceEdge: positive }),
  outcome: (path, value) => (value === 'each' ? value : outcome(path, value)),
  window: partOf('window'),
  phase: wordOf(PHASES),
  limits: partOf('limits'),
  order: partOf('order'),
  exit: partOf('exit'),
  signal,
};

/** The rules that a program asks for. @throws InputInvalid */
export function rulesOf({ match = {}, filter = {}, sizing, ...others }: RulesRequest): RulesDraft {
  const { method, value, ...more } = sizing;
  return members(PARTS)('rules', {
    match,
    filter,
    sizing: { method: method ?? null, value: value ?? null, ...more },
    ...others,
  }) as RulesDraft;
}

/** A whole number of seconds, minutes, hours or days: `30s`, `15m`, `12h` or `90d`. */
export type RuleDuration = `${number}${'s' | 'm' | 'h' | 'd'}`;

/** What a program writes for each kind of member. */
export interface RuleInputs extends Readonly<Record<RuleKind, unknown>> {
  readonly name: string;
  readonly names: OneOrMore<string>;
  readonly texts: readonly string[];
  readonly marketKinds: OneOrMore<MarketKind>;
  readonly side: BetSide;
  readonly timeInForce: TimeInForce;
  /** Decimal odds, above 1. */
  readonly odds: Decimal;
  readonly fraction: Decimal;
  /** Dollars. */
  readonly usdc: Decimal;
  readonly gap: Decimal;
  readonly count: number;
  readonly duration: RuleDuration;
  /** `-24h` is a day before the start of the game. */
  readonly offset: RuleDuration;
  readonly profit: { readonly price: Decimal } | { readonly gain: Decimal };
  readonly loss: { readonly price: Decimal } | { readonly loss: Decimal };
}

/** The name of a member in the library: a time has no unit in its name. */
export type NameWithoutUnit<Name> = Name extends `${infer Base}Ms` ? Base : Name;
/** What a program writes for a member. */
export type RuleInput<Member> =
  | (Member extends { readonly kind: infer Kind extends RuleKind } ? RuleInputs[Kind] : never)
  | (Member extends { readonly orNull: true } ? null : never);

/** A part of rules as a program writes it. */
export type RulesPart<Part extends RulePart> = {
  readonly [Name in keyof RuleTable[Part] as NameWithoutUnit<Name>]?: RuleInput<RuleTable[Part][Name]>;
};

/** Rules as a program writes them: an absent member does not restrict, and null loosens a default. */
export interface RulesRequest {
  readonly match?: RulesPart<'match'>;
  readonly filter?: RulesPart<'filter'>;
  /** `fixed_fraction`, `kelly` and `edge_proportional` take a fraction from 0 to 1, the others take dollars. */
  readonly sizing: { readonly method: SizingMethod; readonly value: Decimal; readonly referenceEdge?: Decimal };
  /** What to bet on; required unless `automation` is `off`. */
  readonly outcome?:
    | 'each'
    | { readonly label: string }
    | { readonly role: OutcomeRole }
    | { readonly index: 0 | 1 }
    | { readonly favouriteRank: number };
  readonly window?: RulesPart<'window'>;
  readonly phase?: Phase;
  readonly limits?: RulesPart<'limits'>;
  readonly order?: RulesPart<'order'>;
  /** A gain or a loss is a share of the cost. */
  readonly exit?: RulesPart<'exit'>;
  readonly signal?: { readonly name: string; readonly required?: boolean };
}
