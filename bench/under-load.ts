import type { Figure } from './figures.js';
import type { Load, Requests, Slice, Target } from './load.js';
import { allThreads, type ThreadTimes } from './processor-time.js';
import { type Contender, interleaved, median, type PartOptions, ratio } from './rounds.js';

/** A target with the requests that it is loaded with. */
export interface Loaded extends Pick<Target, 'name'> {
  readonly target: Target;
  readonly requests: Omit<Requests, 'urls' | 'connections' | 'seconds'>;
  /** As the options say, unless given. */
  readonly connections?: number;
}

/** The slices of each, by its name. */
export type Slices = (name: string) => readonly Slice[];

const WARM_UP_SECONDS = 1;

/** An order as a client sends it. */
export const ORDER: Pick<Requests, 'method' | 'paths' | 'body'> = {
  method: 'POST',
  paths: ['/v1/exchange/orders'],
  body: JSON.stringify({ market_id: 'bench-market', token: 'YES', price: 0.52, size_usdc: 1 }),
};

/** Loads each for one slice a round, after a warm-up. @throws when one answered other than 2xx */
export async function underLoad(load: Load, all: readonly Loaded[], options: PartOptions): Promise<Slices> {
  const run = ({ target, requests, connections = options.connections }: Loaded, seconds: number) =>
    load.slice(target, { ...requests, connections, seconds });
  for (const loaded of all) expectAnswers(loaded.name, await run(loaded, WARM_UP_SECONDS));
  const contenders = all.map(
    (loaded): Contender<Slice> => ({
      name: loaded.name,
      run: async () => expectAnswers(loaded.name, await run(loaded, options.seconds)),
    }),
  );
  return interleaved(contenders, options.rounds);
}

function expectAnswers(name: string, slice: Slice): Slice {
  const { answered, failed } = slice;
  if (failed > 0 || answered === 0) throw new Error(`${name}: ${failed} of ${failed + answered} requests failed`);
  return slice;
}

/** Answers a second, round by round. */
export const speeds = (slices: readonly Slice[]): number[] => slices.map(({ perSecond }) => perSecond);

/** Microseconds of all threads a request, round by round. */
export const costs = (slices: readonly Slice[]): number[] => slices.map(({ micros }) => allThreads(micros));

/** How fast one is compared with another in the same round. */
export function compared(name: string, aim: Figure['aim'], own: readonly Slice[], base: readonly Slice[]): Figure {
  return {
    name,
    unit: '',
    aim,
    rounds: divided(speeds(own), speeds(base)),
    byProcessorTime: divided(costs(base), costs(own)),
  };
}

/** Microseconds a request that some of the threads took. */
export const cost = (name: string, slices: readonly Slice[], by: keyof ThreadTimes): Figure => ({
  name,
  unit: 'µs',
  aim: null,
  rounds: slices.map(({ micros }) => micros[by]),
  byProcessorTime: [],
});

/** Number by number. */
export const divided = (numbers: readonly number[], by: readonly number[]): number[] =>
  numbers.map((number, round) => number / (by[round] ?? Number.NaN));

/** The columns of every table of targets under load. */
export const LOAD_HEAD = [
  'requests/s',
  'x the base',
  'p50 ms',
  'p99 ms',
  'main thread µs',
  'other threads µs',
  'database µs',
  'all µs',
  'x the base by processor time',
];

/** The cells under `LOAD_HEAD`. */
export function loadCells(own: readonly Slice[], base: readonly Slice[]): string[] {
  const of = (look: (slice: Slice) => number, digits = 0) => shown(median(own.map(look)), digits);
  return [
    of(({ perSecond }) => perSecond),
    shown(ratio(speeds(own), speeds(base)), 2),
    of(({ p50 }) => p50, 1),
    of(({ p99 }) => p99, 1),
    of(({ micros }) => micros.main),
    of(({ micros }) => micros.others),
    of(({ micros }) => micros.database),
    of(({ micros }) => allThreads(micros)),
    shown(ratio(costs(base), costs(own)), 2),
  ];
}

const shown = (number: number, digits: number): string =>
  Number.isNaN(number) ? 'not measured' : number.toFixed(digits);
