import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ResultTerms } from '../../core/performance/results.js';
import type { BetMeasuring } from '../../ports/bet-measuring.js';

/** Threads that measure at one time. 100,000 bets of a SQLite file took 12 s and 200 MB, and 19 s with the bootstrap: most of it to read them. */
const AT_ONCE = 2;

type Pages = Parameters<BetMeasuring['plot']>[0];

/** Measures bets on threads of their own, at most two at a time: whoever comes later waits, and reads no bets before its turn. */
export class MeasuringThreads implements BetMeasuring {
  readonly #waiting: (() => void)[] = [];
  #free = AT_ONCE;

  /** @throws what reading the bets throws, or the thread */
  measure(...[pages, terms]: Parameters<BetMeasuring['measure']>): ReturnType<BetMeasuring['measure']> {
    return this.#inTurn(() => onThread(pages, terms));
  }

  /** @throws what reading the bets throws, or the thread */
  plot(pages: Pages): ReturnType<BetMeasuring['plot']> {
    return this.#inTurn(() => onThread(pages, null));
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

async function onThread<T>(pages: Pages, terms: ResultTerms | null): Promise<T> {
  // Of the package as it is built, whichever file of it this code is in.
  const core = createRequire(import.meta.url).resolve('stakeport/core');
  const worker = new Worker(join(dirname(core), 'measuring-worker.js'), { workerData: terms });
  const measured = new Promise<T>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('a thread ended before its bets were measured')));
  });
  // A failure is thrown below.
  measured.catch(() => {});
  try {
    for await (const page of pages) worker.postMessage(page);
    worker.postMessage(null);
    return await measured;
  } finally {
    await worker.terminate();
  }
}
