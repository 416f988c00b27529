import { describe, expect, test } from 'vitest';
import { NoMarketData } from '../../../src/adapters/market-data/index.js';
import { MARKETS, ORDER, ORDERS, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';
import type { Reply } from '../../support/http.js';

const CAP = { pointer: '/stake_cap', detail: expect.stringContaining('above the bankroll_cap of 1000') };
const UNGUARDED = { pointer: '/is_paused', detail: expect.stringContaining('not even by rules/exit/stop') };
const ODD = { ...STRATEGY, stake_cap: 5000 };
const lastOf = (body: object) => Object.entries(body).at(-1);

describe('a strategy', () => {
  test('carries its warnings on every route without being refused', async () => {
    const { client } = await startApp();
    const created = await client.post(STRATEGIES, ODD);
    expect(created.status).toBe(201);
    const path = created.headers.location ?? '';
    const one = [
      created,
      await client.get(path),
      await client.patch(path, { name: 'Renamed' }),
      await client.post(`${path}/pause`),
      await client.post(`${path}/resume`),
    ].map((reply) => reply.json());
    const many = [await client.get(STRATEGIES), await client.get(`${path}/versions`)];
    const listed = many.flatMap((reply) => reply.json<{ data: object[] }>().data);
    const deleted = (await client.delete(path)).json();
    for (const body of [...one, ...listed, deleted]) expect(lastOf(body)).toEqual(['warnings', [CAP]]);
    expect([listed.length, deleted['archived_at']]).toEqual([5, expect.any(String)]);
  });

  test('has no warnings by default, and new ones after a change', async () => {
    const { client } = await startApp();
    const created = await client.post(STRATEGIES, STRATEGY);
    expect(lastOf(created.json())).toEqual(['warnings', []]);
    const changed = await client.patch(created.headers.location ?? '', { stake_cap: 5000 });
    expect(lastOf(changed.json())).toEqual(['warnings', [CAP]]);
  });

  test('warns while paused with an open position and a stop', async () => {
    const { client } = await startApp();
    const rules = { ...STRATEGY.rules, outcome: { index: 0 }, exit: { stop: { loss: 0.2 } } };
    const limits = { max_bets_per_day: 9, event_loss: 90, daily_loss: 90 };
    const body = { ...STRATEGY, automation: 'auto', rules: { ...rules, limits } };
    const explained = await client.post(`${STRATEGIES}/validate`, { ...body, is_paused: true });
    expect(explained.json()['warnings']).toEqual([UNGUARDED]);
    const { headers } = await client.post(STRATEGIES, body);
    const path = headers.location ?? '';
    const warnings = async (reply: Promise<Reply>) => (await reply).json()['warnings'];
    expect(await warnings(client.post(`${path}/pause`))).toEqual([]);
    await client.post(`${path}/resume`);
    expect((await client.post(ORDERS, { ...ORDER, strategy_id: path.split('/').at(-1) })).status).toBe(201);
    expect(await warnings(client.get(path))).toEqual([]);
    expect(await warnings(client.post(`${path}/pause`))).toEqual([UNGUARDED]);
    expect(await warnings(client.get(path))).toEqual([UNGUARDED]);
    expect(await warnings(client.patch(path, { name: 'Other' }))).toEqual([UNGUARDED]);
    const listed = (await client.get(STRATEGIES)).json<{ data: { warnings: object[] }[] }>().data;
    expect(listed.map((one) => one.warnings)).toEqual([[UNGUARDED]]);
    expect(await warnings(client.patch(path, { rules: { ...rules, exit: { after: '1h' }, limits } }))).toEqual([]);
    expect(await warnings(client.post(`${path}/resume`))).toEqual([]);
  });

  test('for a sport that no known market has says which there are', async () => {
    const { client } = await startApp({ sports: ['tennis'] });
    const warning = { pointer: '/sport', detail: 'no known market has the sport soccer; known are tennis' };
    expect((await client.post(STRATEGIES, STRATEGY)).json()['warnings']).toEqual([warning]);
    const silent = await startApp();
    expect((await silent.client.post(STRATEGIES, STRATEGY)).json()['warnings']).toEqual([]);
  });
});

describe('without market data', () => {
  test('the market list is empty and says which setting is missing', async () => {
    const { client } = await startApp();
    const reply = await client.get(MARKETS);
    const detail = expect.stringMatching(/no market data.*orders take any market_id.*Set MARKET_DATA to/);
    expect([reply.status, reply.json()]).toEqual([
      200,
      { data: [], next_cursor: null, warnings: [{ pointer: '', detail }] },
    ]);
  });

  test.each(['', '/book'])('a market by id is not found: %s', async (part) => {
    const { client } = await startApp();
    const reply = await client.get(`${MARKETS}/${ORDER.market_id}${part}`);
    expect([reply.status, reply.json()['type']]).toEqual([404, '/problems/market-not-found']);
  });

  test('orders take any market id', async () => {
    const { client } = await startApp();
    expect((await client.post(ORDERS, ORDER)).json()).toMatchObject({ status: 'filled', market_id: ORDER.market_id });
  });
});

test('with market data the list of markets has no warning', async () => {
  const { client } = await startApp({ markets: new NoMarketData() });
  expect((await client.get(MARKETS)).json()).toEqual({ data: [], next_cursor: null, warnings: [] });
});
