import * as v from 'valibot';
import { MARKET_KINDS, OUTCOME_ROLES, TIMES_IN_FORCE } from '../../core/market/market.js';
import {
  AMOUNT_KINDS,
  BET_SIDES,
  type MemberOf,
  membersWithin,
  type ObjectKind,
  type ObjectOf,
  type ObjectTable,
  type OneOf,
  PHASES,
  type PlainKind,
  type RuleKind,
  SIZING_METHODS,
} from '../../core/strategy/rules/rule-member.js';
import { membersOf, RULES, type RulePart, type RuleTable } from '../../core/strategy/rules/rule-members.js';
import { means, wholeOut } from './schema.js';

/** What the version of rules means, in requests and answers. */
export const RULES_VERSION = 'The version of the format of the rules.';

const oneOrMore = <T>(one: v.GenericSchema<T>) => v.union([one, v.array(one)]);

/** Each kind of member that is not an object, as answers show it. */
const PLAIN = {
  name: v.string(),
  names: oneOrMore(v.string()),
  text: v.string(),
  texts: v.array(v.string()),
  marketKinds: oneOrMore(v.picklist(MARKET_KINDS)),
  side: v.picklist(BET_SIDES),
  timeInForce: v.picklist(TIMES_IN_FORCE),
  method: v.picklist(SIZING_METHODS),
  phase: v.picklist(PHASES),
  role: v.picklist(OUTCOME_ROLES),
  signalName: v.string(),
  flag: v.boolean(),
  odds: v.number(),
  fraction: v.number(),
  positive: v.number(),
  share: v.number(),
  usdc: v.number(),
  stake: v.number(),
  price: v.number(),
  gap: v.number(),
  count: wholeOut,
  index: wholeOut,
  duration: v.string(),
  offset: v.string(),
} as const satisfies Readonly<Record<PlainKind, v.GenericSchema>>;

/** The value of each kind of member that is not an object, in answers. */
export type PlainShown = { readonly [Kind in PlainKind]: v.InferOutput<(typeof PLAIN)[Kind]> };
/** The members of a table by their names in answers. */
export type ShownTable<Table> = {
  [Name in keyof Table as Table[Name] extends { readonly shown: infer Shown extends string }
    ? Shown
    : never]: Table[Name];
};
/** The value of each kind of member in answers. */
export interface ShownValues extends PlainShown {
  readonly profit: OneOf<ShownTable<ObjectTable['profit']>, PlainShown>;
  readonly loss: OneOf<ShownTable<ObjectTable['loss']>, PlainShown>;
  readonly outcome: 'each' | OneOf<ShownTable<ObjectTable['outcome']>, PlainShown>;
  readonly sizing: ObjectOf<ShownTable<ObjectTable['sizing']>, PlainShown>;
  readonly signal: ObjectOf<ShownTable<ObjectTable['signal']>, PlainShown>;
}

/** A kind of number in answers. */
const isNumber = (kind: RuleKind): boolean => kind === 'count' || AMOUNT_KINDS.includes(kind);

/** A member with its meaning and its example. */
function meant(schema: v.GenericSchema, { kind, meaning, example, always }: MemberOf<RuleKind>): v.GenericSchema {
  const said = means(schema, meaning, example !== undefined && isNumber(kind) ? Number(example) : example);
  return always === true ? said : v.optional(said);
}

/** Objects of one member, one for each member of the kind. */
const oneOf = (kind: ObjectKind) =>
  membersWithin(kind).map(([, member]) => v.object({ [member.shown]: means(PLAIN[member.kind], member.meaning) }));

const objectOf = (kind: ObjectKind) =>
  v.object(
    Object.fromEntries(membersWithin(kind).map(([, member]) => [member.shown, meant(PLAIN[member.kind], member)])),
  );

/** Each kind of member as answers show it. */
const OUT = {
  ...PLAIN,
  profit: v.union(oneOf('profit')),
  loss: v.union(oneOf('loss')),
  outcome: v.union([v.literal('each'), ...oneOf('outcome')]),
  sizing: objectOf('sizing'),
  signal: objectOf('signal'),
} as { readonly [Kind in RuleKind]: v.GenericSchema } as {
  readonly [Kind in RuleKind]: v.GenericSchema<ShownValues[Kind]>;
};

/** A part of rules as answers show it. */
export type ShownPart<Part extends RulePart> = ObjectOf<ShownTable<RuleTable[Part]>, ShownValues>;

function shownPart<Part extends RulePart>(part: Part): v.GenericSchema<ShownPart<Part>> {
  const entries = membersOf(part).map(([, member]) => {
    const schema: v.GenericSchema = OUT[member.kind];
    return [member.shown, meant(member.orNull === true ? v.nullable(schema) : schema, member)];
  });
  return v.object(Object.fromEntries(entries)) as v.GenericSchema as v.GenericSchema<ShownPart<Part>>;
}

const maybe = <Schema extends v.GenericSchema>(schema: Schema, { meaning }: { readonly meaning: string }) =>
  v.optional(means(schema, meaning));

/** Rules as every answer shows them; members after `sizing` only where they, or automation, were asked for. */
export const rulesOut = v.object({
  version: means(v.literal(1), RULES_VERSION),
  match: shownPart('match'),
  filter: shownPart('filter'),
  sizing: OUT.sizing,
  outcome: maybe(OUT.outcome, RULES.outcome),
  window: maybe(shownPart('window'), RULES.window),
  phase: maybe(OUT.phase, RULES.phase),
  limits: maybe(shownPart('limits'), RULES.limits),
  order: maybe(shownPart('order'), RULES.order),
  exit: maybe(shownPart('exit'), RULES.exit),
  signal: maybe(OUT.signal, RULES.signal),
});
