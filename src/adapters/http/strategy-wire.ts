import * as v from 'valibot';
import { formatMicro, type Usdc } from '../../core/money.js';
import type { Warning } from '../../core/strategy/explain/warning.js';
import { AUTOMATIONS } from '../../core/strategy/rules/automation.js';
import type { Strategy, StrategyDraft, StrategyPatch } from '../../core/strategy/strategy.js';
import { named } from './present.js';
import { presentRules, showsAutomation } from './present-rules.js';
import { ruleWord } from './rule-schemas.js';
import { rulesOut } from './rules-out.js';
import { rulesDraftOf, rulesV1 } from './rules-wire.js';
import {
  amount,
  booleanText,
  decimalOut,
  means,
  members,
  momentOut,
  POSITIVE,
  textOfLength,
  uuidOut,
} from './schema.js';
import { warningOut } from './warning-wire.js';

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
