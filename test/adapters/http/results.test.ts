import { beforeEach, describe, expect, it } from 'vitest';
import { NO_WON } from '../../../src/core/market/lifecycle.js';
import { RESULTS_BY } from '../../../src/core/performance/kept-sums.js';
import { MEASURES } from '../../../src/core/performance/measures.js';
import type { RunningApp } from '../../support/app.js';
import { type BettingApp, bettingApp, rowsOf } from '../../support/betting-app.js';
import type { Client } from '../../support/http.js';
import { FREE } from '../../support/scripted-market.js';

const RESULTS = '/v1/results';

interface Row {
  readonly key: string | null;
  readonly measures: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const data = rowsOf<Row>;

let app: RunningApp;
let alice: Client;
let market: BettingApp['market'];
let buy: BettingApp['buy'];
let settle: BettingApp['settle'];

beforeEach(async () => {
  ({ app, alice, market, buy, settle } = await bettingApp({
    fee: FREE,
    scopes: ['strategies:read', 'strategies:write'],
  }));
});

describe('/v1/results', () => {
  it('shows each measure of what settled, and open bets in the profit', async () => {
    await buy();
    await settle();
    await buy();
    const reply = await alice.get(`${RESULTS}?by=phase`);
    const [row] = data(reply);
    expect(row).toMatchObject({ by: 'phase', paper: true, venue: market.market.venue, bets: 1, open: 1 });
    expect(Object.keys(row?.measures ?? {})).toEqual(MEASURES.map(({ name }) => name));
    expect(row?.measures['hit_rate']).toMatchObject({ value: '1.000000000', reason: null, n: 1 });
    expect(row?.measures['yield']).toMatchObject({ n: 1, interval: 'normal', low: null });
    // 20 shares at 0.48 for what 10 dollars bought.
    expect(Number(row?.measures['profit_usdc']?.['value'])).toBeCloseTo(10 - 0.4, 6);
    expect(reply.json()).toMatchObject({ next_cursor: null, covered: { bets: 2, all: true } });
  });

  it('has what needs every bet where the interval is by the bootstrap', async () => {
    await buy();
    await settle();
    const [sums] = data(await alice.get(`${RESULTS}?by=day`));
    expect(sums?.measures['longest_losing_run']).toMatchObject({ value: null, reason: 'needs_every_bet' });
    const [drawn] = data(await alice.get(`${RESULTS}?by=day&interval=bootstrap`));
    expect(drawn?.measures['longest_losing_run']).toMatchObject({ value: '0', reason: null });
    expect(drawn?.measures['yield']).toMatchObject({ interval: 'bootstrap', low: '1.000000000' });
  });

  it('shows what plots are drawn from, of settled bets alone', async () => {
    await buy();
    await settle();
    await buy();
    const reply = await alice.get(`${RESULTS}/plots`);
    const venue = market.market.venue;
    expect(reply.json()).toMatchObject({ data: [{ paper: true, venue, bets: 1 }], covered: { bets: 1, all: true } });
    const [plots] = reply.json<{ data: readonly Record<string, unknown>[] }>().data;
    expect(plots?.['calibration']).toHaveLength(10);
    expect(plots?.['slippage_spread']).toMatchObject({ value: null, reason: 'no_price', n: 0 });
    expect((await alice.get(`${RESULTS}/plots?paper=false`)).json()).toMatchObject({ data: [], covered: { bets: 0 } });
    for (const query of ['by=day', 'limit=5', 'paper=maybe'])
      expect((await alice.get(`${RESULTS}/plots?${query}`)).status).toBe(422);
  });

  it('divides by strategy where nothing is said', async () => {
    await buy();
    expect((await alice.get(RESULTS)).text).toBe((await alice.get(`${RESULTS}?by=strategy`)).text);
    expect(data(await alice.get(RESULTS))).toHaveLength(1);
  });

  it('divides by each property, and narrows by strategy, time, venue and money', async () => {
    await buy();
    await settle();
    for (const by of RESULTS_BY) expect(data(await alice.get(`${RESULTS}?by=${by}`))).toHaveLength(1);
    const countOf = async (query: string) => data(await alice.get(`${RESULTS}?by=kind&${query}`)).length;
    expect(await countOf('settled_after=2020-01-01T00:00:00Z&settled_before=2999-01-01T00:00:00Z')).toBe(1);
    expect(await countOf('settled_before=2020-01-01T00:00:00Z')).toBe(0);
    expect(await countOf(`venue=${market.market.venue}&paper=true`)).toBe(1);
    expect(await countOf('venue=another')).toBe(0);
    expect(await countOf('paper=false')).toBe(0);
    expect(await countOf('strategy_id=01a1fda4-6ddc-764a-baa1-d184dfa92254')).toBe(0);
  });

  it('goes on after a page with the cursor that it ended with', async () => {
    await buy();
    await settle(NO_WON);
    await buy();
    const first = await alice.get(`${RESULTS}?by=day&limit=1`);
    const { next_cursor } = first.json<{ next_cursor: string }>();
    const rest = await alice.get(`${RESULTS}?by=day&limit=1&cursor=${next_cursor}`);
    expect([...data(first), ...data(rest)].map(({ key }) => key === null)).toEqual([false, true]);
    expect(rest.json()).toMatchObject({ next_cursor: null, covered: { bets: 2 } });
  });

  it.each([
    'by=weather',
    'by=day&by=odds',
    'by=day&interval=exact',
    'by=day&paper=maybe',
    'by=day&settled_after=yesterday',
    'by=day&cursor=Lw',
    'by=day&limit=0',
    'by=day&result=won',
  ])('refuses a query that is wrong: %s', async (query) => {
    expect((await alice.get(`${RESULTS}?${query}`)).status).toBe(422);
  });

  it('shows no account what another one showed, and nothing to keys without the scope', async () => {
    await buy();
    await settle();
    const bob = await app.keyed('bob', 'orders:read');
    for (const query of ['by=day', 'by=day&interval=bootstrap'])
      expect(data(await bob.get(`${RESULTS}?${query}`))).toEqual([]);
    expect((await bob.get(`${RESULTS}/plots`)).json()).toMatchObject({ data: [] });
    const blind = await app.keyed('alice', 'orders:paper');
    expect((await blind.get(`${RESULTS}/plots`)).status).toBe(403);
    expect((await blind.get(`${RESULTS}?by=day`)).status).toBe(403);
  });
});
