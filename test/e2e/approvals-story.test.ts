import { expect, test } from 'vitest';
import { YES_WON } from '../../src/core/market/lifecycle.js';
import { tape } from '../adapters/tape/tapes.js';
import { APPROVALS, EVENTS, ORDERS, STRATEGIES } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { aMatch, ends, inTime, says, shows } from '../support/match-day.js';
import { startServer } from '../support/processes.js';
import { stakeport } from './command-line.js';
import { until } from './trading.js';

const GAME = aMatch('derby', {}, '0.05');
const PEOPLE = 10;

/** A game whose book says 0.50 for Home again and again, for twenty minutes. */
function afternoon(): string {
  const looks = Array.from({ length: 240 }, (_, nth) => shows(GAME, 5 + nth * 5, '0.49', '0.50'));
  return tape(...inTime([says(GAME, 0), ...looks, ends(GAME, 1300, YES_WON)], 1310));
}

test('many concurrent approvals and a killed server lead to one order', async () => {
  const database = freshSqliteFile();
  const env = { DATABASE_URL: database.url, MARKET_DATA: `tape:${afternoon()}`, TAPE_SPEED: '5', LOG_LEVEL: 'warn' };
  const killed = await startServer({ env });
  const first = new Client(killed.url);
  const rules = { outcome: { label: 'Home' }, sizing: { method: 'flat', value: 10 } };
  const strategy = { name: 'ask me', sport: 'soccer', bankroll_cap: 1000, stake_cap: 50, automation: 'approve', rules };
  expect((await first.post(STRATEGIES, strategy)).status).toBe(201);
  const waiting = async (client: Client) =>
    (await client.get(`${APPROVALS}?state=waiting`)).json<{ data: { id: string }[] }>().data;
  await until(async () => (await waiting(first)).length === 1);
  const [asked] = await waiting(first);
  expect((await first.get(ORDERS)).json()['data']).toEqual([]);

  const approve = (client: Client) => client.post(`${APPROVALS}/${asked?.id}/approve`);
  const answers = Array.from({ length: PEOPLE }, () => approve(first).catch(() => null));
  await Promise.race(answers);
  await killed.kill('SIGKILL');
  await Promise.all(answers);

  const server = await startServer({ env });
  const client = new Client(server.url);
  await until(async () => (await approve(client)).status === 200);
  const approved = (await approve(client)).json<{ order_id: string; decision: { id: string } }>();
  const orders = (await client.get(ORDERS)).json<{ data: { id: string; decision_id: string }[] }>().data;
  expect(orders.map(({ id }) => id)).toEqual([approved.order_id]);
  expect(orders[0]?.decision_id).toBe(approved.decision.id);
  expect(approved).toMatchObject({
    state: 'approved',
    decision: { verdict: 'bet', outcome_label: 'Home', cost_usdc: expect.stringMatching(/^(9|10)/) },
  });
  const log = (await client.get(`${EVENTS}?limit=100`)).json<{ data: { type: string }[] }>().data;
  const requested = log.find(({ type }) => type === 'order.requested');
  expect(requested).toMatchObject({ data: { order: { decision_id: approved.decision.id } } });
  const told = log.map(({ type }) => type).filter((type) => /^(approval|decision)/.test(type));
  expect(told).toEqual(['approval.waiting', 'decision.bet', 'approval.approved']);
  expect(await waiting(client)).toEqual([]);
  await server.kill('SIGTERM');
  const { code, output } = await stakeport({ env }, 'audit');
  expect([code, output]).toEqual([0, expect.stringContaining('The books hold.')]);
  database.remove();
});
