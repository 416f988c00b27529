import * as v from 'valibot';
import { MARKET_KINDS } from '../../core/market/kind.js';
import { formatMicro, ONE, type Usdc } from '../../core/money.js';
import { BET_SIDES, type Rules, type RulesDraft, SIZING_METHODS } from '../../core/strategy/rules.js';
import type { Strategy, StrategyDraft, StrategyPatch } from '../../core/strategy/strategy.js';
import { JsonNumber } from './json-reader.js';
import { amount, DECIMAL, decimalOut, describe, flag, members, momentOut, POSITIVE, text, uuidOut } from './schema.js';

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
  words: 'decimal odds greater than 1',
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

/** Numbers arrive with their digits. */
const isOne = (value: unknown) => value instanceof JsonNumber && value.text === '1';

/** The rule set as a client writes it. */
export const rulesV1 = members({
  version: v.optional(describe(v.custom<1>(isOne, 'must be 1'), { const: 1 })),
  match: v.optional(
    members({
      sport: v.optional(text(1, 80)),
      market: v.optional(oneOf(MARKET_KINDS)),
      league: v.optional(text(1, 80)),
    }),
  ),
  filter: v.optional(
    members({ min_odds: v.optional(odds), max_odds: v.optional(odds), side: v.optional(oneOf(BET_SIDES)) }),
  ),
  sizing: members({ method: oneOf(SIZING_METHODS), value: fraction }),
});

const flags = { is_paused: v.optional(v.boolean()), paper_only: v.optional(v.boolean()) };

/** The body of `POST /v1/strategies`. */
export const createStrategyBody = members({
  name: text(1, 80),
  sport: text(1, 80),
  rules: rulesV1,
  bankroll_cap: cap,
  stake_cap: cap,
  ...flags,
});

/** The body of `PATCH /v1/strategies/{sid}`. */
export const changeStrategyBody = members({
  name: v.optional(v.nullable(text(1, 80))),
  rules: v.optional(rulesV1),
  bankroll_cap: v.optional(cap),
  stake_cap: v.optional(cap),
  ...flags,
});

/** The query of `GET /v1/strategies`. */
export const strategyFilters = { sport: v.optional(text(1, 80)), is_paused: v.optional(flag) };

/** A strategy as every route answers it. */
export const strategyOut = v.object({
  id: uuidOut,
  name: v.string(),
  sport: v.string(),
  rules: v.object({
    version: v.literal(1),
    match: v.object({
      sport: v.string(),
      market: v.optional(v.picklist(MARKET_KINDS)),
      league: v.optional(v.string()),
    }),
    filter: v.object({
      min_odds: v.optional(v.number()),
      max_odds: v.optional(v.number()),
      side: v.picklist(BET_SIDES),
    }),
    sizing: v.object({ method: v.picklist(SIZING_METHODS), value: v.number() }),
  }),
  bankroll_cap: decimalOut,
  stake_cap: decimalOut,
  is_paused: v.boolean(),
  paper_only: v.boolean(),
  created_at: momentOut,
  updated_at: momentOut,
  version: v.number(),
  archived_at: v.nullable(momentOut),
});

/** The draft that a body asks for. */
export function draftOf(body: v.InferOutput<typeof createStrategyBody>): StrategyDraft {
  const { name, sport, rules, bankroll_cap: bankrollCap, stake_cap: stakeCap } = body;
  return { name, sport, rules: rulesDraftOf(rules), bankrollCap, stakeCap, ...flagsOf(body) };
}

/** The change that a body asks for; `name: null` asks for none. */
export function patchOf(body: v.InferOutput<typeof changeStrategyBody>): StrategyPatch {
  return {
    ...(typeof body.name === 'string' && { name: body.name }),
    ...(body.rules !== undefined && { rules: rulesDraftOf(body.rules) }),
    ...(body.bankroll_cap !== undefined && { bankrollCap: body.bankroll_cap }),
    ...(body.stake_cap !== undefined && { stakeCap: body.stake_cap }),
    ...flagsOf(body),
  };
}

/** The answer for a strategy. */
export function presentStrategy(strategy: Strategy): v.InferInput<typeof strategyOut> {
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
    match: present({ sport: match.sport, market: match.market, league: match.league }),
    filter: present({ min_odds: number(filter.minOdds), max_odds: number(filter.maxOdds), side: filter.side }),
    sizing: { method: sizing.method, value: Number(formatMicro(sizing.value)) },
  };
}

type Present<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : null extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : null extends T[Key] ? Key : never]?: Exclude<
    T[Key],
    undefined | null
  >;
};

/** Leaves out the members that say nothing. */
function present<T extends object>(source: T): Present<T> {
  return Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== null),
  ) as Present<T>;
}
