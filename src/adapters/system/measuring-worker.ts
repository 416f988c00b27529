import { parentPort, workerData } from 'node:worker_threads';
import { betPlotsOf } from '../../core/performance/bet-plots.js';
import { type CountedBet, type ResultTerms, resultsOfBets } from '../../core/performance/results.js';

// What a thread runs: it takes pages of bets until null comes, and answers with their rows, or without terms with what plots need.
const terms = workerData as ResultTerms | null;
const bets: CountedBet[] = [];
parentPort?.on('message', (page: readonly CountedBet[] | null) => {
  if (page === null) parentPort?.postMessage(terms === null ? betPlotsOf(bets) : resultsOfBets(bets, terms));
  else bets.push(...page);
});
