import * as v from 'valibot';
import { MARKET_KINDS } from '../../core/market/kind.js';
import { formatMicro, ONE, type Usdc } from '../../core/money.js';
import { BET_SIDES, type OneOrMore, type Rules, type RulesDraft, SIZING_METHODS } from '../../core/strategy/rules.js';
import type { Strategy, StrategyDraft, StrategyPatch } from '../../core/strategy/strategy.js';
import type { Warning } from '../../core/strategy/warnings.js';
import { JsonNumber } from './json-reader.js';
import {
  amount,
  booleanText,
  DECIMAL,
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

const ABOVE_ONE = '^(?=[0-9]{1,9}(\\.|$))(0*([2-9]|[1-9][0-9]+)(\\.[0-9]{1,6})?|0*1\\.(?=[0-9]*[1-9])[0-9]{1,6})$';

const cap = amount<Usdc>({
  holds: (micro) => micro > 0n,
  words: 'greater than 0',
  json: { exclusiveMinimum: 0 },
  example: 50,
  pattern: POSITIVE,
});
const odds = amount({
  holds: (micro) => micro > ONE,
  words: 'decimal odds greater than 1, such as 1.5',
  json: { exclusiveMinimum: 1 },
  example: 1.5,
  pattern: ABOVE_ONE,
});
const fraction = amount({
  holds: () => true,
  words: '0 or more',
  json: { minimum: 0 },
  pattern: DECIMAL,
  example: 0.02,
});
const oneOf = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `must be one of ${words.join(', ')}`);

const ODDS = 'Above 1, with at most 6 decimals.';
const CAP = 'Greater than 0, with at most 6 decimals.';
/** The meaning of members of requests and answers. */
const ABOUT = {
  version: 'The version of the format of the rules.',
  name: 'The name of the strategy.',
  sport: 'The sport that the strategy is for.',
  ruleSport: 'The sport of the markets; that of the strategy by default.',
  market: 'The kind of market; absent: every kind.',
  league: 'The league of the markets; absent: every league.',
  minOdds: 'The shortest decimal odds (1 / price) to bet at; absent: any.',
  maxOdds: 'The longest decimal odds (1 / price) to bet at; absent: any.',
  side: 'BACK bets for the outcome, LAY against it. BACK by default.',
  method: '`fixed_fraction` of the free bankroll, `flat` USDC, or a fraction of full `kelly`.',
  value: 'A fraction from 0 to 1 for `fixed_fraction` and `kelly`, USDC for `flat`.',
  bankrollCap:
    'The most that may be at work at once, in USDC: what working orders may cost, fees included, and what held shares cost.',
  stakeCap: 'The most `size_usdc` of one BUY, in USDC.',
  isPaused: 'True: every order under it is denied. False by default.',
  paperOnly: 'True: no order with real money, regardless of the order. True by default.',
};

/** Numbers arrive with their digits. */
const isOne = (value: unknown) => value instanceof JsonNumber && value.text === '1';

/** The rule set as a client writes it. */
export const rulesV1 = members({
  version: v.optional(means(describe(v.custom<1>(isOne, 'must be 1'), { const: 1 }), ABOUT.version)),
  match: v.optional(
    members({
      sport: v.optional(means(textOfLength(1, 80), ABOUT.ruleSport)),
      market: v.optional(means(oneOf(MARKET_KINDS), ABOUT.market)),
      league: v.optional(means(textOfLength(1, 80), ABOUT.league)),
    }),
  ),
  filter: v.optional(
    members({
      min_odds: v.optional(means(odds, `${ABOUT.minOdds} ${ODDS}`)),
      max_odds: v.optional(means(odds, `${ABOUT.maxOdds} ${ODDS}`)),
      side: v.optional(means(oneOf(BET_SIDES), ABOUT.side)),
    }),
  ),
  sizing: members({
    method: means(oneOf(SIZING_METHODS), ABOUT.method),
    value: means(fraction, `${ABOUT.value} 0 or more, with at most 6 decimals.`),
  }),
});

