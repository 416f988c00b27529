import * as v from 'valibot';
import { MARKET_KINDS, OUTCOME_ROLES, TIMES_IN_FORCE } from '../../core/market/market.js';
import { formatMicro, type Price, type Usdc } from '../../core/money.js';
import { SIGNAL_NAME, SIGNAL_NAME_WORDS } from '../../core/signal/signal.js';
import type { Warning } from '../../core/strategy/explain/warning.js';
import { BET_SIDES, type RuleKind, type RuleValues } from '../../core/strategy/rules/rule-member.js';
import { membersOf, type RulePart } from '../../core/strategy/rules/rule-members.js';
import {
  type AskedIn,
  type OutcomeChoice,
  PHASES,
  type RulesDraft,
  SIZING_METHODS,
} from '../../core/strategy/rules/rules.js';
import { MOST_BETS } from '../../core/strategy/rules/rules-check.js';
import { AUTOMATIONS } from '../../core/strategy/rules/trading-rules.js';
import type { Strategy, StrategyDraft, StrategyPatch } from '../../core/strategy/strategy.js';
import { JsonNumber } from './json-reader.js';
import { named } from './present.js';
import { presentRules, showsAutomation } from './present-rules.js';
import { RULE } from './rule-meanings.js';
import * as rule from './rule-schemas.js';
import { ruleWord } from './rule-schemas.js';
import { rulesOut } from './rules-out.js';
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
} from './schema.js';
import { warningOut } from './warning-wire.js';

/** Numbers arrive with their digits. */
const isOne = (value: unknown) => value instanceof JsonNumber && value.text === '1';
const name = textOfLength(1, 80);
const words = textOfLength(1, 128);
const ODDS = 'Above 1, with at most 6 decimals.';
const price = means(rule.between<Price>(), RULE.price);
const gain = means(rule.positive(), RULE.gain);
const loss = means(rule.between(), RULE.loss);

/** Each kind of member as it comes in. */
const IN: { readonly [Kind in RuleKind]: v.GenericSchema<unknown, RuleValues[Kind]> } = {
  name,
  names: rule.oneOrMore(name),
  texts: rule.listOf(words),
  marketKinds: rule.oneOrMore(ruleWord(MARKET_KINDS)),
  side: ruleWord(BET_SIDES),
  timeInForce: ruleWord(TIMES_IN_FORCE),
  odds: rule.odds,
  fraction: rule.notNegative(),
  usdc: rule.notNegative<Usdc>(),
  gap: rule.belowOne<Price>(),
  count: rule.wholeFrom(1, MOST_BETS),
  duration: rule.duration,
  offset: rule.offset,
  profit: rule.oneMember([members({ price }), members({ gain })]),
  loss: rule.oneMember([members({ price }), members({ loss })]),
};

/** A part of rules whose members are in a table of the core. */
function partOf(part: RulePart) {
  const entries = membersOf(part).map(([, { kind, shown, meaning, orNull }]) => {
    const schema: v.GenericSchema = orNull === true ? v.nullable(IN[kind]) : IN[kind];
    return [shown, v.optional(means(schema, kind === 'odds' ? `${meaning} ${ODDS}` : meaning))] as const;
  });
  return members(Object.fromEntries(entries));
}

const sizing = members({
  method: means(rule.ruleWord(SIZING_METHODS), RULE.method),
  value: means(rule.notNegative(), `${RULE.value} 0 or more, with at most 6 decimals.`),
  reference_edge: v.optional(means(rule.positive(), RULE.referenceEdge)),
});

const outcome = rule.wordOrMember('each', [
  members({ label: means(words, RULE.label) }),
  members({ role: means(rule.ruleWord(OUTCOME_ROLES), RULE.role) }),
  members({ index: means(rule.wholeFrom(0, 1), RULE.index) }),
  members({ favourite_rank: means(rule.wholeFrom(1, MOST_BETS), RULE.favouriteRank) }),
]);

const signal = members({
  name: means(
    v.pipe(v.string('must be a string'), v.regex(SIGNAL_NAME, `must be ${SIGNAL_NAME_WORDS}`)),
    RULE.signalName,
  ),
  required: v.optional(means(v.boolean(), RULE.required), true),
});

/** The rule set as a client writes it. */
const rulesV1 = members({
  version: v.optional(means(describe(v.custom<1>(isOne, 'must be 1'), { const: 1 }), RULE.version)),
  match: v.optional(partOf('match')),
  filter: v.optional(partOf('filter')),
  sizing,
  outcome: v.optional(means(outcome, RULE.outcome)),
  window: v.optional(means(partOf('window'), RULE.window)),
  phase: v.optional(means(rule.ruleWord(PHASES), RULE.phase)),
  limits: v.optional(means(partOf('limits'), RULE.limits)),
  order: v.optional(means(partOf('order'), RULE.order)),
  exit: v.optional(means(partOf('exit'), RULE.exit)),
  signal: v.optional(means(signal, RULE.signal)),
});

type Body = v.InferOutput<typeof rulesV1>;
type Part<Name extends keyof Body> = Exclude<Body[Name], undefined>;

/** The rules in a body. */
function rulesDraftOf({ match = {}, filter = {}, sizing: sized, ...others }: Body): RulesDraft {
  const { outcome: bet, window, phase, limits, order, exit, signal: source } = others;
  const { method, value, reference_edge: referenceEdge } = sized;
  return {
    match: askedIn('match', match),
    filter: askedIn('filter', filter),
    sizing: { method, value, ...named({ referenceEdge }) },
    ...named({
      outcome: bet && outcomeOf(bet),
      window: window && askedIn('window', window),
      phase,
      limits: limits && askedIn('limits', limits),
      order: order && askedIn('order', order),
      exit: exit && askedIn('exit', exit),
      signal: source,
    }),
  };
}

/** A part of rules by the names of the core. */
function askedIn<Part extends RulePart>(part: Part, given: Readonly<Record<string, unknown>>): AskedIn<Part> {
  const asked = membersOf(part).map(([name, { shown }]) => [name, given[shown]] as const);
  return Object.fromEntries(asked.filter(([, value]) => value !== undefined)) as AskedIn<Part>;
}

function outcomeOf(given: Part<'outcome'>): OutcomeChoice {
  if (given === 'each') return given;
  if ('index' in given) return { index: given.index === 0 ? 0 : 1 };
  return 'favourite_rank' in given ? { favouriteRank: given.favourite_rank } : given;
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
  version: means(v.number(), '1 at creation, one more with every change.', 1),
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
