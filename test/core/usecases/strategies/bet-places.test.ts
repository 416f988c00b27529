import { expect, test } from 'vitest';
import type { AccountId, StrategyId } from '../../../../src/core/ids.js';
import { WatchedMarket } from '../../../../src/core/strategy/watch/watched-market.js';
import { Watcher } from '../../../../src/core/strategy/watch/watcher.js';
import { BetPlaces, type Looking } from '../../../../src/core/usecases/strategies/background/judge-market.js';
import type { Judgement } from '../../../../src/core/usecases/strategies/judgement.js';
import { ALICE, aMarket, aStrategy, BOB, countingIds } from '../../../support/builders.js';

const JUDGED = {} as Judgement;

/** Bets that are on record when the test says so. */
function fixture() {
  const began: AccountId[] = [];
  const ends: (() => void)[] = [];
  const place = ({ strategy }: Watcher) =>
    new Promise<void>((end) => {
      began.push(strategy.account);
      ends.push(end);
    });
  const places = new BetPlaces(
    place,
    () => JUDGED,
    () => {},
  );
  const watched = new WatchedMarket(aMarket());
  const lookings = (account: AccountId, many: number): Looking[] =>
    Array.from({ length: many }, () => {
      const watcher = new Watcher(aStrategy({ account, id: countingIds.next() as StrategyId }), 'YES');
      watched.put(watcher);
      return { watcher, judged: { watched, viewNow: () => ({ ...watched.view(), others: [] }) } };
    });
  const bet = (looking: Looking) => {
    if (places.take(looking)) void places.use(looking, JUDGED);
  };
  return { began, ends, lookings, bet };
}

test("pending bets of one account do not delay a second account's bet", () => {
  const { began, lookings, bet } = fixture();
  for (const one of lookings(ALICE, 200)) bet(one);
  for (const one of lookings(BOB, 1)) bet(one);
  expect(began.filter((account) => account === BOB)).toHaveLength(1);
});

test('a place that becomes free goes to the next account in turn', async () => {
  const { began, ends, lookings, bet } = fixture();
  for (const one of lookings(ALICE, 200)) bet(one);
  for (const one of lookings(BOB, 40)) bet(one);
  const before = began.length;
  // Both hold places, so that the last quarter waits for others.
  for (const end of ends.splice(0, 5)) end();
  await expect.poll(() => began.length).toBe(before + 4);
  expect(began.slice(before)).toEqual([ALICE, BOB, ALICE, BOB]);
});
