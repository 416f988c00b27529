import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TapeMarketData } from '../adapters/tape/tape-market-data.js';
import { TapeUnreadable } from '../adapters/tape/tape-unreadable.js';
import type { MarketId } from '../core/ids.js';
import {
  marketsFor,
  type PlayedShare,
  type PlayPlace,
  playShare,
  type SharedStrategy,
  type StrategyShare,
} from './play-share.js';

/** What a worker reports: the moment that it has reached, and then what came of its share. */
export type WorkerReport =
  | { readonly type: 'reached'; readonly at: Date }
  | { readonly type: 'played'; readonly played: PlayedShare };

/**
 * Shares of the same size, as many as there are workers or strategies: each strategy is in one of them. Strategies that find the same
 * markets are in one as far as there is room, and a share has the changes of no other markets than its strategies need.
 */
export function sharesOf(share: StrategyShare, workers: number): readonly StrategyShare[] {
  const many = Math.max(1, Math.min(workers, share.strategies.length));
  if (many === 1) return [share];
  const dealt = dealtTo(many, share.strategies);
  const shares = dealt.map((own) => ({ ...share, strategies: share.strategies.filter((one) => own.has(one)) }));
  const counted = new Set<MarketId>();
  return shares.map((one) => {
    const played = marketsFor(one.strategies, share.tapes);
    const own = new Set([...played].filter((id) => !counted.has(id)));
    for (const id of own) counted.add(id);
    return { ...one, markets: { played, counted: own } };
  });
}

/** The largest groups first, each whole where the emptiest share has room for it. */
function dealtTo(many: number, strategies: readonly SharedStrategy[]): readonly ReadonlySet<SharedStrategy>[] {
  const groups = new Map<string, SharedStrategy[]>();
  for (const one of strategies) {
    const name = JSON.stringify(one.match);
    const own = groups.get(name);
    if (own === undefined) groups.set(name, [one]);
    else own.push(one);
  }
  const room = Math.ceil(strategies.length / many);
  const shares = Array.from({ length: many }, () => new Set<SharedStrategy>());
  const emptiest = () => shares.reduce((least, one) => (one.size < least.size ? one : least));
  for (const group of [...groups.values()].sort((a, b) => b.length - a.length)) {
    const own = emptiest();
    const isWhole = own.size + group.length <= room;
    for (const one of group) (isWhole ? own : emptiest()).add(one);
  }
  return shares;
}

/**
 * Plays each share on a thread of its own, the first of them on this one, which has loaded and compiled by now what plays it.
 * @throws TapeUnreadable, or what a worker throws
 */
export async function playOnWorkers(
  shares: readonly StrategyShare[],
  { signal, onReached }: { readonly signal?: AbortSignal | undefined; readonly onReached: (at: Date) => void },
): Promise<readonly PlayedShare[]> {
  const reached = new Map<number, Date>();
  const ending = new AbortController();
  const end = () => ending.abort();
  signal?.addEventListener('abort', end);
  if (signal?.aborted === true) end();
  const playing = shares.map((share, at) => {
    const onShareReached = (moment: Date) => {
      reached.set(at, moment);
      if (reached.size === shares.length) onReached([...reached.values()].reduce((a, b) => (a < b ? a : b)));
    };
    return (at === 0 ? playReporting : playOnThread)(share, { signal: ending.signal, onReached: onShareReached });
  });
  try {
    return await Promise.all(playing);
  } finally {
    signal?.removeEventListener('abort', end);
    ending.abort();
    await Promise.allSettled(playing);
  }
}

/** Plays a share on a thread of its own. @throws TapeUnreadable, or what the worker throws */
export async function playOnThread(
  share: StrategyShare,
  { signal, onReached }: { readonly signal?: AbortSignal | undefined; readonly onReached: (at: Date) => void },
): Promise<PlayedShare> {
  // Of the package as it is built, whichever file of it this code is in.
  const library = dirname(createRequire(import.meta.url).resolve('stakeport/backtest'));
  const entry = join(library, 'backtest-worker.js');
  const worker = new Worker(entry, { workerData: share });
  const end = () => worker.postMessage('end');
  signal?.addEventListener('abort', end);
  if (signal?.aborted === true) end();
  try {
    return await playedBy(worker, onReached);
  } finally {
    signal?.removeEventListener('abort', end);
    await worker.terminate();
  }
}

const REPORTS_EVERY_MS = 250;

/** Plays a share on this thread, and reports where it begins, now and then which moment it has reached, and where it ended. @throws as `playShare` */
export async function playReporting(
  share: StrategyShare,
  { onReached, ...place }: Pick<PlayPlace, 'ledger' | 'signal'> & { readonly onReached: (at: Date) => void },
): Promise<PlayedShare> {
  let reporting: NodeJS.Timeout | undefined;
  const onTape = (tape: TapeMarketData) => {
    onReached(tape.now());
    reporting = setInterval(() => onReached(tape.now()), REPORTS_EVERY_MS);
  };
  try {
    const played = await playShare(share, { ...place, onTape });
    onReached(played.reached);
    return played;
  } finally {
    clearInterval(reporting);
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
