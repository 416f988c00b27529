import { parentPort, workerData } from 'node:worker_threads';
import { type CountedBet, type ResultTerms, resultsOfBets } from '../../core/performance/results.js';

// What a thread runs: it takes pages of bets until null comes, and answers with their rows.
const bets: CountedBet[] = [];
parentPort?.on('message', (page: readonly CountedBet[] | null) => {
  if (page === null) parentPort?.postMessage(resultsOfBets(bets, workerData as ResultTerms));
  else bets.push(...page);
});
