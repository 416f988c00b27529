import * as v from 'valibot';
import { MARKET_KINDS, OUTCOME_ROLES, TIMES_IN_FORCE } from '../../core/market/market.js';
import { BET_SIDES, type RuleKind } from '../../core/strategy/rules/rule-member.js';
import { membersOf, type RulePart, type RuleTable } from '../../core/strategy/rules/rule-members.js';
import { PHASES, SIZING_METHODS } from '../../core/strategy/rules/rules.js';
import { RULE } from './rule-meanings.js';
import { means } from './schema.js';

const oneOrMore = <T>(one: v.GenericSchema<T>) => v.union([one, v.array(one)]);
const maybe = <Schema extends v.GenericSchema>(schema: Schema, words: string, example?: string | number) =>
  v.optional(means(schema, words, example));
const price = v.object({ price: means(v.number(), RULE.price) });

/** Each kind of member as answers show it. */
const OUT = {
  name: v.string(),
  names: oneOrMore(v.string()),
  texts: v.array(v.string()),
  marketKinds: oneOrMore(v.picklist(MARKET_KINDS)),
  side: v.picklist(BET_SIDES),
  timeInForce: v.picklist(TIMES_IN_FORCE),
  odds: v.number(),
  fraction: v.number(),
  usdc: v.number(),
  gap: v.number(),
  count: v.number(),
  duration: v.string(),
  offset: v.string(),
  profit: v.union([price, v.object({ gain: means(v.number(), RULE.gain) })]),
  loss: v.union([price, v.object({ loss: means(v.number(), RULE.loss) })]),
} as const satisfies Readonly<Record<RuleKind, v.GenericSchema>>;

/** Kinds that are numbers in answers. */
const NUMBERS: readonly RuleKind[] = ['odds', 'fraction', 'usdc', 'gap', 'count'];

/** A member that every answer has. */
export type AlwaysShown = { readonly always: true };
/** The value of a member in an answer. */
export type ShownValue<Member> =
  | (Member extends { readonly kind: infer Kind extends RuleKind } ? v.InferOutput<(typeof OUT)[Kind]> : never)
  | (Member extends { readonly orNull: true } ? null : never);
/** The name of a member in an answer. */
export type ShownName<Member> = Member extends { readonly shown: infer Name extends string } ? Name : never;
/** Members as answers show them. */
export type ShownMembers<Members> = {
  [Name in keyof Members as Members[Name] extends AlwaysShown ? ShownName<Members[Name]> : never]: ShownValue<
    Members[Name]
  >;
} & {
  [Name in keyof Members as Members[Name] extends AlwaysShown ? never : ShownName<Members[Name]>]?: ShownValue<
    Members[Name]
  >;
};

/** A part of rules as answers show it. */
export type ShownPart<Part extends RulePart> = ShownMembers<RuleTable[Part]>;

function shownPart<Part extends RulePart>(part: Part): v.GenericSchema<ShownPart<Part>> {
  const entries = membersOf(part).map(([, { kind, shown, meaning, example: written, orNull, always }]) => {
    const example = written !== undefined && NUMBERS.includes(kind) ? Number(written) : written;
    const schema: v.GenericSchema = orNull === true ? v.nullable(OUT[kind]) : OUT[kind];
    return [shown, always === true ? means(schema, meaning, example) : maybe(schema, meaning, example)];
  });
  return v.object(Object.fromEntries(entries)) as v.GenericSchema as v.GenericSchema<ShownPart<Part>>;
}

/** Rules as every answer shows them; members after `sizing` only where they, or automation, were asked for. */
export const rulesOut = v.object({
  version: means(v.literal(1), RULE.version),
  match: shownPart('match'),
  filter: shownPart('filter'),
  sizing: v.object({
    method: means(v.picklist(SIZING_METHODS), RULE.method),
    value: means(v.number(), RULE.value, 0.02),
    reference_edge: maybe(v.number(), RULE.referenceEdge, 0.1),
  }),
  outcome: maybe(
    v.union([
      v.literal('each'),
      v.object({ label: means(v.string(), RULE.label) }),
      v.object({ role: means(v.picklist(OUTCOME_ROLES), RULE.role) }),
      v.object({ index: means(v.number(), RULE.index) }),
      v.object({ favourite_rank: means(v.number(), RULE.favouriteRank) }),
    ]),
    RULE.outcome,
  ),
  window: maybe(shownPart('window'), RULE.window),
  phase: maybe(v.picklist(PHASES), RULE.phase),
  limits: maybe(shownPart('limits'), RULE.limits),
  order: maybe(shownPart('order'), RULE.order),
  exit: maybe(shownPart('exit'), RULE.exit),
  signal: maybe(
    v.object({
      name: means(v.string(), RULE.signalName, 'my-model'),
      required: means(v.boolean(), RULE.required),
    }),
    RULE.signal,
  ),
});
