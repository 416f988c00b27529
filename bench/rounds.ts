import type { Findings } from './figures.js';

/** How long a part may measure. */
export interface PartOptions {
  readonly rounds: number;
  /** Of one slice of load on a server. */
  readonly seconds: number;
  /** To a server. */
  readonly connections: number;
  /** On record where reads are measured. */
  readonly orders: number;
}

/** A part of the bench. @throws when what was measured did not do its work */
export type Part = (options: PartOptions) => Promise<Findings>;

/** Something that is measured once a round. */
export interface Contender<Measure> {
  readonly name: string;
  run(): Measure | Promise<Measure>;
}

/** What each contender measured, round by round. The order is reversed each time. */
export async function interleaved<Measure>(
  contenders: readonly Contender<Measure>[],
  rounds: number,
): Promise<(name: string) => readonly Measure[]> {
  const measured = new Map<string, Measure[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const contender of round % 2 === 0 ? contenders : [...contenders].reverse()) {
      measured.get(contender.name)?.push(await contender.run());
    }
  }
  return (name) => measured.get(name) ?? [];
}

/** The one in the middle; the upper one of two. */
export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

/** The median of the ratios of two numbers of the same round. */
export const ratio = (numbers: readonly number[], base: readonly number[]): number =>
  median(numbers.map((number, round) => number / (base[round] ?? Number.NaN)));

/** Milliseconds of processor time since an earlier call; those of the garbage collector's threads count too. */
export function processorMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** Formats a rate: `1,234,567`. */
export const whole = (number: number): string => Math.round(number).toLocaleString('en-US');

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Ends the bench if the result of the measured work is wrong. */
export function expectSame(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`);
}
