import * as v from 'valibot';
import { MARKET_KINDS, OUTCOME_ROLES, TIMES_IN_FORCE } from '../../core/market/market.js';
import { formatMicro, type Price, type Usdc } from '../../core/money.js';
import { SIGNAL_NAME, SIGNAL_NAME_WORDS } from '../../core/signal/signal.js';
import type { Warning } from '../../core/strategy/explain/warning.js';
import {
  BET_SIDES,
  type MemberOf,
  membersWithin,
  OBJECTS,
  type ObjectKind,
  PHASES,
  type PlainKind,
  type PlainValues,
  type RuleKind,
  SIZING_METHODS,
} from '../../core/strategy/rules/rule-member.js';
import { membersOf, RULES_ENTRIES, type RulePart } from '../../core/strategy/rules/rule-members.js';
import type { RulesDraft } from '../../core/strategy/rules/rules.js';
import { MOST_BETS } from '../../core/strategy/rules/rules-check.js';
import { AUTOMATIONS } from '../../core/strategy/rules/trading-rules.js';
import type { Strategy, StrategyDraft, StrategyPatch } from '../../core/strategy/strategy.js';
import { JsonNumber } from './json-reader.js';
import { named } from './present.js';
import { presentRules, showsAutomation } from './present-rules.js';
import * as rule from './rule-schemas.js';
import { ruleWord } from './rule-schemas.js';
import { RULES_VERSION, rulesOut } from './rules-out.js';
import {
  amount,
  booleanText,
  decimalOut,
  describe,
  means,
  members,
  momentOut,
  POSITIVE,
  textOfLength,
  uuidOut,
  wholeOut,
} from './schema.js';
import { warningOut } from './warning-wire.js';

/** Numbers arrive with their digits. */
const isOne = (value: unknown) => value instanceof JsonNumber && value.text === '1';
const name = textOfLength(1, 80);
const text = textOfLength(1, 128);

/** Each kind of member that is not an object, as it comes in. */
const PLAIN: { readonly [Kind in PlainKind]: v.GenericSchema<unknown, PlainValues[Kind]> } = {
  name,
  names: rule.oneOrMore(name),
  text,
  texts: rule.listOf(text),
  marketKinds: rule.oneOrMore(ruleWord(MARKET_KINDS)),
  side: ruleWord(BET_SIDES),
  timeInForce: ruleWord(TIMES_IN_FORCE),
  method: ruleWord(SIZING_METHODS),
  phase: ruleWord(PHASES),
  role: ruleWord(OUTCOME_ROLES),
  signalName: v.pipe(v.string('must be a string'), v.regex(SIGNAL_NAME, `must be ${SIGNAL_NAME_WORDS}`)),
  flag: v.boolean(),
  odds: rule.odds,
  fraction: rule.notNegative(),
  positive: rule.positive(),
  share: rule.between(),
  usdc: rule.notNegative<Usdc>(),
  stake: rule.notNegative(),
  price: rule.between<Price>(),
  gap: rule.belowOne<Price>(),
  count: rule.wholeFrom(1, MOST_BETS),
  index: rule.wholeFrom(0, 1) as v.GenericSchema<unknown, 0 | 1>,
  duration: rule.duration,
  offset: rule.offset,
};

/** What requests say of a kind beside the meaning of a member. */
const BOUNDS: { readonly [Kind in RuleKind]?: string } = {
  odds: ' Above 1, with at most 6 decimals.',
  stake: ' 0 or more, with at most 6 decimals.',
};

const meant = (schema: v.GenericSchema, { kind, meaning }: MemberOf<RuleKind>) =>
  means(schema, `${meaning}${BOUNDS[kind] ?? ''}`);

/** Objects of one member, one for each member of the kind. */
const oneOf = (kind: ObjectKind) =>
  membersWithin(kind).map(([, member]) => members({ [member.shown]: meant(PLAIN[member.kind], member) }));

function objectOf(kind: ObjectKind) {
  const entries = membersWithin(kind).map(([, member]) => {
    const schema = meant(PLAIN[member.kind], member);
    return [member.shown, member.isRequired === true ? schema : v.optional(schema, member.default)] as const;
  });
  return members(Object.fromEntries(entries));
}

