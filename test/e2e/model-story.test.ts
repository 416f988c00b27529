import { expect, test } from 'vitest';
import { NO_WON, YES_WON } from '../../src/core/market/lifecycle.js';
import { pastNoon, tape } from '../adapters/tape/tapes.js';
import { ORDERS, SIGNALS, STRATEGIES } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client, type Reply } from '../support/http.js';
import { aMatch, ends, inTime, says, shows } from '../support/match-day.js';
import { startServer } from '../support/processes.js';
import { stakeport } from './command-line.js';
import { idOf, until } from './trading.js';

/** Games whose books open at a share of 0.50 for Home, two minutes after noon. */
const [LAYABLE, LATE] = [aMatch('layable', {}, '0.05'), aMatch('late', {}, '0.05')];
const OTHERS = ['sure', 'fair', 'unknown', 'old', 'wild'].map((name) => aMatch(name, {}, '0.05'));
const GAMES = [...OTHERS, LAYABLE, LATE];

/** What the model says of Home, and for how long after noon. */
const SAID: Readonly<Record<string, readonly [number, number]>> = {
  sure: [0.58, 900],
  layable: [0.42, 900],
  fair: [0.52, 900],
  old: [0.6, 60],
  wild: [0.9, 900],
  late: [0.5, 900],
};

function afternoon(): string {
  const lines = GAMES.flatMap((game) => [
    says(game, 0),
    shows(game, 120, '0.49', '0.50'),
    shows(game, 150, '0.49', '0.51'),
  ]);
  // The price of one game falls below what the model thinks of it, long after the others.
  lines.push(shows(LATE, 180, '0.42', '0.43'));
  lines.push(...GAMES.map((game) => ends(game, 200, game === LAYABLE ? NO_WON : YES_WON)));
  return tape(...inTime(lines, 280));
}

interface Decision {
  readonly market_id: string;
  readonly verdict: string;
  readonly code: string | null;
  readonly outcome_label: string;
  readonly probability: string;
  readonly edge: string;
  readonly order_id: string;
}

test("a user's model posts signals, and only markets with edge get bets", async () => {
  const database = freshSqliteFile();
  const env = { DATABASE_URL: database.url, MARKET_DATA: `tape:${afternoon()}`, TAPE_SPEED: '15', LOG_LEVEL: 'warn' };
  const server = await startServer({ env });
  const client = new Client(server.url);

  // Before any book is there, the model says what it thinks of six of the seven games.
  const signals = Object.entries(SAID).map(([name, [home, seconds]]) => ({
    market_id: `${name}-slug`,
    probabilities: { Home: home },
    expires_at: pastNoon(seconds * 1000).toISOString(),
  }));
  expect((await client.put(`${SIGNALS}/elo`, { signals })).status).toBe(200);

  // Two strategies believe it: one backs what it holds for too cheap, one lays what it holds for too dear.
  const strategy = (side: 'BACK' | 'LAY', sizing: object) => ({
    name: `elo ${side}`,
    sport: 'soccer',
    bankroll_cap: 1000,
    stake_cap: 50,
    automation: 'auto',
    rules: { outcome: { label: 'Home' }, filter: { side, min_edge: 0.05 }, signal: { name: 'elo' }, sizing },
  });
  const kelly = { method: 'kelly', value: 0.25 };
  const backing = await client.post(STRATEGIES, strategy('BACK', kelly));
  const laying = await client.post(STRATEGIES, strategy('LAY', { method: 'fixed_liability', value: 20 }));
  expect([backing.status, laying.status]).toEqual([201, 201]);

  // The afternoon takes its course, to the results.
  const orders = async () => (await client.get(ORDERS)).json<{ data: { id: string; status: string }[] }>().data;
  const states = async () => (await orders()).map(({ status }) => status);
  // One bet too many, or one that is refused, ends the wait too.
  await until(async () => (await orders()).length > 3 || `${await states()}` === 'settled,settled,settled');
  expect(await states()).toEqual(['settled', 'settled', 'settled']);

  const decided = async (made: Reply, verdict: string): Promise<Decision[]> => {
    const reply = await client.get(`${STRATEGIES}/${idOf(made)}/decisions?limit=100&verdict=${verdict}`);
    return reply.json<{ data: Decision[] }>().data;
  };
  const nameOf = ({ market_id }: Decision) => market_id.slice(2);
  const [backed, laid] = [await decided(backing, 'bet'), await decided(laying, 'bet')];
  expect(backed.map((bet) => [nameOf(bet), bet.outcome_label, bet.probability])).toEqual([
    ['late', 'Home', '0.5'],
    ['sure', 'Home', '0.58'],
  ]);
  expect(laid.map((bet) => [nameOf(bet), bet.outcome_label, bet.probability])).toEqual([['layable', 'Away', '0.42']]);
  for (const { edge } of [...backed, ...laid]) expect(Number(edge)).toBeGreaterThanOrEqual(0.05);

  // Of the others it can tell why not, beside that they are over at last.
  const skips = (await decided(backing, 'skip')).filter(({ code }) => code !== 'not_matched:status');
  expect(new Set(skips.map((skip) => `${nameOf(skip)} ${skip.code}`))).toEqual(
    new Set([
      'fair no_edge',
      'layable no_edge',
      'late no_edge',
      'unknown input_missing:probability',
      'old signal_expired',
      'wild implausible_signal',
    ]),
  );

  // Each bet is its order; the money is right to the last micro-dollar.
  expect((await orders()).map(({ id }) => id).sort()).toEqual(
    [...backed, ...laid].map(({ order_id }) => order_id).sort(),
  );
  await server.kill('SIGTERM');
  const { code, output } = await stakeport({ env }, 'audit');
  expect([code, output]).toEqual([0, expect.stringContaining('The books hold.')]);
  database.remove();
});
