import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BacktestBody, sweep } from '../dist/backtest/index.js';
import { atLeast, atMost, type Figure } from './figures.js';
import { interleaved, processorMs } from './rounds.js';

/** Variants of a sweep, in two groups. */
const VARIANTS = 100;
const GROUP = 50;

/** Tapes of sweeps. Workers are measured on the longer one, beside which the start of a thread takes little. */
interface SweptTapes {
  readonly tape: string;
  readonly longer: string;
}

/** A sweep of many variants beside one of one, by processor time; and on two workers beside one, by the clock. */
export async function sweeps(
  { tape, longer }: SweptTapes,
  folder: string,
  base: BacktestBody,
  rounds: number,
): Promise<Figure[]> {
  const play = async (played: string, variants: number, workers: number) => {
    const odds = Array.from({ length: variants }, (_, n) => Number((1.5 + n / 1000).toFixed(3)));
    const plan = { base, grid: { '/rules/filter/min_odds': odds }, tapes: [played], group: GROUP };
    const out = join(folder, 'sweep');
    await sweep({ plan, folder: out, trials: join(folder, 'trials.jsonl'), workers });
    await rm(out, { recursive: true });
  };
  const byProcessor = (variants: number) => async () => {
    const began = process.cpuUsage();
    await play(tape, variants, 1);
    return processorMs(began);
  };
  const byClock = (workers: number) => async () => {
    const began = performance.now();
    await play(longer, VARIANTS, workers);
    return performance.now() - began;
  };
  const took = await interleaved(
    [
      { name: 'one', run: byProcessor(1) },
      { name: 'many', run: byProcessor(VARIANTS) },
      { name: '1', run: byClock(1) },
      { name: '2', run: byClock(2) },
    ],
    rounds,
  );
  const ratios = (name: string, beside: string) =>
    took(name).map((ms, round) => ms / (took(beside)[round] ?? Number.NaN));
  return [
    {
      name: `processor time of a sweep of ${VARIANTS} variants, × one variant`,
      unit: '',
      aim: atMost(10),
      rounds: ratios('many', 'one'),
      byProcessorTime: ratios('many', 'one'),
    },
    {
      name: `a sweep of ${VARIANTS} variants on two workers, × one`,
      unit: '',
      aim: atLeast(1.7),
      rounds: ratios('1', '2'),
      byProcessorTime: [],
    },
  ];
}