const flags = {
  is_paused: v.optional(means(v.boolean(), ABOUT.isPaused)),
  paper_only: v.optional(means(v.boolean(), ABOUT.paperOnly)),
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

const oneOrMore = <T>(one: v.GenericSchema<T>) => v.union([one, v.array(one)]);

/** A strategy as every route returns it. */
export const strategyOut = v.object({
  id: means(uuidOut, 'The id of the strategy.'),
  name: means(v.string(), ABOUT.name),
  sport: means(v.string(), ABOUT.sport, 'soccer'),
  rules: v.object({
    version: means(v.literal(1), ABOUT.version),
    match: v.object({
      sport: means(v.string(), ABOUT.ruleSport, 'soccer'),
      market: v.optional(means(oneOrMore(v.picklist(MARKET_KINDS)), ABOUT.market)),
      league: v.optional(means(oneOrMore(v.string()), ABOUT.league, 'epl')),
    }),
    filter: v.object({
      min_odds: v.optional(means(v.number(), ABOUT.minOdds, 1.5)),
      max_odds: v.optional(means(v.number(), ABOUT.maxOdds, 3)),
      side: means(v.picklist(BET_SIDES), ABOUT.side),
    }),
    sizing: v.object({
      method: means(v.picklist(SIZING_METHODS), ABOUT.method),
      value: means(v.number(), ABOUT.value, 0.02),
    }),
  }),
  bankroll_cap: means(decimalOut, ABOUT.bankrollCap, '1000'),
  stake_cap: means(decimalOut, ABOUT.stakeCap, '50'),
  is_paused: means(v.boolean(), ABOUT.isPaused),
  paper_only: means(v.boolean(), ABOUT.paperOnly),
  created_at: means(momentOut, 'When its first version was made.'),
  updated_at: means(momentOut, 'When this version was made.'),
  version: means(v.number(), '1 at creation, one more with every change.', 1),
  archived_at: means(v.nullable(momentOut), 'When it was deleted; null if it was not.'),
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
  const { id, name, sport, rules, version, archivedAt } = strategy;
  return {
    ...{ id, name, sport },
    rules: presentRules(rules),
    bankroll_cap: formatMicro(strategy.bankrollCap),
    stake_cap: formatMicro(strategy.stakeCap),
    is_paused: strategy.isPaused,
    paper_only: strategy.paperOnly,
    created_at: strategy.createdAt.toISOString(),
    updated_at: strategy.updatedAt.toISOString(),
    version,
    archived_at: archivedAt?.toISOString() ?? null,
    warnings: [...warnings],
  };
}

function flagsOf(body: { readonly is_paused?: boolean | undefined; readonly paper_only?: boolean | undefined }) {
  return {
    ...(body.is_paused !== undefined && { isPaused: body.is_paused }),
    ...(body.paper_only !== undefined && { paperOnly: body.paper_only }),
  };
}

function rulesDraftOf({ match = {}, filter = {}, sizing }: v.InferOutput<typeof rulesV1>): RulesDraft {
  const { min_odds: minOdds, max_odds: maxOdds, side } = filter;
  return {
    match: present(match),
    filter: present({ minOdds, maxOdds, side }),
    sizing: { method: sizing.method, value: sizing.value },
  };
}

/** Numbers again, as they were written: six decimals below a thousand million are exact in a double. */
function presentRules({ version, match, filter, sizing }: Rules): v.InferInput<typeof strategyOut>['rules'] {
  const number = (micro: bigint | null) => (micro === null ? null : Number(formatMicro(micro)));
  return {
    version,
    match: present({ sport: match.sport, market: copied(match.market), league: copied(match.league) }),
    filter: present({ min_odds: number(filter.minOdds), max_odds: number(filter.maxOdds), side: filter.side }),
    sizing: { method: sizing.method, value: Number(formatMicro(sizing.value)) },
  };
}

function copied<T extends string>(names: OneOrMore<T> | null): T | T[] | null {
  return names === null || typeof names === 'string' ? names : [...names];
}

type Present<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : null extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : null extends T[Key] ? Key : never]?: Exclude<
    T[Key],
    undefined | null
  >;
};

/** Omits the members without a value. */
function present<T extends object>(source: T): Present<T> {
  return Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== null),
  ) as Present<T>;
}
