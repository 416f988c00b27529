import { parentPort, workerData } from 'node:worker_threads';
import { playShare, type StrategyShare } from './play-share.js';
import type { WorkerReport } from './workers.js';

const REPORTS_EVERY_MS = 250;

const report = (what: WorkerReport): void => parentPort?.postMessage(what);
const ending = new AbortController();
parentPort?.on('message', () => ending.abort());
let reporting: NodeJS.Timeout | undefined;
const played = await playShare(workerData as StrategyShare, {
  signal: ending.signal,
  onTape: (tape) => {
    reporting = setInterval(() => report({ type: 'reached', at: tape.now() }), REPORTS_EVERY_MS);
  },
}).finally(() => clearInterval(reporting));
report({ type: 'played', played });
