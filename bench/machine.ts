import { execFile } from 'node:child_process';
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { ROOT } from '../test/support/build.js';

/** Where and of what a figure was measured. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
  /** Of the source, with `+` where it was changed since. */
  readonly commit: string;
  /** Processes that ran or waited, over the last 15 minutes: far above the number of cores, others were at work. */
  readonly load: number;
}

/** The machine as it is now. */
export async function machine(): Promise<Machine> {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
    commit: await commit(),
    load: Number((loadavg()[2] ?? 0).toFixed(1)),
  };
}

/** In one line. */
export const machineLine = ({ processor, cores, memoryGb, system, node, commit, load }: Machine): string =>
  `${processor}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, commit ${commit}, load ${load}`;

async function commit(): Promise<string> {
  const git = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd: ROOT })).stdout.trim();
  try {
    const changed = await git('status', '--porcelain', '--untracked-files=no');
    return `${await git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}
