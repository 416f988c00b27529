import * as v from 'valibot';
import {
  LIMIT_NAMES,
  LIMITS,
  type Limit,
  type LimitKind,
  type LimitName,
  type Limits,
  type LimitsChange,
  limitOf,
  MOST_ORDERS,
} from '../../core/limits/limits.js';
import { formatMicro, isPrice, type Price, type Usdc } from '../../core/money.js';
import type { LimitsInUse } from '../../core/usecases/limits/read-limits.js';
import { JsonNumber } from './json-reader.js';
import { amount, BETWEEN_0_AND_1, DECIMAL, decimalOut, describe, means, members, wholeOut } from './schema.js';

const usd = amount<Usdc>({
  holds: (micro) => micro >= 0n,
  words: 'a decimal of 0 or more, or null',
  json: { minimum: 0 },
  example: 50,
  pattern: DECIMAL,
});

const band = amount<Price>({
  holds: isPrice,
  words: 'a decimal above 0 and below 1, or null',
  json: { exclusiveMinimum: 0, exclusiveMaximum: 1 },
  example: 0.05,
  pattern: BETWEEN_0_AND_1,
});

const count = describe(
  v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset, addIssue, NEVER }): number => {
      const read = dataset.value instanceof JsonNumber ? Number(dataset.value.text) : Number.NaN;
      if (Number.isInteger(read) && read >= 0 && read <= MOST_ORDERS) return read;
      addIssue({ message: `must be a whole number from 0 to ${MOST_ORDERS}, or null` });
      return NEVER;
    }),
  ),
  { type: 'integer', minimum: 0, maximum: MOST_ORDERS, examples: [20] },
);

/** Each kind of limit as it comes in. */
const IN: Readonly<Record<LimitKind, v.GenericSchema<unknown, bigint | number>>> = { usdc: usd, price: band, count };
/** Each kind of limit as it is returned. */
const OUT = { usdc: v.nullable(decimalOut), price: v.nullable(decimalOut), count: v.nullable(wholeOut) };

/** One schema for each limit, by its name in the interface. */
const entries = <T>(schema: (limit: Limit) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(LIMIT_NAMES.map((name) => [LIMITS[name].shown, schema(limitOf(name))]));

/** The body of `PUT /v1/limits`: a member that is absent stays, null takes it away. */
export const limitsBody = members(entries(({ kind, meaning }) => v.optional(means(v.nullable(IN[kind]), meaning))));

type Table = typeof LIMITS;
type Shown = { readonly [Name in LimitName as Table[Name]['shown']]: (typeof OUT)[Table[Name]['kind']] };

const LIMITS_OUT = entries(({ kind, meaning, example }) => means(OUT[kind], meaning, example)) as Shown;

/** The limits of an account, null for none. */
export const limitsOut = v.object(LIMITS_OUT);

/** The limits of an account, and how much of each is in use. */
export const limitsInUseOut = v.object({
  ...LIMITS_OUT,
  used: means(
    v.object(LIMITS_OUT),
    'How much of each is in use, on paper or with real money; null for a limit of one order, and where nothing is counted.',
  ),
});

/** The change that a body asks for. */
export function limitsChangeOf(body: v.InferOutput<typeof limitsBody>): LimitsChange {
  const named = LIMIT_NAMES.map((name) => [name, body[LIMITS[name].shown]] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

/** Limits as the interface shows them. */
export function presentLimits(limits: Limits): v.InferInput<typeof limitsOut> {
  const shown = LIMIT_NAMES.map((name) => {
    const value = limits[name];
    return [LIMITS[name].shown, typeof value === 'bigint' ? formatMicro(value) : value] as const;
  });
  return Object.fromEntries(shown) as v.InferInput<typeof limitsOut>;
}

/** Limits and what of them is in use. */
export const presentLimitsInUse = ({ limits, used }: LimitsInUse): v.InferInput<typeof limitsInUseOut> => ({
  ...presentLimits(limits),
  used: presentLimits(used),
});
