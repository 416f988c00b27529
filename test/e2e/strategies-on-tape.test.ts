import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import type { TapeLine } from '../../src/adapters/tape/index.js';
import { NO_WON, YES_WON } from '../../src/core/market/lifecycle.js';
import type { Market } from '../../src/core/market/market.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { tape } from '../adapters/tape/tapes.js';
import { found } from '../support/audited.js';
import { freshSqliteFile } from '../support/databases.js';
import { aMatch, ends, inTime, says, shows, walk } from '../support/match-day.js';
import { seenAs } from '../support/seen-as.js';
import { comparable, type Played, playStrategies, type Traded } from '../support/traded-tape.js';

const ARSENAL = aMatch('a1');
const LEEDS = aMatch('b2', {}, '0.05');
const SPURS = aMatch('c3', { league: 'cup' });
const GAMES = [ARSENAL, LEEDS, SPURS];

const flat = { method: 'flat', value: 10 } as const;
const STRATEGIES: readonly Traded[] = [
  {
    name: 'cheap homes',
    rules: { outcome: { index: 0 }, filter: { minOdds: 2, maxSpread: '0.03' }, sizing: flat },
  },
  {
    name: 'against favourites',
    rules: {
      outcome: { favouriteRank: 1 },
      filter: { side: 'LAY', maxOdds: '1.8' },
      sizing: { method: 'fixed_liability', value: 20 },
    },
  },
  {
    name: 'again and again',
    rules: {
      match: { league: 'epl' },
      outcome: 'each',
      filter: { minOdds: '1.9', maxDrift: '0.06' },
      sizing: { method: 'fixed_fraction', value: '0.01' },
      limits: { maxBetsPerOutcome: 3, cooldown: '30s' },
    },
  },
];

/** How prices move. */
const STEPS = { low: 30, high: 70, most: 3 };

const cents = (count: number): string => `0.${String(count).padStart(2, '0')}`;

/** An afternoon of three games: their books move every 5 seconds for 10 minutes, and two get a result. */
function afternoon(games: readonly Market[] = GAMES): TapeLine[] {
  const lines = games.map((game) => says(game, 0));
  for (const [n, game] of games.entries()) {
    const mids = walk(n + 1, STEPS);
    for (let second = 2 + n; second < 600; second += 5) {
      const mid = mids.next().value;
      lines.push(shows(game, second, cents(mid - 1), cents(mid + 1)));
    }
  }
  const [first, second] = games;
  if (first !== undefined) lines.push(ends(first, 620, YES_WON));
  if (second !== undefined) lines.push(ends(second, 640, NO_WON));
  return inTime(lines, 660);
}

