import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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

const COMMAND = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));

/** A sweep of many variants beside one of one, by processor time; and the command on two workers beside one, by the clock. */
export async function sweeps(
  { tape, longer }: SweptTapes,
  folder: string,
  base: BacktestBody,
  rounds: number,
): Promise<Figure[]> {
  const [out, trials] = [join(folder, 'sweep'), join(folder, 'trials.jsonl')];
  const planOf = (played: string, variants: number) => {
    const odds = Array.from({ length: variants }, (_, n) => Number((1.5 + n / 1000).toFixed(3)));
    return { base, grid: { '/rules/filter/min_odds': odds }, tapes: [played], group: GROUP };
  };
  const byProcessor = (variants: number) => async () => {
    const began = process.cpuUsage();
    await sweep({ plan: planOf(tape, variants), folder: out, trials, workers: 1 });
    await rm(out, { recursive: true });
    return processorMs(began);
  };
  // A process of its own each time, as for whoever types it: in one that has swept before, the first worker is warm.
  const byClock = (workers: number) => async () => {
    const plan = join(folder, 'plan.json');
    await writeFile(plan, JSON.stringify(planOf(longer, VARIANTS)));
    const began = performance.now();
    const asked = ['sweep', plan, '--out', out, '--trials', trials, '--workers', `${workers}`];
    await promisify(execFile)(process.execPath, [COMMAND, ...asked]);
    const took = performance.now() - began;
    await rm(out, { recursive: true });
    return took;
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
