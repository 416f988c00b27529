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
import {
  BET_SIDES,
  type BetSide,
  membersWithin,
  type ObjectKind,
  type ObjectOf,
  type ObjectTable,
  type OneOf,
  type OneOrMore,
  PHASES,
  type Phase,
  type PlainKind,
  type RuleKind,
  SIZING_METHODS,
  type SizingMethod,
  type ValueOf,
} from '../core/strategy/rules/rule-member.js';
import { membersOf, RULES_ENTRIES, type RulePart, type RuleTable } from '../core/strategy/rules/rule-members.js';
import type { RulesDraft } from '../core/strategy/rules/rules.js';
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
const decimal = amount(() => true, 'a decimal');
const between = amount((read) => read > 0n && read < ONE, 'greater than 0 and less than 1');

const time =
  (read: (text: string) => number | undefined): Reader =>
  (member, value) => {
    const ms = typeof value === 'string' ? read(value) : undefined;
    if (ms !== undefined) return ms;
    throw refuse(member, `must be a whole number and s, m, h or d, such as '15m'; got ${shownBriefly(value)}`);
  };

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

const index: Reader = (member, value) => {
  if (value === 0 || value === 1) return value;
  throw refuse(member, `must be 0 or 1; got ${shownBriefly(value)}`);
};

const signalName: Reader = (member, value) => {
  const name = value === null ? undefined : words(member, value);
  if (typeof name === 'string' && SIGNAL_NAME.test(name)) return name;
  throw refuse(member, `must be ${SIGNAL_NAME_WORDS}; got ${shownBriefly(name)}`);
};

/** Each kind of member that is not an object. */
const PLAIN: Readonly<Record<PlainKind, Reader>> = {
  name: words,
  names: oneOrMore(words),
  text: words,
  texts: listOf(words),
  marketKinds: oneOrMore(wordOf(MARKET_KINDS)),
  side: wordOf(BET_SIDES),
  timeInForce: wordOf(TIMES_IN_FORCE),
  method: wordOf(SIZING_METHODS),
  phase: wordOf(PHASES),
  role: wordOf(OUTCOME_ROLES),
  signalName,
  flag: yesOrNo,
  odds: amount((read) => read > ONE, 'decimal odds greater than 1, such as 1.5'),
  fraction: decimal,
  positive: amount((read) => read > 0n, 'greater than 0'),
  share: between,
  usdc: decimal,
  stake: decimal,
  price: between,
  gap: amount((read) => read < ONE, '0 or more, and below 1'),
  count,
  index,
  duration: time(readDuration),
  offset: time(readOffset),
};

/** Each member that is there, or `absent` for one that is not; a time is read into a member of milliseconds. */
const members =
  (shape: Readonly<Record<string, Reader>>, times: readonly string[] = [], absent: object = {}): Reader =>
  (path, value) => {
    if (value === null || typeof value !== 'object')
      throw refuse(path, `must be an object; got ${shownBriefly(value)}`);
    onlyMembers(value, Object.keys(shape));
    const named = Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
    return Object.fromEntries(
      Object.entries({ ...absent, ...named }).map(([name, member]) => [
        times.includes(name) ? `${name}Ms` : name,
        shape[name]?.(`${path}.${name}`, member),
      ]),
    );
  };

/** The readers of the members of an object within rules. */
const within = (kind: ObjectKind): Readonly<Record<string, Reader>> =>
  Object.fromEntries(membersWithin(kind).map(([name, member]) => [name, PLAIN[member.kind]]));

function oneOf(kind: ObjectKind): Reader {
  const shape = within(kind);
  return (path, value) => {
    const read = members(shape)(path, value) as object;
    if (Object.keys(read).length === 1) return read;
    throw refuse(path, `must have one of ${Object.keys(shape).join(', ')}`);
  };
}

