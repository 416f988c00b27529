import { sha256 } from '../adapters/system/index.js';
import type { BacktestBody } from '../backtest/backtest-plan.js';
import { type SweepPlan, SweepRefused } from './plan.js';

/** The base with one value for each pointer of the grid. */
export interface Variant {
  /** The name of the base with the values, or with its number where that would be too long. */
  readonly name: string;
  /** By the pointers of the grid, in its order. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The body of `POST /v1/strategies`. */
  readonly body: BacktestBody;
}

/** The longest name of a strategy. */
const LONGEST_NAME = 80;

/** Every variant of a plan, in the order of its grid: the last pointer changes first. @throws SweepRefused */
export function variantsOf(plan: SweepPlan, named: string): readonly Variant[] {
  const axes = Object.entries(plan.grid).map(([pointer, values]) => axisOf(pointer, values, named));
  checkAxes(axes, named);
  const product = axes.reduce((many, { values }) => many * values.length, 1);
  const many = plan.random === null ? product : Math.min(plan.random.n, product);
  if (many > plan.budget) throw new SweepRefused(tooMany(plan, many, named));
  if (!Number.isSafeInteger(product))
    throw new SweepRefused(`${named}: /grid has more combinations than can be counted: give it fewer values.`);
  const chosen = plan.random === null ? counted(product) : drawn(product, many, plan.random.seed);
  const labels = labelsOf(axes);
  const base = typeof plan.base['name'] === 'string' ? plan.base['name'] : 'variant';
  const names = new Set<string>();
  return chosen.map((place) => {
    const values = valuesAt(axes, place);
    const said = axes.map((_, at) => `${labels[at]}=${valueText(values[at])}`);
    const full = `${base} ${said.join(' ')}`;
    const name = full.length <= LONGEST_NAME && !names.has(full) ? full : numbered(base, place + 1);
    names.add(name);
    let body: BacktestBody = plan.base;
    for (const [at, axis] of axes.entries()) body = withValue(body, axis, values[at], named);
    return {
      name,
      values: Object.fromEntries(axes.map(({ pointer }, at) => [pointer, values[at]])),
      body: { ...body, name },
    };
  });
}

const numbered = (base: string, number: number): string => `${base.slice(0, LONGEST_NAME - 10)} #${number}`;

function tooMany(plan: SweepPlan, many: number, named: string): string {
  const [where, less] =
    plan.random === null
      ? ['/grid', 'draw some of them with "random", give it fewer values, or raise "budget"']
      : ['/random/n', 'draw fewer of them, or raise "budget"'];
  return `${named}: ${where} makes ${many} variants, and /budget is ${plan.budget}: ${less}.`;
}

/** A pointer of the grid, its parts, and its values. */
interface Axis {
  readonly pointer: string;
  readonly parts: readonly string[];
  readonly values: readonly unknown[];
}

/** Parts that are no members of a body, but of every object. */
const NO_MEMBERS = ['__proto__', 'constructor', 'prototype'];

function axisOf(pointer: string, values: readonly unknown[], named: string): Axis {
  const where = `${named}: /grid/${escaped(pointer)}`;
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer))
    throw new SweepRefused(
      `${where} is not a JSON pointer: write the members from the base on, such as /rules/filter/min_odds.`,
    );
  const parts = pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (parts.some((part) => part === '' || NO_MEMBERS.includes(part)))
    throw new SweepRefused(`${where} names no member of a strategy: name one, such as /rules/filter/min_odds.`);
  if (parts[0] === 'name')
    throw new SweepRefused(`${where} would change the name: leave it out, variants are named by their values.`);
  const texts = values.map((value) => JSON.stringify(value));
  const twice = texts.find((text, at) => texts.indexOf(text) !== at);
  if (twice !== undefined) throw new SweepRefused(`${where} has ${twice} twice: leave one out.`);
  return { pointer, parts, values };
}

/** A pointer as a part of another one. */
const escaped = (pointer: string): string => pointer.replaceAll('~', '~0').replaceAll('/', '~1');

function checkAxes(axes: readonly Axis[], named: string): void {
  for (const { pointer } of axes) {
    const within = axes.find((other) => other.pointer !== pointer && other.pointer.startsWith(`${pointer}/`));
    if (within !== undefined)
      throw new SweepRefused(
        `${named}: /grid/${escaped(within.pointer)} is within ${pointer}, which is in the grid too: leave one out.`,
      );
  }
}

/** The last parts of pointers; as many of each as tell it from all others. */
function labelsOf(axes: readonly Axis[]): readonly string[] {
  const label = (parts: readonly string[], many: number) => parts.slice(-many).join('.');
  return axes.map(({ parts }) => {
    let many = 1;
    const isShared = () => axes.filter((other) => label(other.parts, many) === label(parts, many)).length > 1;
    while (many < parts.length && isShared()) many += 1;
    return label(parts, many);
  });
}

/** A value as a name and a table have it. */
export const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const counted = (many: number): readonly number[] => Array.from({ length: many }, (_, place) => place);

function valuesAt(axes: readonly Axis[], place: number): readonly unknown[] {
  const values: unknown[] = [];
  let rest = place;
  for (const axis of axes.toReversed()) {
    values.unshift(axis.values[rest % axis.values.length]);
    rest = Math.floor(rest / axis.values.length);
  }
  return values;
}

/** So many different places below `product`, in order: the first steps of a shuffle, of which only what moved is kept. */
function drawn(product: number, many: number, seed: string): readonly number[] {
  const moved = new Map<number, number>();
  const places: number[] = [];
  for (let step = 0; step < many; step += 1) {
    const hash = Number.parseInt(sha256(JSON.stringify([seed, step])).slice(0, 13), 16);
    const other = step + (hash % (product - step));
    places.push(moved.get(other) ?? other);
    moved.set(other, moved.get(step) ?? step);
  }
  return places.sort((a, b) => a - b);
}

function withValue(body: BacktestBody, { parts, pointer }: Axis, value: unknown, named: string): BacktestBody {
  const put = (into: unknown, rest: readonly string[]): unknown => {
    const [part, ...more] = rest;
    if (part === undefined) return value;
    if (Array.isArray(into)) {
      if (!/^\d{1,6}$/.test(part) || Number(part) >= into.length) throw missing(part);
      return into.map((item, at) => (at === Number(part) ? put(item, more) : item));
    }
    if (into !== undefined && (typeof into !== 'object' || into === null)) throw missing(part);
    const known = (into ?? {}) as BacktestBody;
    return { ...known, [part]: put(Object.hasOwn(known, part) ? known[part] : undefined, more) };
  };
  const missing = (part: string) =>
    new SweepRefused(
      `${named}: /grid/${escaped(pointer)} has no place in /base, where ${JSON.stringify(part)} would be within no object, or beyond an array: correct the pointer or the base.`,
    );
  return put(body, parts) as BacktestBody;
}
