import { dirname, resolve } from 'node:path';
import * as v from 'valibot';
import { validate } from '../adapters/http/perform.js';
import { Problem } from '../adapters/http/problem.js';
import type { BacktestBody } from '../backtest/backtest-plan.js';

/** What variants are ranked by. */
export const OBJECTIVES = ['yield_z', 'yield', 'profit_usdc', 'clv_net'] as const;

/** One of them. */
export type Objective = (typeof OBJECTIVES)[number];

/** A sweep that cannot be run as it was asked for: the message says where, and what to do. */
export class SweepRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SweepRefused';
  }
}

/** A span of time in milliseconds, without its end. */
export interface WindowSpan {
  readonly from: number;
  readonly to: number;
}

/** What variants are chosen by, and what they are judged by afterwards. */
export interface GivenWindow {
  readonly name: string;
  readonly train: WindowSpan;
  readonly test: WindowSpan;
}

/** Windows that follow from the span of the tapes: each trains so many days, and tests the next ones. */
export interface WalkedWindows {
  readonly kind: 'rolling' | 'anchored';
  readonly trainDays: number;
  readonly testDays: number;
}

/** A plan as it was written, checked, with its defaults. */
export interface SweepPlan {
  readonly base: BacktestBody;
  /** Values by JSON pointer into the base. */
  readonly grid: Readonly<Record<string, readonly unknown[]>>;
  readonly random: { readonly n: number; readonly seed: string } | null;
  /** Paths, with the folder of the plan before them where they are relative. */
  readonly tapes: readonly string[];
  readonly signals: string | null;
  readonly windows: readonly GivenWindow[] | WalkedWindows | null;
  readonly objective: Objective;
  /** The most variants. */
  readonly budget: number;
  /** How many variants share a reading of the tapes. */
  readonly group: number;
  readonly limits: BacktestBody | null;
  readonly cash: number | string;
  readonly latencyMs: number;
  readonly zone: string;
  readonly seed: string;
}

const MOST_VARIANTS = 100_000;
const MOST_GROUP = 1000;
const MOST_DAYS = 36_500;
const MOST_WINDOWS = 1000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;
const isMoment = (text: string): boolean =>
  (DAY.test(text) || MOMENT.test(text)) && !Number.isNaN(new Date(text).getTime());

const words = (most: number) =>
  v.pipe(
    v.string('must be a text'),
    v.check((text) => text.trim() !== '' && text.length <= most, `must be a text of 1 to ${most} characters`),
  );
const wholeNumber = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message), v.maxValue(most, message));
};
const seedText = v.pipe(
  v.union([words(200), v.pipe(v.number(), v.integer())], 'must be a text or a whole number'),
  v.transform(String),
);
const object = v.custom<BacktestBody>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);
const instant = v.pipe(
  v.string('must be a moment such as 2026-03-01T12:00:00Z, or a day such as 2026-03-01, which begins at midnight UTC'),
  v.check(
    isMoment,
    'must be a moment such as 2026-03-01T12:00:00Z, or a day such as 2026-03-01, which begins at midnight UTC',
  ),
  v.transform((text) => new Date(text).getTime()),
);
const UNKNOWN = 'is not a member of a plan: remove it, or see docs/sweeps.md for its name';
const slice = v.pipe(
  v.strictObject({ from: instant, to: instant }, UNKNOWN),
  v.check(({ from, to }) => from < to, 'must end after it begins: `to` is not part of it'),
);
const givenWindow = v.pipe(
  v.strictObject({ name: words(40), train: slice, test: slice }, UNKNOWN),
  v.check(({ train, test }) => train.to <= test.from, 'must begin its test when its train has ended, or later'),
);
const days = wholeNumber(1, MOST_DAYS);
const walked = v.strictObject({ train_days: days, test_days: days }, UNKNOWN);
const windows = v.lazy((input) => {
  if (Array.isArray(input))
    return v.pipe(
      v.array(givenWindow),
      v.minLength(1, 'must name a window, or be left out'),
      v.maxLength(MOST_WINDOWS, `must have at most ${MOST_WINDOWS} windows`),
      v.check(
        (all) => new Set(all.map(({ name }) => name)).size === all.length,
        'must have windows of different names',
      ),
    );
  if ('anchored' in Object(input)) return v.strictObject({ anchored: walked }, UNKNOWN);
  return v.strictObject({ rolling: walked }, UNKNOWN);
});

const planBody = v.strictObject(
  {
    base: object,
    grid: v.pipe(
      v.record(
        v.string(),
        v.pipe(v.array(v.unknown(), 'must be an array of values'), v.minLength(1, 'must have a value')),
        'must be an object of JSON pointers with their values, such as {"/rules/filter/min_odds": [1.5, 2]}',
      ),
      v.check((grid) => Object.keys(grid).length > 0, 'must have a JSON pointer, such as /rules/filter/min_odds'),
    ),
    random: v.optional(v.strictObject({ n: wholeNumber(1, MOST_VARIANTS), seed: v.optional(seedText, '0') }, UNKNOWN)),
    tapes: v.pipe(v.array(words(4096), 'must be an array of paths'), v.minLength(1, 'must name a tape')),
    signals: v.optional(words(4096)),
    windows: v.optional(windows),
    objective: v.optional(v.picklist(OBJECTIVES, `must be one of ${OBJECTIVES.join(', ')}`), 'yield_z'),
    budget: v.optional(wholeNumber(1, MOST_VARIANTS), 200),
    group: v.optional(wholeNumber(1, MOST_GROUP), 50),
    limits: v.optional(object),
    cash: v.optional(v.union([v.number(), v.string()], 'must be dollars, as a number or a text'), 1000),
    latency: v.optional(wholeNumber(0, 60_000), 150),
    zone: v.optional(words(100), 'UTC'),
    seed: v.optional(seedText, '0'),
  },
  UNKNOWN,
);

/**
 * Reads a plan.
 * @param named how the plan is called in errors, such as its path
 * @param folder where its relative paths begin
 * @throws SweepRefused
 */
export function sweepPlanOf(body: unknown, named: string, folder: string): SweepPlan {
  const { random, windows: asked, latency, limits, signals, tapes, ...others } = checked(body, named);
  return {
    ...others,
    random: random ?? null,
    tapes: tapes.map((path) => resolve(folder, path)),
    signals: signals === undefined ? null : resolve(folder, signals),
    windows: asked === undefined ? null : windowsAsked(asked),
    limits: limits ?? null,
    latencyMs: latency,
  };
}

/** Reads the text of a plan that is a file. @throws SweepRefused */
export function readSweepPlan(text: string, path: string): SweepPlan {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new SweepRefused(`${path} is not JSON: ${error instanceof Error ? error.message : error}.`, error);
  }
  return sweepPlanOf(body, path, dirname(resolve(path)));
}

function checked(body: unknown, named: string): v.InferOutput<typeof planBody> {
  try {
    return validate(planBody, body, '');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [first] = error.more.errors ?? [];
    throw new SweepRefused(
      first === undefined ? `${named}: ${error.message}` : `${named}: ${first.pointer} ${first.detail}.`,
      error,
    );
  }
}

type AskedWindows = NonNullable<v.InferOutput<typeof planBody>['windows']>;

function windowsAsked(asked: AskedWindows): NonNullable<SweepPlan['windows']> {
  if (Array.isArray(asked)) return asked;
  const [kind, given] =
    'anchored' in asked ? (['anchored', asked.anchored] as const) : (['rolling', asked.rolling] as const);
  return { kind, trainDays: given.train_days, testDays: given.test_days };
}