/** Each kind of member as it comes in. */
const IN: Readonly<Record<RuleKind, v.GenericSchema>> = {
  ...PLAIN,
  profit: rule.oneMember(oneOf('profit')),
  loss: rule.oneMember(oneOf('loss')),
  outcome: rule.wordOrMember('each', oneOf('outcome')),
  sizing: objectOf('sizing'),
  signal: objectOf('signal'),
};

/** A part of rules whose members are in a table of the core. */
function partOf(part: RulePart) {
  const entries = membersOf(part).map(([, member]) => {
    const schema = IN[member.kind];
    return [member.shown, v.optional(meant(member.orNull === true ? v.nullable(schema) : schema, member))] as const;
  });
  return members(Object.fromEntries(entries));
}

const ENTRIES = RULES_ENTRIES.map(([name, { kind, meaning, isRequired }]) => {
  const schema: v.GenericSchema = kind === undefined ? partOf(name as RulePart) : IN[kind];
  const said = meaning === undefined ? schema : means(schema, meaning);
  return [name, isRequired === true ? said : v.optional(said)] as const;
});

/** The rule set as a client writes it. */
const rulesV1 = members({
  version: v.optional(means(describe(v.custom<1>(isOne, 'must be 1'), { const: 1 }), RULES_VERSION)),
  ...Object.fromEntries(ENTRIES),
});

type Given = Readonly<Record<string, unknown>>;

/** The rules in a body. */
function rulesDraftOf(body: v.InferOutput<typeof rulesV1>): RulesDraft {
  const given: Given = { match: {}, filter: {}, ...body };
  const asked = RULES_ENTRIES.map(([name, { kind }]) => {
    const value = given[name];
    if (value === undefined) return [name, value];
    return [name, kind === undefined ? askedIn(membersOf(name as RulePart), value as Given) : inCore(kind, value)];
  });
  return Object.fromEntries(asked.filter(([, value]) => value !== undefined)) as RulesDraft;
}

/** A value by the names of the core. */
const inCore = (kind: RuleKind, value: unknown): unknown =>
  kind in OBJECTS && typeof value === 'object' && value !== null
    ? askedIn(membersWithin(kind as ObjectKind), value as Given)
    : value;

/** Members by the names of the core. */
function askedIn(table: readonly (readonly [name: string, member: MemberOf<RuleKind>])[], given: Given): object {
  const asked = table.map(([name, { kind, shown }]) => [name, inCore(kind, given[shown])] as const);
  return Object.fromEntries(asked.filter(([, value]) => value !== undefined));
}

const cap = amount<Usdc>({
  holds: (micro) => micro > 0n,
  words: 'greater than 0',
  json: { exclusiveMinimum: 0 },
  example: 50,
  pattern: POSITIVE,
});
const CAP = 'Greater than 0, with at most 6 decimals.';
/** The meaning of members of requests and answers. */
const ABOUT = {
  name: 'The name of the strategy.',
  sport: 'The sport that the strategy is for.',
  bankrollCap:
    'The most that may be at work at once, in USDC: what working orders may cost, fees included, and what held shares cost.',
  stakeCap: 'The most `size_usdc` of one BUY, in USDC.',
  isPaused: 'True: every order under it is denied. False by default.',
  paperOnly: 'True: no order with real money, regardless of the order. True by default.',
  automation:
    '`auto` trades by its rules, `approve` once a person has approved each bet, `off` not by itself. `off` by default; the others need `rules.outcome`.',
  automationPaper:
    'True: what it orders by itself, or after an approval, is on paper. False needs an API key with the scope `orders:live`, and ends when that key is revoked. True by default.',
};

const flags = {
  is_paused: v.optional(means(v.boolean(), ABOUT.isPaused)),
  paper_only: v.optional(means(v.boolean(), ABOUT.paperOnly)),
  automation: v.optional(means(ruleWord(AUTOMATIONS), ABOUT.automation)),
  automation_paper: v.optional(means(v.boolean(), ABOUT.automationPaper)),
};

