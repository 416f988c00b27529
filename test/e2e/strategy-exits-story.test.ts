import { expect, test } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import { startServer } from '../../src/server/index.js';
import { pastNoon, tape } from '../adapters/tape/tapes.js';
import { EVENTS, ORDERS, PORTFOLIO, SIGNALS, STRATEGIES } from '../support/app.js';
import { found } from '../support/audited.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { aMatch, inTime, says, shows } from '../support/match-day.js';
import { idOf, until } from './trading.js';

const FEE = '0.05';
const [RISES, FALLS, DOUBTFUL, LASTS] = ['rises', 'falls', 'doubtful', 'lasts'].map((name) => aMatch(name, {}, FEE));
/** Begins ten minutes and a half after the tape does. */
const STARTS = aMatch('starts', { startsAt: pastNoon(690_000) }, FEE);
const GAMES = [RISES, FALLS, DOUBTFUL, LASTS, STARTS].flatMap((game) => game ?? []);

/** A minute after noon all of them are offered at 0.50, and then each goes its way. */
function afternoon(): string {
  const moves = [
    [RISES, 70, '0.60', '0.62'],
    [FALLS, 75, '0.39', '0.41'],
    [DOUBTFUL, 80, '0.56', '0.58'],
  ] as const;
  const lines = GAMES.flatMap((game) => [says(game, 0), shows(game, 60, '0.49', '0.50')]);
  for (const [game, second, bid, ask] of moves) if (game) lines.push(shows(game, second, bid, ask));
  return tape(...inTime(lines, 150));
}

interface Decision {
  readonly market_id: string;
  readonly bound_by: string;
  readonly price: string;
  readonly shares: string;
  readonly slot: number | null;
}

test('a strategy exits five bets by five rules with the right money', async () => {
  const database = freshSqliteFile();
  const here = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: database.url };
  const server = await startServer({ env: { ...here, MARKET_DATA: `tape:${afternoon()}`, TAPE_SPEED: '25' } });
  const client = new Client(server.url);
  const signals = GAMES.map(({ slug }) => ({
    market_id: slug,
    probabilities: { Home: 0.55 },
    expires_at: pastNoon(900_000).toISOString(),
  }));
  expect((await client.put(`${SIGNALS}/elo`, { signals })).status).toBe(200);
  const exit = {
    take_profit: { price: 0.6 },
    stop: { price: 0.4 },
    before_start: '10m',
    after: '1m',
    edge_below: 0.01,
  };
  const made = await client.post(STRATEGIES, {
    name: 'in and out',
    sport: 'soccer',
    bankroll_cap: 1000,
    stake_cap: 50,
    automation: 'auto',
    rules: {
      outcome: { label: 'Home' },
      filter: { min_odds: 1.9 },
      sizing: { method: 'flat', value: 10.25 },
      signal: { name: 'elo', required: false },
      exit,
    },
  });
  expect(made.status).toBe(201);

  const orders = async () => (await client.get(`${ORDERS}?limit=100`)).json<{ data: { status: string }[] }>().data;
  await until(async () => (await orders()).filter(({ status }) => status === 'filled').length === 10);
  const path = `${STRATEGIES}/${idOf(made)}/decisions?verdict=bet&limit=100`;
  const sales = (await client.get(path)).json<{ data: Decision[] }>().data.filter((one) => one.slot === null);
  expect(sales.map((sale) => [sale.market_id.slice(2), sale.bound_by, sale.shares, sale.price])).toEqual([
    ['lasts', 'exit/after', '20', '0.49'],
    ['starts', 'exit/before_start', '20', '0.49'],
    ['doubtful', 'exit/edge_below', '20', '0.56'],
    ['falls', 'exit/stop', '20', '0.39'],
    ['rises', 'exit/take_profit', '20', '0.6'],
  ]);
  const told = (await client.get(`${EVENTS}?types=decision.exit&limit=100`)).json<{ data: unknown[] }>().data;
  expect(told).toHaveLength(5);

  // Each bought 20 shares at 0.50; they were sold for 12, 7.8, 11.2, 9.8 and 9.8. A share costs 0.05 × p × (1 − p) each time.
  expect((await client.get(`${PORTFOLIO}?paper=true`)).json()).toMatchObject({
    cash_usdc: '99998.1259',
    equity_usdc: '99998.1259',
    positions: [],
    realised_usdc: '0.6',
    unrealised_usdc: '0',
    fees_usdc: '2.4741',
    profit_usdc: '-1.8741',
  });
  await server.close();
  const ledger = await openSqlLedger(database.url);
  expect(await found(ledger)).toEqual([]);
  await ledger.close();
  database.remove();
});
