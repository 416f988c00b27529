import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POLYMARKET } from '../../src/adapters/polymarket/http/venue-name.js';
import { systemClock, uuidV7 } from '../../src/adapters/system/system.js';
import { ManageAccounts } from '../../src/core/usecases/accounts/manage-accounts.js';
import type { AccountListener } from '../../src/ports/venue-adapter.js';
import { type StartedServer, startServer } from '../../src/server/index.js';
import { openStore } from '../../src/server/wiring/store.js';
import { KNOWN_ADDRESS } from '../adapters/polymarket/signing/known-address.js';
import { command } from '../cli/in-process.js';
import { ORDERS, PORTFOLIO } from '../support/app.js';
import { found } from '../support/audited.js';
import { usdc } from '../support/builders.js';
import { freshSqliteFile } from '../support/databases.js';
import { FakeVenue } from '../support/fake-venue/venue.js';
import { Client } from '../support/http.js';
import { DEPOSIT, deploymentOf, enrol, listedMarket, TRADER, writeKey } from '../support/live-deployment.js';
import { GAME, TICKERS, TickerExchange, TickerMarkets } from '../support/ticker-venue.js';

const RAIN = listedMarket('rain');
const AT_POLYMARKET = { market_id: RAIN.conditionId };
const AT_TICKERS = { venue: TICKERS, market_id: GAME };
const PAPER = { token: 'YES', price: 0.6, size_usdc: 6 };
const LIVE = { paper: false, token: 'YES', price: 0.6, size_usdc: 12 };
/** The most that one order may be worth, wherever it goes. */
const CAP = 20;