/** The body of `POST /v1/strategies`. */
export const createStrategyBody = members({
  name: means(textOfLength(1, 80), ABOUT.name),
  sport: means(textOfLength(1, 80), ABOUT.sport),
  rules: rulesV1,
  bankroll_cap: means(cap, `${ABOUT.bankrollCap} ${CAP}`),
  stake_cap: means(cap, `${ABOUT.stakeCap} ${CAP}`),
  ...flags,
});

/** The body of `PATCH /v1/strategies/{sid}`. */
export const changeStrategyBody = members({
  name: v.optional(means(v.nullable(textOfLength(1, 80)), 'The new name; null or absent keeps the old one.')),
  rules: v.optional(rulesV1),
  bankroll_cap: v.optional(means(cap, `${ABOUT.bankrollCap} ${CAP}`)),
  stake_cap: v.optional(means(cap, `${ABOUT.stakeCap} ${CAP}`)),
  ...flags,
});

/** The query of `GET /v1/strategies`. */
export const strategyFilters = {
  sport: v.optional(means(textOfLength(1, 80), 'Only strategies for this sport.')),
  is_paused: v.optional(means(booleanText, 'Only those that are paused, or that are not.')),
};

/** A strategy as every route returns it. */
export const strategyOut = v.object({
  id: means(uuidOut, 'The id of the strategy.'),
  name: means(v.string(), ABOUT.name),
  sport: means(v.string(), ABOUT.sport, 'soccer'),
  rules: rulesOut,
  bankroll_cap: means(decimalOut, ABOUT.bankrollCap, '1000'),
  stake_cap: means(decimalOut, ABOUT.stakeCap, '50'),
  is_paused: means(v.boolean(), ABOUT.isPaused),
  paper_only: means(v.boolean(), ABOUT.paperOnly),
  created_at: means(momentOut, 'When its first version was made.'),
  updated_at: means(momentOut, 'When this version was made.'),
  version: means(wholeOut, '1 at creation, one more with every change.', 1),
  archived_at: means(v.nullable(momentOut), 'When it was deleted; null if it was not.'),
  automation: v.optional(means(v.picklist(AUTOMATIONS), ABOUT.automation)),
  automation_paper: v.optional(means(v.boolean(), ABOUT.automationPaper)),
  warnings: means(v.array(warningOut), 'What is allowed but probably a mistake; nothing is refused for it.'),
});

/** The draft in a body. */
export function draftOf(body: v.InferOutput<typeof createStrategyBody>): StrategyDraft {
  const { name, sport, rules, bankroll_cap: bankrollCap, stake_cap: stakeCap } = body;
  return { name, sport, rules: rulesDraftOf(rules), bankrollCap, stakeCap, ...flagsOf(body) };
}

/** The change in a body; `name: null` changes nothing. */
export function patchOf(body: v.InferOutput<typeof changeStrategyBody>): StrategyPatch {
  return {
    ...(typeof body.name === 'string' && { name: body.name }),
    ...(body.rules !== undefined && { rules: rulesDraftOf(body.rules) }),
    ...(body.bankroll_cap !== undefined && { bankrollCap: body.bankroll_cap }),
    ...(body.stake_cap !== undefined && { stakeCap: body.stake_cap }),
    ...flagsOf(body),
  };
}

/** The answer for a strategy, with its warnings. */
export function presentStrategy(strategy: Strategy, warnings: readonly Warning[]): v.InferInput<typeof strategyOut> {
  const { id, name, sport, version, automation, automationPaper, archivedAt } = strategy;
  return {
    id,
    name,
    sport,
    rules: presentRules(strategy),
    bankroll_cap: formatMicro(strategy.bankrollCap),
    stake_cap: formatMicro(strategy.stakeCap),
    is_paused: strategy.isPaused,
    paper_only: strategy.paperOnly,
    created_at: strategy.createdAt.toISOString(),
    updated_at: strategy.updatedAt.toISOString(),
    version,
    archived_at: archivedAt?.toISOString() ?? null,
    ...(showsAutomation(strategy) && { automation, automation_paper: automationPaper }),
    warnings: [...warnings],
  };
}

function flagsOf(body: v.InferOutput<typeof changeStrategyBody>) {
  const { is_paused: isPaused, paper_only: paperOnly, automation, automation_paper: automationPaper } = body;
  return named({ isPaused, paperOnly, automation, automationPaper });
}
