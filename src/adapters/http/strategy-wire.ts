import * as v from 'valibot';
import { MARKET_KINDS, OUTCOME_ROLES, TIMES_IN_FORCE } from '../../core/market/market.js';
import { formatMicro, type Price, type Usdc } from '../../core/money.js';
import { SIGNAL_NAME, SIGNAL_NAME_WORDS } from '../../core/signal/signal.js';
import type { Warning } from '../../core/strategy/explain/warning.js';
import { AUTOMATIONS } from '../../core/strategy/rules/automation.js';
import {
  BET_SIDES,
  type BetLimits,
  type ExitRules,
  type OutcomeChoice,
  PHASES,
  type RulesDraft,
  SIZING_METHODS,
} from '../../core/strategy/rules/rules.js';
import { MOST_BETS } from '../../core/strategy/rules/rules-check.js';
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
const count = v.nullable(rule.wholeFrom(1, MOST_BETS));
const usdc = v.nullable(rule.notNegative<Usdc>());
const difference = v.nullable(rule.belowOne<Price>());
const ODDS = 'Above 1, with at most 6 decimals.';

const match = members({
  sport: v.optional(means(name, RULE.sport)),
  market: v.optional(means(rule.oneOrMore(rule.ruleWord(MARKET_KINDS)), RULE.market)),
  league: v.optional(means(rule.oneOrMore(name), RULE.league)),
  events: v.optional(means(rule.listOf(words), RULE.events)),
  text: v.optional(means(name, RULE.text)),
});

const filter = members({
  min_odds: v.optional(means(rule.odds, `${RULE.minOdds} ${ODDS}`)),
  max_odds: v.optional(means(rule.odds, `${RULE.maxOdds} ${ODDS}`)),
  side: v.optional(means(rule.ruleWord(BET_SIDES), RULE.side)),
  min_edge: v.optional(means(v.nullable(rule.notNegative()), RULE.minEdge)),
  max_spread: v.optional(means(difference, RULE.maxSpread)),
  min_liquidity_usdc: v.optional(means(usdc, RULE.minLiquidity)),
  max_drift: v.optional(means(difference, RULE.maxDrift)),
  max_book_age: v.optional(means(v.nullable(rule.duration), RULE.maxBookAge)),
  max_overround: v.optional(means(v.nullable(rule.notNegative()), RULE.maxOverround)),
});

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

const limits = members({
  max_bets_per_outcome: v.optional(means(count, RULE.maxBetsPerOutcome)),
  max_bets_per_market: v.optional(means(count, RULE.maxBetsPerMarket)),
  max_bets_per_event: v.optional(means(count, RULE.maxBetsPerEvent)),
  max_bets_per_day: v.optional(means(count, RULE.maxBetsPerDay)),
  max_open: v.optional(means(count, RULE.maxOpen)),
  cooldown: v.optional(means(v.nullable(rule.duration), RULE.cooldown)),
  event_loss: v.optional(means(usdc, RULE.eventLoss)),
  daily_loss: v.optional(means(usdc, RULE.dailyLoss)),
});

const order = members({
  time_in_force: v.optional(means(rule.ruleWord(TIMES_IN_FORCE), RULE.timeInForce)),
  give_up_after: v.optional(means(v.nullable(rule.duration), RULE.giveUpAfter)),
  max_slippage: v.optional(means(difference, RULE.maxSlippage)),
});

const price = means(rule.between<Price>(), RULE.price);
const exit = members({
  take_profit: v.optional(
    means(rule.oneMember([members({ price }), members({ gain: means(rule.positive(), RULE.gain) })]), RULE.takeProfit),
  ),
  stop: v.optional(
    means(rule.oneMember([members({ price }), members({ loss: means(rule.between(), RULE.loss) })]), RULE.stop),
  ),
  before_start: v.optional(means(rule.duration, RULE.beforeStart)),
  after: v.optional(means(rule.duration, RULE.after)),
  edge_below: v.optional(means(rule.notNegative(), RULE.edgeBelow)),
});

const signal = members({
  name: means(
    v.pipe(v.string('must be a string'), v.regex(SIGNAL_NAME, `must be ${SIGNAL_NAME_WORDS}`)),
    RULE.signalName,
  ),
  required: v.optional(means(v.boolean(), RULE.required), true),
});

const window = members({
  from: v.optional(means(rule.offset, RULE.from)),
  to: v.optional(means(rule.offset, RULE.to)),
});

/** The rule set as a client writes it. */
const rulesV1 = members({
  version: v.optional(means(describe(v.custom<1>(isOne, 'must be 1'), { const: 1 }), RULE.version)),
  match: v.optional(match),
  filter: v.optional(filter),
  sizing,
  outcome: v.optional(means(outcome, RULE.outcome)),
  window: v.optional(means(window, RULE.window)),
  phase: v.optional(means(rule.ruleWord(PHASES), RULE.phase)),
  limits: v.optional(means(limits, RULE.limits)),
  order: v.optional(means(order, RULE.order)),
  exit: v.optional(means(exit, RULE.exit)),
  signal: v.optional(means(signal, RULE.signal)),
});

type Body = v.InferOutput<typeof rulesV1>;
type Part<Name extends keyof Body> = Exclude<Body[Name], undefined>;

/** The rules in a body. */
function rulesDraftOf({ match = {}, filter = {}, sizing: sized, ...others }: Body): RulesDraft {
  const { outcome: bet, window: when, phase, limits: bounds, order: how, exit: leave, signal: source } = others;
  const { method, value, reference_edge: referenceEdge } = sized;
  return {
    match: named(match),
    filter: filterOf(filter),
    sizing: { method, value, ...named({ referenceEdge }) },
    ...named({
      outcome: bet && outcomeOf(bet),
      window: when && named({ fromMs: when.from, toMs: when.to }),
      phase,
      limits: bounds && limitsOf(bounds),
      order:
        how &&
        named({ timeInForce: how.time_in_force, giveUpAfterMs: how.give_up_after, maxSlippage: how.max_slippage }),
      exit: leave && exitOf(leave),
      signal: source,
    }),
  };
}

function filterOf(given: Part<'filter'>): RulesDraft['filter'] {
  return named({
    minOdds: given.min_odds,
    maxOdds: given.max_odds,
    side: given.side,
    minEdge: given.min_edge,
    maxSpread: given.max_spread,
    minLiquidity: given.min_liquidity_usdc,
    maxDrift: given.max_drift,
    maxBookAgeMs: given.max_book_age,
    maxOverround: given.max_overround,
  });
}

function outcomeOf(given: Part<'outcome'>): OutcomeChoice {
  if (given === 'each') return given;
  if ('index' in given) return { index: given.index === 0 ? 0 : 1 };
  return 'favourite_rank' in given ? { favouriteRank: given.favourite_rank } : given;
}

function limitsOf(given: Part<'limits'>): BetLimits {
  return named({
    maxBetsPerOutcome: given.max_bets_per_outcome,
    maxBetsPerMarket: given.max_bets_per_market,
    maxBetsPerEvent: given.max_bets_per_event,
    maxBetsPerDay: given.max_bets_per_day,
    maxOpen: given.max_open,
    cooldownMs: given.cooldown,
    eventLoss: given.event_loss,
    dailyLoss: given.daily_loss,
  });
}

function exitOf(given: Part<'exit'>): ExitRules {
  return named({
    takeProfit: given.take_profit,
    stop: given.stop,
    beforeStartMs: given.before_start,
    afterMs: given.after,
    edgeBelow: given.edge_below,
  });
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
