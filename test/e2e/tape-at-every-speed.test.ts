import { describe, expect, it } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import type { TapeLine } from '../../src/adapters/tape/index.js';
import { YES_WON } from '../../src/core/market/lifecycle.js';
import { createLogger } from '../../src/server/http/log.js';
import { openServer } from '../../src/server/http/server.js';
import { readConfig } from '../../src/server/settings/config.js';
import { createStakeport } from '../../src/stakeport/create-stakeport.js';
import type { LimitsRequest } from '../../src/stakeport/limits.js';
import { pastNoon, tape } from '../adapters/tape/tapes.js';
import { ORDER, ORDERS } from '../support/app.js';
import { ALICE } from '../support/builders.js';
import { freshSqliteFile } from '../support/databases.js';
import { EventReader } from '../support/event-reader.js';
import { Client } from '../support/http.js';
import { aMatch, ends, inTime, says, shows, walk } from '../support/match-day.js';
import type { Traded } from '../support/traded-tape.js';
import { until } from './trading.js';

const GAMES = [aMatch('a1'), aMatch('b2', {}, '0.05'), aMatch('c3', { league: 'cup' })];
const USUAL = { account: ALICE, sport: 'soccer', automation: 'auto', bankrollCap: 1000, stakeCap: 50 } as const;
const STRATEGIES: readonly Traded[] = [
  {
    name: 'again after a while',
    rules: {
      outcome: 'each',
      filter: { minOdds: '1.8' },
      sizing: { method: 'flat', value: 5 },
      limits: { maxBetsPerOutcome: 9, cooldown: '2s', eventLoss: null },
    },
  },
  {
    name: 'three at once',
    rules: {
      outcome: { index: 0 },
      filter: { minOdds: '1.8' },
      sizing: { method: 'flat', value: 7 },
      limits: { maxOpen: 2, eventLoss: null },
      exit: { takeProfit: { gain: '0.02' }, after: '3s' },
    },
  },
  {
    name: 'asks a person',
    automation: 'approve',
    rules: {
      outcome: { index: 1 },
      filter: { minOdds: '1.9' },
      sizing: { method: 'flat', value: 6 },
      limits: { eventLoss: null },
    },
  },
];

/** How prices move. */
const STEPS = { low: 40, high: 60, most: 4 };

/** Books that move at odd moments, so that nothing falls on a second by chance. */
function afternoon(seconds: number, stepMs: number, result: boolean): string {
  const lines: TapeLine[] = GAMES.map((game) => says(game, 0));
  for (const [n, game] of GAMES.entries()) {
    const mids = walk(n + 1, STEPS);
    for (let ms = 130 + 210 * n; ms < seconds * 1000; ms += stepMs) {
      const cents = mids.next().value;
      lines.push(shows(game, ms / 1000, `0.${cents - 1}`, `0.${cents + 1}`));
    }
  }
  if (!result) return tape(...inTime(lines, seconds));
  const [won] = GAMES;
  if (won !== undefined) lines.push(ends(won, seconds, YES_WON));
  return tape(...inTime(lines, seconds + 31));
}

/** What is left of a server that played the tape at this speed, with the strategies and the account's limits in place before. */
async function played(path: string, speed: string, limits: LimitsRequest = {}) {
  const { url, remove } = freshSqliteFile();
  const before = await openSqlLedger(url);
  const made = createStakeport({ ledger: before });
  await made.limits.set(ALICE, limits);
  const names = new Map<string, string>();
  for (const one of STRATEGIES) names.set((await made.strategies.create({ ...USUAL, ...one })).id, one.name);
  await before.close();
  const env = { DATABASE_URL: url, MARKET_DATA: `tape:${path}`, TAPE_SPEED: speed, PORT: '0', EQUITY_EVERY: 'off' };
  let ends = () => {};
  const tapeEnded = new Promise<void>((resolve) => {
    ends = resolve;
  });
  const logger = createLogger('info', {
    write: (line: string) => {
      if (line.includes('the tape has ended')) ends();
    },
  });
  const server = await openServer(readConfig(env), logger, new AbortController().signal);
  await tapeEnded;
  await server.stop();
  const ledger = await openSqlLedger(url);
  const decisions: object[] = [];
  const moments: string[][] = [];
  for (const [id, name] of names) {
    const own = await ledger.decisions.list(ALICE, id as never, {}, { limit: 1000 });
    moments.push(own.map(({ at }) => at.toISOString()));
    for (const { at, marketId, token, verdict, code, price, size, shares, rules } of own)
      decisions.push({ name, at: at.toISOString(), marketId, token, verdict, code, price, size, shares, rules });
  }
  const orders = (await ledger.listOrders(ALICE, {}, { limit: 1000 })).map(
    ({ placedAt, state, intent, refusal, fills }) => ({
      at: placedAt.toISOString(),
      state,
      code: refusal?.code,
      marketId: intent.marketId,
      outcome: intent.outcome,
      side: intent.side,
      price: intent.price,
      size: intent.size,
      fills: fills.map(({ price, shares }) => ({ price, shares })),
    }),
  );
  moments.push(orders.map(({ at }) => at));
  const approvals = (await ledger.approvals.list(ALICE, { at: new Date(0) }, { limit: 1000 })).map(
    ({ decision, state, expiresAt }) => ({
      at: decision.at.toISOString(),
      marketId: decision.marketId,
      state,
      expiresAt: expiresAt.toISOString(),
    }),
  );
  const { items } = await createStakeport({ ledger }).events.list(ALICE, { types: ['trading.state'], limit: 100 });
  const states = items.map(
    ({ data }) => data.kind === 'trading' && [data.state?.state, data.state?.code, data.state?.reason],
  );
  const balance = await ledger.findBalance(ALICE, { paper: true } as never);
  await ledger.close();
  remove();
  const sorted = (all: readonly object[]) =>
    all.map((one) => JSON.stringify(one, (_, v) => (typeof v === 'bigint' ? String(v) : v))).sort();
  const lists = { decisions: sorted(decisions), orders: sorted(orders), approvals: sorted(approvals) };
  return { ...lists, moments, states, cash: balance?.cash };
}

