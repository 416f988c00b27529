import { beforeEach, describe, expect, it } from 'vitest';
import { BET_MEMBERS } from '../../../src/adapters/http/bet-wire.js';
import type { RunningApp } from '../../support/app.js';
import { type BettingApp, bettingApp, rowsOf } from '../../support/betting-app.js';
import type { Client } from '../../support/http.js';

const BETS = '/v1/bets';

const data = rowsOf<Readonly<Record<string, unknown>>>;

let app: RunningApp;
let alice: Client;
let market: BettingApp['market'];
let buy: BettingApp['buy'];
let settle: BettingApp['settle'];

beforeEach(async () => {
  ({ app, alice, market, buy, settle } = await bettingApp());
});

const idsAt = async (query: string) => data(await alice.get(`${BETS}?${query}`)).map(({ id }) => id);

describe('/v1/bets', () => {
  it('shows an open bet at the bid less the fee of a sale', async () => {
    const id = await buy('YES');
    const [bet] = data(await alice.get(BETS));
    expect(Object.keys(bet ?? {})).toEqual(BET_MEMBERS);
    const known = { id, result: 'open', shares: '20', stake_usdc: '10', settled_at: null, order_ids: [id] };
    expect(bet).toMatchObject({ ...known, question: 'Bucks vs. Thunder', strategy_id: null });
    // 20 at 0.48 are 9.6, less 20 × 0.05 × 0.48 × 0.52, less what was paid.
    const paid = 10 + Number(bet?.['fees_usdc']);
    expect(Number(bet?.['profit_usdc'])).toBeCloseTo(9.6 - 0.2496 - paid, 6);
  });

  it('shows an open bet at cost while no price is known', async () => {
    await buy('YES');
    market.shown = { bids: [], asks: [] };
    const [bet] = data(await alice.get(BETS));
    expect(Number(bet?.['profit_usdc'])).toBeCloseTo(-Number(bet?.['fees_usdc']), 6);
  });

  it('lists bets newest first, by each filter, page by page', async () => {
    const [first, second] = [await buy('YES'), await buy('NO')];
    expect(await idsAt('')).toEqual([second, first]);
    await settle();
    const third = await buy('YES');
    expect(await idsAt('result=won')).toEqual([first]);
    expect(await idsAt('result=lost')).toEqual([second]);
    expect(await idsAt('result=open&paper=true')).toEqual([third]);
    expect(await idsAt('paper=false')).toEqual([]);
    expect(await idsAt('settled_after=2020-01-01T00:00:00Z')).toEqual([second, first]);
    expect(await idsAt('settled_before=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await idsAt('placed_after=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await idsAt(`market_id=${market.market.slug}`)).toEqual([third, second, first]);
    const page = await alice.get(`${BETS}?limit=2`);
    expect(data(page).map(({ id }) => id)).toEqual([third, second]);
    expect(await idsAt(`limit=2&cursor=${page.json()['next_cursor']}`)).toEqual([first]);
  });

  it('refuses unknown results, cursors, markets, and keys without the scope', async () => {
    expect((await alice.get(`${BETS}?result=maybe`)).status).toBe(422);
    expect((await alice.get(`${BETS}?cursor=bm8`)).status).toBe(422);
    expect((await alice.get(`${BETS}?market_id=nobody-knows-it`)).status).toBe(404);
    const blind = await app.keyed('alice', 'orders:paper');
    expect((await blind.get(BETS)).status).toBe(403);
  });

  it('shows no account the bets of another one', async () => {
    await buy('YES');
    const bob = await app.keyed('bob', 'orders:read', 'orders:paper');
    expect(data(await bob.get(BETS))).toEqual([]);
  });
});