describe('Strategies that trade on a tape', () => {
  it('bet, and the books hold together to the end', async () => {
    const ledger = new MemoryLedger();
    const { bets, orders, faults, looks } = await playStrategies(tape(...afternoon()), STRATEGIES, { ledger });
    expect(faults).toEqual([]);
    expect(bets.length).toBeGreaterThan(6);
    expect(orders.map(({ id }) => id).sort()).toEqual(bets.map((bet) => 'orderId' in bet && bet.orderId).sort());
    expect(new Set(orders.map(({ state }) => state))).toEqual(new Set(['filled']));
    expect(new Set(looks.map(({ code }) => code)).size).toBeGreaterThan(3);
    expect(await found(ledger)).toEqual([]);
  });

  it('decide the same on every replay, even with a slow store', async () => {
    const path = tape(...afternoon());
    const once = await playStrategies(path, STRATEGIES);
    const again = await playStrategies(path, STRATEGIES);
    const slowly = await playStrategies(path, STRATEGIES, { ledger: slow(new MemoryLedger()) });
    expect(comparable(again)).toEqual(comparable(once));
    expect(comparable(slowly)).toEqual(comparable(once));
    expect(fills(again)).toEqual(fills(once));
    expect(fills(slowly)).toEqual(fills(once));
  });

  it('bet the same on a slow SQLite store as in memory', async () => {
    // Each change of a book makes several of them bet, and the next one comes before a slow store has taken their orders.
    const sizes = ['5', '10', '15'].map((value) => ({ method: 'flat', value: Number(value) }) as const);
    const limits = { maxBetsPerOutcome: 3, cooldown: '5s' } as const;
    const rules = { outcome: 'each', filter: { minOdds: '1.9' }, limits } as const;
    const many = sizes.map((sizing): Traded => ({ name: `each ${sizing.value}`, rules: { ...rules, sizing } }));
    const path = tape(...afternoon());
    const inMemory = await playStrategies(path, many);
    const file = freshSqliteFile();
    const store = await openSqlLedger(file.url);
    const onDisk = await playStrategies(path, many, { ledger: slow(store, 8) });
    expect(inAnyOrder(comparable(onDisk))).toEqual(inAnyOrder(comparable(inMemory)));
    expect(inAnyOrder(fills(onDisk))).toEqual(inAnyOrder(fills(inMemory)));
    const moments = new Set(inMemory.orders.map(({ placedAt }) => placedAt.getTime()));
    expect(inMemory.orders.length).toBeGreaterThan(2 * moments.size);
    expect([onDisk.faults, await found(store)]).toEqual([[], []]);
    await store.close();
    file.remove();
  });

  it('do not look ahead: a shorter tape gives the same earlier decisions', async () => {
    const lines = afternoon();
    const whole = comparable(await playStrategies(tape(...lines), STRATEGIES));
    const moments = [...new Set(whole.map((look) => ('at' in look ? String(look.at) : '')))];
    for (const moment of moments.filter((_, n) => n % Math.ceil(moments.length / 12) === 0)) {
      const before = (look: object) => 'at' in look && String(look.at) <= moment;
      const cut = lines.filter(({ at }) => at.toISOString() <= moment);
      const seen = comparable(await playStrategies(tape(...cut), STRATEGIES));
      // After the last line of a tape nothing is known any more: that is seen in the same moment, after all else.
      const expected = whole.filter(before);
      expect(seen.slice(0, expected.length)).toEqual(expected);
    }
  });

  it('all bet on many games at once while the tape waits', async () => {
    const games = Array.from({ length: 80 }, (_, n) => aMatch(`m${n}`));
    const lines = games.flatMap((game) => [says(game, 0), shows(game, 5, '0.47', '0.49')]);
    const rules = { outcome: { index: 0 }, filter: { minOdds: 2 }, sizing: { ...flat, value: 3 } } as const;
    const { orders, faults } = await playStrategies(tape(...inTime(lines, 30)), [{ name: 'every home', rules }]);
    expect([orders.length, faults]).toEqual([games.length, []]);
  });

  it('decide the same when the winner is planted in every game text', async () => {
    const plain = await playStrategies(tape(...afternoon()), STRATEGIES);
    const told = await playStrategies(tape(...afternoon(GAMES.map(planted))), STRATEGIES);
    expect(comparable(told)).toEqual(comparable(plain));
  });
});

/** The game, with its result in every text that a venue may write. */
function planted(game: Market, n: number): Market {
  const won = `${['home', 'away', 'home'][n]} won`;
  const slug = won.replace(' ', '-');
  return {
    ...game,
    question: won,
    slug: `${slug}-${n}`,
    venueId: `${n}${slug}`,
    event: { id: `${slug}-event-${n}`, slug: `${slug}-event-${n}`, title: won },
    outcomes: [
      { label: 'Home', tokenId: `${slug}-${n}-1` },
      { label: 'Away', tokenId: `${slug}-${n}-2` },
    ],
  };
}

/** What was bought when. */
const fills = ({ orders }: Played) => orders.map(({ placedAt, filled }) => ({ placedAt, filled }));

/** Those of one moment may be stored in any order. */
const inAnyOrder = (things: readonly object[]): readonly string[] =>
  things.map((one) => inspect(one, { depth: 5 })).sort();

/** A store that takes its time for every write. */
function slow(ledger: Ledger, turns = 20): Ledger {
  return seenAs(ledger, {
    write: async (scope, decide) => {
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
      return ledger.write(scope, decide);
    },
  });
}