/** A server that holds its tape until somebody asks. */
async function waiting(path: string) {
  const env = {
    MARKET_DATA: `tape:${path}`,
    TAPE_SPEED: 'max',
    TAPE_START: 'request',
    PORT: '0',
    DATABASE_URL: 'memory:',
  };
  const server = await openServer(readConfig(env), createLogger('silent'), new AbortController().signal);
  const client = new Client(server.url);
  const bookAt = async () =>
    (await client.get(`/v1/exchange/markets/${GAMES[0]?.id}/book`)).json<{ at?: string }>().at ?? null;
  return { server, client, bookAt };
}

describe('A tape that a server plays with strategies in place', () => {
  it('ends in the same decisions, orders and cash at every speed', async () => {
    const path = afternoon(90, 1370, true);
    const fastest = await played(path, 'max');
    expect(fastest.orders.length).toBeGreaterThan(8);
    expect(fastest.approvals.length).toBeGreaterThan(1);
    const others = await Promise.all(['240', '360', 'max'].map((speed) => played(path, speed)));
    for (const other of others) expect(other).toEqual(fastest);
  });

  it('ends the same at every speed with limits and a daily-loss halt', async () => {
    const path = afternoon(90, 1370, true);
    const limits = { dailyLossUsdc: 6, eventLossUsdc: 40, openOrders: 6 };
    const fastest = await played(path, 'max', limits);
    expect(fastest.states).toContainEqual(['halted', 'daily_loss_exceeded', expect.any(String)]);
    const others = await Promise.all(['240', '360', 'max', 'max'].map((speed) => played(path, speed, limits)));
    for (const other of others) expect(other).toEqual(fastest);
  });

  it.each([
    ['order', (client: Client) => client.post(ORDERS, { ...ORDER, market_id: GAMES[0]?.id })],
    ['page', (client: Client) => client.get('/ui/')],
  ])('is held for the first %s requested, and then played', async (_, ask) => {
    const { server, client, bookAt } = await waiting(afternoon(60, 1370, false));
    await new Promise(setImmediate);
    expect(await bookAt()).toBe(pastNoon(0).toISOString());
    expect((await ask(client)).status).toBeLessThan(400);
    await until(async () => (await bookAt()) !== pastNoon(0).toISOString());
    await server.stop();
  });

  it('is held for the first stream of a market, and then played', async () => {
    const { server, client, bookAt } = await waiting(afternoon(60, 1370, false));
    const reader = new EventReader(client, `/v1/exchange/markets/stream?market=${GAMES[0]?.id}`);
    await until(async () => (await bookAt()) !== pastNoon(0).toISOString());
    reader.close();
    await server.stop();
  });

  it('is held for the first strategy requested, not for health checks', async () => {
    const { server, client, bookAt } = await waiting(afternoon(60, 1370, false));
    for (const check of ['/healthz', '/readyz', '/metrics']) expect((await client.get(check)).status).toBe(200);
    await new Promise(setImmediate);
    expect(await bookAt()).toBe(pastNoon(0).toISOString());
    const sizing = { method: 'flat', value: 5 };
    const rules = { match: { sport: 'soccer' }, outcome: { index: 0 }, filter: { min_odds: 1.8 }, sizing };
    const caps = { bankroll_cap: 1000, stake_cap: 50 };
    const strategy = { name: 'home', sport: 'soccer', ...caps, automation: 'auto' };
    expect((await client.post('/v1/strategies', { ...strategy, rules })).status).toBe(201);
    await until(async () => (await client.get(ORDERS)).json<{ data: object[] }>().data.length === GAMES.length);
    await server.stop();
  });

  it('ends the same as recorded', async () => {
    const path = afternoon(3, 370, false);
    const fastest = await played(path, 'max');
    expect(fastest.orders.length).toBeGreaterThan(2);
    expect(await played(path, '1')).toEqual(fastest);
  });
});
