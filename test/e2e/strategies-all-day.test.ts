import { expect, test } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import { NO_WON, YES_WON } from '../../src/core/market/lifecycle.js';
import type { Price } from '../../src/core/money.js';
import { tape } from '../adapters/tape/tapes.js';
import { found } from '../support/audited.js';
import { freshSqliteFile } from '../support/databases.js';
import { aMatch, ends, inTime, says, shows } from '../support/match-day.js';
import { runs } from '../support/runs.js';
import { playStrategies, type Traded } from '../support/traded-tape.js';

/** In `npm run soak` a whole day: 1000 strategies on 500 markets. */
const STRATEGIES = runs(50);
const MARKETS = runs(25);
const LEAGUES = 10;
/** How often the book of each market moves. */
const MOVES = 20;
const EVERY_SECONDS = 30;

/** Numbers from 0 to `below`, the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const games = Array.from({ length: MARKETS }, (_, n) => aMatch(`d${n}`, { league: `league-${n % LEAGUES}` }, '0.05'));
const below = numbers(3);
const offers = games.map(() => Array.from({ length: MOVES }, () => 30 + below(40)));

function day(): string {
  const lines = games.map((game) => says(game, 0));
  for (const [n, game] of games.entries())
    for (const [move, cents] of (offers[n] ?? []).entries()) {
      const price = (count: number) => `0.${String(count).padStart(2, '0')}`;
      lines.push(shows(game, 5 + move * EVERY_SECONDS + (n % EVERY_SECONDS), price(cents - 2), price(cents)));
    }
  const over = MOVES * EVERY_SECONDS + 40;
  for (const [n, game] of games.entries()) lines.push(ends(game, over + (n % 60), n % 3 === 0 ? NO_WON : YES_WON));
  return tape(...inTime(lines, over + 100));
}

/** The n-th strategy backs the first outcome of the games of a league, once it is offered at so many cents or less. */
const dearest = (n: number): number => 31 + ((n * 7) % 38);
const strategyOf = (n: number): Traded => ({
  name: `strategy ${n}`,
  bankrollCap: 10_000,
  stakeCap: 5,
  rules: {
    match: { league: `league-${n % LEAGUES}`, market: 'moneyline' },
    outcome: { index: 0 },
    // What a share costs with its fee.
    filter: { minOdds: oddsOf(dearest(n)), maxSpread: '0.05' },
    sizing: { method: 'flat', value: 3 },
  },
});

function oddsOf(cents: number): string {
  const price = (BigInt(cents) * 10_000n) as Price;
  const fee = (50_000n * price * (1_000_000n - price)) / 1_000_000_000_000n;
  return (Number((1_000_000n * 1_000_000n) / (price + fee) - 10n) / 1e6).toFixed(6);
}

test(`a day of ${STRATEGIES} strategies on ${MARKETS} markets loses no decision`, {
  timeout: runs(600_000),
}, async () => {
  const file = freshSqliteFile();
  const ledger = await openSqlLedger(file.url);
  const drafts = Array.from({ length: STRATEGIES }, (_, n) => strategyOf(n));
  const { bets, orders, faults, strategies } = await playStrategies(day(), drafts, {
    ledger,
    settleEveryMs: 30_000,
  });
  expect(faults).toEqual([]);

  // Each strategy bets once on each game of its league that was ever offered at its price, and on no other.
  const expected = drafts.flatMap(({ name }, n) =>
    games.flatMap(({ id, league }, game) => {
      const isCheap = (offers[game] ?? []).some((cents) => cents <= dearest(n));
      return league === `league-${n % LEAGUES}` && isCheap ? [`${name} ${id}`] : [];
    }),
  );
  const names = new Map(strategies.map(({ id, name }) => [id, name]));
  expect(bets.map(({ strategyId, marketId }) => `${names.get(strategyId)} ${marketId}`).sort()).toEqual(
    expected.sort(),
  );
  expect(orders).toHaveLength(expected.length);
  expect(await found(ledger)).toEqual([]);
  const heap = Math.round(process.memoryUsage().heapUsed / 1e6);
  console.info(`${bets.length} bets of ${STRATEGIES} strategies on ${MARKETS} markets; heap ${heap} MB at the end`);
  expect(heap).toBeLessThan(1500);
  await ledger.close();
  file.remove();
});