let folder: string;
let file: ReturnType<typeof freshSqliteFile>;
let polymarket: FakeVenue;
let tickers: TickerExchange;
let markets: TickerMarkets;
let key: string;
let server: StartedServer;
let client: Client;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stakeport-venues-'));
  file = freshSqliteFile();
  polymarket = await FakeVenue.start({ markets: [RAIN] });
  polymarket.fund(KNOWN_ADDRESS, DEPOSIT.dollars);
  polymarket.offer(RAIN.tokens[0], 'SELL', '0.6', '100');
  await enrol(file.url);
  key = await enrol(file.url, TICKERS, usdc('40'));
  [tickers, markets] = [new TickerExchange(), new TickerMarkets(true)];
  writeKey(join(folder, 'key'));
  await start();
});
afterAll(async () => {
  await server.close();
  await polymarket.close();
  file.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const deployed = deploymentOf({ databaseUrl: file.url, venue: polymarket }, join(folder, 'key'));
  const here = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', PAPER_LATENCY_MS: '0' };
  const listen = (listener: AccountListener) => tickers.listen(listener);
  server = await startServer({
    env: { ...deployed, ...here, LIVE_MAX_ORDER_USDC: `${CAP}` },
    venues: { [TICKERS]: { marketData: markets, exchange: tickers, listen } },
  });
  client = new Client(server.url).as({ authorization: `Bearer ${key}` });
}

const place = async (body: object) => (await client.post(ORDERS, body)).json();
const portfolio = async (paper: boolean) => (await client.get(`${PORTFOLIO}?paper=${paper}`)).json();
const listed = async (query: string) => (await client.get(`${ORDERS}?${query}`)).json()['data'] as { id: string }[];

describe('A server on two venues', () => {
  it('trades with real money at each, under the names that each gives', async () => {
    const there = await place({ ...LIVE, ...AT_TICKERS });
    expect(there).toMatchObject({ venue: TICKERS, status: 'partially_filled', clob_order_id: 'ORD-1', shares: '20' });
    const usual = await place({ ...LIVE, ...AT_POLYMARKET });
    expect(usual).toMatchObject({ venue: POLYMARKET, clob_order_id: expect.stringMatching(/^0x/) });
    const path = `${ORDERS}/${usual['id']}`;
    await expect.poll(async () => (await client.get(path)).json()['status']).toBe('filled');
  });

  it('cancels by the name that the venue gave', async () => {
    const resting = await place({ ...LIVE, ...AT_TICKERS, price: 0.3, size_usdc: 3 });
    const cancelled = (await client.post(`${ORDERS}/${resting['id']}/cancel`)).json();
    expect([cancelled['status'], tickers.cancelled]).toEqual(['cancelled', [resting['clob_order_id']]]);
  });

  it('holds one outcome of a market that nets, on paper and with real money apart', async () => {
    const other = { ...AT_TICKERS, token: 'NO', price: 0.3, size_usdc: 3 };
    expect((await place({ ...LIVE, ...other }))['error']).toMatch(/^other_outcome_held: /);
    const onPaper = await place({ ...PAPER, ...other });
    expect(onPaper).toMatchObject({ status: 'open' });
    expect((await place({ ...PAPER, ...AT_TICKERS }))['error']).toMatch(/^other_outcome_held: /);
    expect((await client.post(`${ORDERS}/${onPaper['id']}/cancel`)).json()).toMatchObject({ status: 'cancelled' });
  });

  it('takes orders in the lots of the venue', async () => {
    const odd = await place({ ...LIVE, ...AT_TICKERS, price: 0.31, size_usdc: 1 });
    expect(odd).toMatchObject({ shares: '3', status: 'open' });
  });

  it('takes prices in the bands of the venue, on paper too', async () => {
    const order = { ...PAPER, ...AT_TICKERS, size_usdc: 9 };
    expect(await place({ ...order, price: 0.055 })).toMatchObject({ status: 'open' });
    expect((await place({ ...order, price: 0.555 }))['error']).toMatch(/^invalid_tick: /);
  });

  it('pays the fee of a maker at a venue that charges one', async () => {
    const resting = await place({ ...LIVE, ...AT_TICKERS, price: 0.3, size_usdc: 3 });
    expect(resting).toMatchObject({ status: 'open', fees_usdc: '0' });
    tickers.meet(`${resting['clob_order_id']}`, '10');
    const path = `${ORDERS}/${resting['id']}`;
    await expect.poll(async () => (await client.get(path)).json()['status']).toBe('filled');
    expect((await client.get(path)).json()).toMatchObject({ fees_usdc: '0.04', filled_shares: '10' });
  });

  it('trades on paper at each, from one sum of cash', async () => {
    const there = await place({ ...PAPER, ...AT_TICKERS });
    expect(there).toMatchObject({ venue: TICKERS, status: 'filled', paper: true, fees_usdc: '0.17' });
    const usual = await place({ ...PAPER, ...AT_POLYMARKET });
    expect(usual).toMatchObject({ venue: POLYMARKET, status: 'filled', paper: true, fees_usdc: '0' });
    const { cash_usdc, positions } = await portfolio(true);
    expect([cash_usdc, venuesOf(positions)]).toEqual(['99987.83', [POLYMARKET, TICKERS]]);
  });

  it.each([AT_POLYMARKET, AT_TICKERS])('holds the limit of one order with real money at each: %o', async (where) => {
    const [orders, sent] = [(await listed('paper=false')).length, polymarket.log.accepted.size];
    const over = await place({ ...LIVE, ...where, size_usdc: CAP + 1 });
    expect(over).toMatchObject({ status: 'denied', error: expect.stringMatching(/^order_cap_exceeded: /) });
    expect([(await listed('paper=false')).length, polymarket.log.accepted.size]).toEqual([orders + 1, sent]);
  });

  it("refuses an order beyond one venue's cash while the other trades", async () => {
    const large = { ...LIVE, price: 0.3, size_usdc: 15 };
    for (const where of [AT_TICKERS, AT_POLYMARKET, AT_POLYMARKET])
      expect(await place({ ...large, ...where })).toMatchObject({ status: 'open' });
    const denied = await place({ ...large, ...AT_TICKERS });
    expect(denied).toMatchObject({ status: 'denied', error: expect.stringMatching(/^insufficient_balance: /) });
  });

  it('keeps positions and orders separate by venue and lists its venues', async () => {
    const { positions } = await portfolio(false);
    expect(positions).toHaveLength(2);
    expect(positions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ venue: TICKERS, market_id: GAME, shares: '20' }),
        expect.objectContaining({ venue: POLYMARKET, market_id: RAIN.conditionId, shares: '20' }),
      ]),
    );
    for (const venue of [POLYMARKET, TICKERS]) expect(venuesOf(await listed(`venue=${venue}`))).toEqual([venue]);
    const nowhere = await client.post(ORDERS, { ...LIVE, venue: 'elsewhere', market_id: GAME });
    expect([nowhere.status, nowhere.json()['detail']]).toEqual([
      404,
      'There is no venue elsewhere here. Name one of: polymarket, tickers.',
    ]);
  });

  it.each(['orders', 'positions'])('names the venue of each row on the terminal: %s', async (list) => {
    const here = { STAKEPORT_URL: server.url, STAKEPORT_KEY: key };
    const { output } = await command(here, list, '--live');
    const [titles = '', ...rows] = output.trim().split('\n');
    expect(titles).toMatch(/VENUE$/);
    expect(new Set(rows.map((row) => row.split(/ +/).at(-1)))).toEqual(new Set([POLYMARKET, TICKERS]));
  });

  it('pays a partial result by itself, in cash where nothing is redeemable', async () => {
    await server.close();
    tickers.end();
    await markets.settle('0.37');
    await start();
    for (const paper of [false, true])
      await expect.poll(async () => venuesOf((await portfolio(paper))['positions'])).toEqual([POLYMARKET]);
    expect((await portfolio(true))['cash_usdc']).toBe('99991.53');
    expect(await listed(`venue=${TICKERS}&status=open`)).toEqual([]);
  });

  it('leaves books that hold, with the money of each venue', async () => {
    await server.close();
    const { ledger, close } = await openStore({ database: { kind: 'sql', url: file.url } }, false);
    const { balances } = await new ManageAccounts(ledger, { clock: systemClock, ids: uuidV7 }).show(TRADER);
    const cash = new Map(balances.map((balance) => [balance.venue, balance.cash]));
    // 10 shares bought at 0.60 with a fee of 0.17 and 10 at 0.30 with one of 0.04, paid 0.37 each; 20 at 0.60 without a fee.
    expect([cash.get(TICKERS), cash.get(POLYMARKET)]).toEqual([usdc('38.19'), usdc('988')]);
    expect(await found(ledger)).toEqual([]);
    await close();
  });
});

const venuesOf = (rows: unknown): string[] =>
  [...new Set((rows as { venue: string }[]).map(({ venue }) => venue))].sort();