/** An object in which a required member that is absent is read as null, and refused. */
function objectOf(kind: ObjectKind): Reader {
  const absent = membersWithin(kind).flatMap(([name, { isRequired, default: fallback = null }]) =>
    isRequired === true || fallback !== null ? [[name, fallback] as const] : [],
  );
  return members(within(kind), [], Object.fromEntries(absent));
}

const oneOutcome = oneOf('outcome');

const READ: Readonly<Record<RuleKind, Reader>> = {
  ...PLAIN,
  profit: oneOf('profit'),
  loss: oneOf('loss'),
  outcome: (path, value) => (value === 'each' ? value : oneOutcome(path, value)),
  sizing: objectOf('sizing'),
  signal: objectOf('signal'),
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

const rulesIn = members(
  Object.fromEntries(
    RULES_ENTRIES.map(([name, { kind }]) => [name, kind === undefined ? partOf(name as RulePart) : READ[kind]]),
  ),
);

/** The rules that a program asks for. @throws InputInvalid */
export function rulesOf({ match = {}, filter = {}, sizing, ...others }: RulesRequest): RulesDraft {
  return rulesIn('rules', { match, filter, sizing, ...others }) as RulesDraft;
}

/** A whole number of seconds, minutes, hours or days: `30s`, `15m`, `12h` or `90d`. */
export type RuleDuration = `${number}${'s' | 'm' | 'h' | 'd'}`;

/** What a program writes for each kind of member that is not an object. */
export interface PlainInputs extends Readonly<Record<PlainKind, unknown>> {
  readonly name: string;
  readonly names: OneOrMore<string>;
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
  /** Decimal odds, above 1. */
  readonly odds: Decimal;
  readonly fraction: Decimal;
  readonly positive: Decimal;
  readonly share: Decimal;
  /** Dollars. */
  readonly usdc: Decimal;
  /** A fraction from 0 to 1 for `fixed_fraction`, `kelly` and `edge_proportional`, dollars for the other methods. */
  readonly stake: Decimal;
  readonly price: Decimal;
  readonly gap: Decimal;
  readonly count: number;
  readonly index: 0 | 1;
  readonly duration: RuleDuration;
  /** `-24h` is a day before the start of the game. */
  readonly offset: RuleDuration;
}

/** A member that a program must name. */
export type RequiredMember = { readonly isRequired: true };

/** What a program writes for each kind of member. */
export interface RuleInputs extends PlainInputs {
  readonly profit: OneOf<ObjectTable['profit'], PlainInputs>;
  readonly loss: OneOf<ObjectTable['loss'], PlainInputs>;
  readonly outcome: 'each' | OneOf<ObjectTable['outcome'], PlainInputs>;
  readonly sizing: ObjectOf<ObjectTable['sizing'], PlainInputs, RequiredMember>;
  readonly signal: ObjectOf<ObjectTable['signal'], PlainInputs, RequiredMember>;
}

/** The name of a member in the library: a time has no unit in its name. */
export type NameWithoutUnit<Name> = Name extends `${infer Base}Ms` ? Base : Name;
/** A part of rules as a program writes it. */
export type RulesPart<Part extends RulePart> = {
  readonly [Name in keyof RuleTable[Part] as NameWithoutUnit<Name>]?: ValueOf<RuleTable[Part][Name], RuleInputs>;
};

/** Rules as a program writes them: an absent member does not restrict, and null loosens a default. */
export interface RulesRequest {
  readonly match?: RulesPart<'match'>;
  readonly filter?: RulesPart<'filter'>;
  /** `fixed_fraction`, `kelly` and `edge_proportional` take a fraction from 0 to 1, the others take dollars. */
  readonly sizing: RuleInputs['sizing'];
  /** What to bet on; required unless `automation` is `off`. */
  readonly outcome?: RuleInputs['outcome'];
  readonly window?: RulesPart<'window'>;
  readonly phase?: Phase;
  readonly limits?: RulesPart<'limits'>;
  readonly order?: RulesPart<'order'>;
  /** A gain or a loss is a share of the cost. */
  readonly exit?: RulesPart<'exit'>;
  readonly signal?: RuleInputs['signal'];
}
