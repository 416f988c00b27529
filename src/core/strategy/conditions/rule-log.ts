import { isoText } from '../../moment.js';
import { formatMicro } from '../../money.js';

/** One rule of a decision, tested: null where an input that it needs is missing. */
export interface RuleResult {
  /** Where the rule is: `filter/min_odds`. */
  readonly rule: string;
  /** What was found, as text: a decimal, a moment, a name; null where that is not known. */
  readonly value: string | null;
  readonly bound: string | null;
  readonly passed: boolean | null;
}

/** Micro-units, a count, a moment or a text. */
export type Seen = bigint | number | string | Date | boolean | null;

/** As it stands in a record: micro-units are decimals, moments ISO 8601. */
export function textOf(seen: Seen): string | null {
  if (typeof seen === 'bigint') return amountText(seen);
  if (seen instanceof Date) return isoText(seen);
  return seen === null ? null : `${seen}`;
}

const MOST_KEPT = 4096;
const kept = new Map<bigint, string>();

/** The same prices and bounds come again with every look, and many looks are remembered: their texts are shared. */
function amountText(amount: bigint): string {
  const known = kept.get(amount);
  if (known !== undefined) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const text = formatMicro(amount);
  kept.set(amount, text);
  return text;
}

/** A span of time as decimal seconds. */
export const secondsOf = (ms: number): bigint => BigInt(ms) * 1000n;

/** The rules of one decision, in the order in which they were tested. The first that is not true says why there is no bet. */
export class RuleLog {
  readonly results: RuleResult[] = [];
  /** Null while every rule is true. */
  code: string | null = null;

  /** `code` says why there is no bet where the rule is not true. */
  test(rule: string, value: Seen, bound: Seen, passed: boolean, code: string): void {
    this.#add({ rule, value: textOf(value), bound: textOf(bound), passed }, code);
  }

  /** The rule cannot be tested without this input, and so is not true. */
  missing(rule: string, bound: Seen, input: string): void {
    this.#add({ rule, value: null, bound: textOf(bound), passed: null }, `input_missing:${input}`);
  }

  /** The same rule for the bet as it is sized now. */
  again(rule: string, value: Seen, passed: boolean, code: string): void {
    const at = this.results.findIndex((one) => one.rule === rule);
    const before = this.results[at];
    if (before === undefined) return;
    this.results[at] = { ...before, value: textOf(value), passed };
    if (!passed) this.code ??= code;
  }

  #add(result: RuleResult, code: string): void {
    this.results.push(result);
    if (result.passed !== true) this.code ??= code;
  }
}
