import { parentPort, workerData } from 'node:worker_threads';
import type { StrategyShare } from './play-share.js';
import { playReporting, type WorkerReport } from './workers.js';

const report = (what: WorkerReport): void => parentPort?.postMessage(what);
const ending = new AbortController();
parentPort?.on('message', () => ending.abort());
const onReached = (at: Date) => report({ type: 'reached', at });
report({
  type: 'played',
  played: await playReporting(workerData as StrategyShare, { signal: ending.signal, onReached }),
});
