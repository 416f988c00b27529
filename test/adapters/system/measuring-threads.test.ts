import { describe, expect, it } from 'vitest';
import { MeasuringThreads } from '../../../src/adapters/system/measuring-threads.js';
import { betPlotsOf } from '../../../src/core/performance/bet-plots.js';
import { type CountedBet, type ResultTerms, resultsOfBets } from '../../../src/core/performance/results.js';
import { someBets } from '../../support/backtest-runs.js';
import { usdc } from '../../support/builders.js';

const TERMS: ResultTerms = {
  by: 'league',
  interval: 'bootstrap',
  seed: '0123456789abcdeffedcba9876543210',
  books: new Map([['paper', { opening: usdc('1000') }]]),
};

const counted = (count: number): readonly CountedBet[] =>
  someBets(count).map((bet) => ({ bet, key: bet.league, isMarked: true }));

async function* pagesOf(bets: readonly CountedBet[], end?: Error): AsyncGenerator<readonly CountedBet[]> {
  for (let from = 0; from < bets.length; from += 7) yield bets.slice(from, from + 7);
  if (end !== undefined) throw end;
}

describe('Bets that are measured on a thread', () => {
  it('have the rows that they have on this one', async () => {
    const bets = counted(50);
    expect(await new MeasuringThreads().measure(pagesOf(bets), TERMS)).toEqual(resultsOfBets(bets, TERMS));
  });

  it('have the plots that they have on this one', async () => {
    const bets = counted(50);
    expect(await new MeasuringThreads().plot(pagesOf(bets))).toEqual(betPlotsOf(bets));
  });

  it('end with what went wrong while they were read', async () => {
    const threads = new MeasuringThreads();
    const failing = threads.measure(pagesOf(counted(8), new Error('the disk is gone')), TERMS);
    await expect(failing).rejects.toThrow('the disk is gone');
    expect(await threads.measure(pagesOf([]), TERMS)).toEqual([]);
  });

  it('end with what went wrong while they were measured', async () => {
    const wrong = [{ bet: null, key: null, isMarked: true }] as unknown as readonly CountedBet[];
    await expect(new MeasuringThreads().measure(pagesOf(wrong), TERMS)).rejects.toThrow('null');
  });

  it('wait while two others are under way, and are not read before their turn', async () => {
    const threads = new MeasuringThreads();
    const reading = new Set<number>();
    let most = 0;
    async function* watched(number: number) {
      reading.add(number);
      most = Math.max(most, reading.size);
      yield* pagesOf(counted(7));
      reading.delete(number);
    }
    await Promise.all([1, 2, 3, 4, 5].map((number) => threads.measure(watched(number), TERMS)));
    expect(most).toBeLessThanOrEqual(2);
  });
});
