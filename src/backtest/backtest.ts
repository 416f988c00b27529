import type { Ledger } from '../ports/ledger.js';
import { type BacktestOptions, BacktestRefused, planBacktest } from './backtest-plan.js';
import type { BacktestRun } from './backtest-run.js';
import { runOf } from './merge-shares.js';
import { playOnWorkers, playReporting, sharesOf } from './workers.js';

const MOST_WORKERS = 64;

/** How far a backtest has come. */
export interface BacktestProgress {
  readonly at: Date;
  readonly done: number;
}

/** Where a backtest is played, and who ends it or follows it. */
export interface BacktestPlace {
  /** Ends it: what was reached by then is the run, and marked as partial. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the moment of the tapes that is reached, and which part of them that is, from 0 to 1. */
  readonly onProgress?: (progress: BacktestProgress) => void;
  /** How many threads share out the strategies: none where they share an account, a ledger is given, or a function decides. It changes nothing else. */
  readonly workers?: number;
  /** Keeps everything that goes on record; by default it is gone afterwards. It is not closed. */
  readonly ledger?: Ledger;
}

/**
 * Plays strategies over tapes, by the code that trades: the same rules, limits, paper venue and settlement, on the tape's time. What it
 * finds depends on its options and tapes alone.
 * @throws BacktestRefused, BacktestTapeUnreadable, TapeUnreadable for a line that shows only when it is played
 *
 * @example
 * ```ts
 * import { backtest } from 'stakeport/backtest';
 *
 * const rules = { outcome: { index: 0 }, filter: { min_odds: 2 }, sizing: { method: 'flat', value: 10 } };
 * const homes = { name: 'homes', sport: 'soccer', rules, bankroll_cap: 500, stake_cap: 50 };
 * const { played } = await backtest({ tapes: 'season.jsonl.gz', strategies: [homes] });
 * console.log(played[0]?.bets.length);
 * ```
 */
export async function backtest(options: BacktestOptions & BacktestPlace): Promise<BacktestRun> {
  const { ledger, signal, onProgress = () => {}, workers = 1, ...asked } = options;
  if (!Number.isInteger(workers) || workers < 1 || workers > MOST_WORKERS)
    throw new BacktestRefused('options', `workers must be 1 to ${MOST_WORKERS}.`);
  const plan = await planBacktest(asked);
  const { together, tapes, until } = plan.terms;
  const share = {
    ...plan.terms,
    strategies: plan.strategies.map(({ draft, account, match, proposer }) => ({
      draft,
      account,
      match,
      ...(proposer && { proposer }),
    })),
  };
  const began = Math.min(...tapes.map(({ index }) => index.began.getTime()));
  const onReached = (at: Date) => onProgress(progressOf(at, began, until.getTime()));
  // One account, and one ledger, are one share. A function stays on its thread.
  const isOne = together || ledger !== undefined || share.strategies.some((one) => 'proposer' in one);
  const shares = sharesOf(share, isOne ? 1 : workers);
  if (shares.length > 1) return runOf(plan, await playOnWorkers(shares, { signal, onReached }));
  return runOf(plan, [await playReporting(share, { ledger, signal, onReached })]);
}

function progressOf(at: Date, began: number, until: number): BacktestProgress {
  const whole = until - began;
  return { at, done: whole <= 0 ? 1 : Math.min(1, Math.max(0, (at.getTime() - began) / whole)) };
}
