import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PaperExchange } from '../../src/adapters/paper/index.js';
import { POLYMARKET } from '../../src/adapters/polymarket/http/venue-name.js';
import { systemClock } from '../../src/adapters/system/system.js';
import { useCases } from '../../src/core/usecases/compose.js';
import { Venues } from '../../src/core/venues/venues.js';
import { type StartedServer, startServer } from '../../src/server/index.js';
import { openStore } from '../../src/server/wiring/store.js';
import { KNOWN_ADDRESS } from '../adapters/polymarket/signing/known-address.js';
import { ORDERS, PORTFOLIO } from '../support/app.js';
import { found } from '../support/audited.js';
import { anOrderContext, usdc } from '../support/builders.js';
import { freshSqliteFile } from '../support/databases.js';
import { FakeVenue } from '../support/fake-venue/venue.js';
import { Client } from '../support/http.js';
import { DEPOSIT, deploymentOf, enrol, listedMarket, TRADER, writeKey } from '../support/live-deployment.js';
import { GAME, TICKERS, TickerExchange, TickerMarkets } from '../support/ticker-venue.js';

const RAIN = listedMarket('rain');
const LIVE = { paper: false, token: 'YES', price: 0.6, size_usdc: 12 };

let folder: string;
let file: ReturnType<typeof freshSqliteFile>;
let polymarket: FakeVenue;
let tickers: TickerExchange;
let markets: TickerMarkets;
let server: StartedServer;
let client: Client;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stakeport-venues-'));
  file = freshSqliteFile();
  polymarket = await FakeVenue.start({ markets: [RAIN] });
  polymarket.fund(KNOWN_ADDRESS, DEPOSIT.dollars);
  await enrol(file.url);
  const key = await enrol(file.url, TICKERS);
  [tickers, markets] = [new TickerExchange(), new TickerMarkets()];
  const deployed = deploymentOf({ databaseUrl: file.url, venue: polymarket }, writeKey(join(folder, 'key')));
  server = await startServer({
    env: { ...deployed, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', PAPER_LATENCY_MS: '0' },
    venues: { [TICKERS]: { marketData: markets, exchange: tickers } },
  });
  client = new Client(server.url).as({ authorization: `Bearer ${key}` });
});
afterAll(async () => {
  await server.close();
  await polymarket.close();
  file.remove();
  rmSync(folder, { recursive: true, force: true });
});

const place = async (body: object) => (await client.post(ORDERS, body)).json();

describe('A server on two venues', () => {
  it('trades with real money at each, under the names that each gives', async () => {
    const there = await place({ ...LIVE, venue: TICKERS, market_id: GAME });
    expect(there).toMatchObject({ venue: TICKERS, status: 'partially_filled', clob_order_id: 'ORD-1', shares: '20' });
    const usual = await place({ ...LIVE, market_id: RAIN.conditionId });
    expect(usual).toMatchObject({ venue: POLYMARKET, status: 'open' });
    expect(usual['clob_order_id']).toMatch(/^0x/);
  });

  it('cancels by the name that the venue gave', async () => {
    const resting = await place({ ...LIVE, price: 0.3, size_usdc: 3, venue: TICKERS, market_id: GAME });
    const cancelled = (await client.post(`${ORDERS}/${resting['id']}/cancel`)).json();
    expect([cancelled['status'], tickers.cancelled]).toEqual(['cancelled', [resting['clob_order_id']]]);
  });

  it('takes orders in the lots of the venue', async () => {
    const odd = await place({ ...LIVE, price: 0.31, size_usdc: 1, venue: TICKERS, market_id: GAME });
    expect(odd).toMatchObject({ shares: '3', status: 'open' });
  });

  it('takes prices in the bands of the venue, on paper too', async () => {
    const order = { token: 'YES', size_usdc: 9, venue: TICKERS, market_id: GAME };
    expect(await place({ ...order, price: 0.055 })).toMatchObject({ status: 'open' });
    expect((await place({ ...order, price: 0.555 }))['error']).toMatch(/^invalid_tick: /);
  });

  it('trades on paper at each, from one sum of cash', async () => {
    const order = { token: 'YES', price: 0.6, size_usdc: 6 };
    const there = await place({ ...order, venue: TICKERS, market_id: GAME });
    expect(there).toMatchObject({ venue: TICKERS, status: 'filled', paper: true, fees_usdc: '0.17' });
    const portfolio = (await client.get(PORTFOLIO)).json();
    expect(portfolio).toMatchObject({ cash_usdc: '99993.83', positions: [{ venue: TICKERS, market_id: GAME }] });
  });

  it('keeps the money and the positions of the venues apart, and says what cannot be asked', async () => {
    const portfolio = (await client.get(`${PORTFOLIO}?paper=false`)).json();
    expect(portfolio['positions']).toMatchObject([{ venue: TICKERS, market_id: GAME, shares: '10' }]);
    expect((await client.get(`${ORDERS}?venue=${POLYMARKET}`)).json()).toMatchObject({
      data: [{ venue: POLYMARKET }],
    });
    const nowhere = await client.post(ORDERS, { ...LIVE, venue: 'elsewhere', market_id: GAME });
    expect([nowhere.status, nowhere.json()['detail']]).toEqual([
      404,
      'There is no venue elsewhere here. Name one of: polymarket, tickers.',
    ]);
  });

  it('pays a result between nothing and all in cash, where nothing is to be redeemed, and the books hold', async () => {
    for (const { id } of (await client.get(`${ORDERS}?venue=${TICKERS}&paper=false`)).json()['data'] as {
      id: string;
    }[])
      await client.post(`${ORDERS}/${id}/cancel`);
    await server.close();
    await markets.settle('0.37');
    const { ledger, close } = await openStore({ database: { kind: 'sql', url: file.url } }, false);
    const venue = { marketData: markets, live: tickers, settlesInCash: true, redemption: null };
    const use = useCases({
      ...anOrderContext({ clock: systemClock }),
      ledger,
      venues: new Venues(new PaperExchange(), [venue]),
    });
    expect(await use.markets.settleResults.execute()).toBe(2);
    const { balances } = await use.accounts.manage.show(TRADER);
    const cash = new Map(balances.map((balance) => [balance.venue, balance.cash]));
    // 10 of 20 shares bought at 0.60 with a fee of 0.17, and paid 0.37 each.
    expect([cash.get(TICKERS), cash.get(POLYMARKET)]).toEqual([usdc('997.53'), usdc('1000')]);
    expect(await found(ledger)).toEqual([]);
    await close();
  });
});
