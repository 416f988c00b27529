import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TapeUnreadable } from '../adapters/tape/tape-unreadable.js';
import type { PlayedShare, StrategyShare } from './play-share.js';

/** What a worker reports: the moment that it has reached, and then what came of its share. */
export type WorkerReport =
  | { readonly type: 'reached'; readonly at: Date }
  | { readonly type: 'played'; readonly played: PlayedShare };

/** Shares of the same size, as many as there are workers or strategies: each strategy is in one of them. */
export function sharesOf(share: StrategyShare, workers: number): readonly StrategyShare[] {
  const many = Math.max(1, Math.min(workers, share.strategies.length));
  return Array.from({ length: many }, (_, worker) => ({
    ...share,
    strategies: share.strategies.filter((_strategy, at) => at % many === worker),
  }));
}

/** Plays each share on a thread of its own, over the whole of the tapes. @throws TapeUnreadable, or what a worker throws */
export async function playOnWorkers(
  shares: readonly StrategyShare[],
  { signal, onReached }: { readonly signal?: AbortSignal | undefined; readonly onReached: (at: Date) => void },
): Promise<readonly PlayedShare[]> {
  // Of the package as it is built, whichever file of it this code is in.
  const entry = join(dirname(createRequire(import.meta.url).resolve('stakeport/backtest')), 'backtest-worker.js');
  const reached = new Map<number, Date>();
  const workers = shares.map((share) => new Worker(entry, { workerData: share }));
  const end = () => {
    for (const worker of workers) worker.postMessage('end');
  };
  signal?.addEventListener('abort', end);
  if (signal?.aborted === true) end();
  try {
    return await Promise.all(
      workers.map((worker, at) =>
        playedBy(worker, (moment) => {
          reached.set(at, moment);
          if (reached.size === workers.length) onReached([...reached.values()].reduce((a, b) => (a < b ? a : b)));
        }),
      ),
    );
  } finally {
    signal?.removeEventListener('abort', end);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function playedBy(worker: Worker, onReached: (at: Date) => void): Promise<PlayedShare> {
  return new Promise((resolve, reject) => {
    worker.on('message', (report: WorkerReport) => {
      if (report.type === 'played') resolve(report.played);
      else onReached(report.at);
    });
    worker.on('error', (error) => reject(asThrown(error)));
    worker.on('exit', () => reject(new Error('a worker ended before its share was played')));
  });
}

/** An error of another thread has lost its class. */
function asThrown(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'TapeUnreadable') return error;
  const [, line, reason] = /^line (\d+) of the tape: (.*)$/s.exec(error.message) ?? [];
  return line === undefined
    ? new TapeUnreadable(null, error.message.replace(/^the tape /, ''))
    : new TapeUnreadable(Number(line), reason ?? '');
}
