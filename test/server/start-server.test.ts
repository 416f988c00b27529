import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { venueName } from '../../src/stakeport/input.js';
import { ORDER, ORDERS } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { enrol, PEPPER } from '../support/live-deployment.js';
import { QuotedMarkets } from '../support/quoted-markets.js';
import { HonestExchange } from '../testing/honest-exchange.js';

const QUIET = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' } as const;
const KEYS = { AUTH_MODE: 'keys', KEY_PEPPER: PEPPER } as const;

/** Records what was closed. */
function ownVenue() {
  const closed: string[] = [];
  const marketData = Object.assign(new QuotedMarkets(), { close: () => void closed.push('market data') });
  const exchange = Object.assign(new HonestExchange(), { close: () => void closed.push('exchange') });
  return { closed, venue: { marketData, exchange } };
}

describe('A server that a program starts', () => {
  it('has the settings of its environment, and answers until it is closed', async () => {
    const server = await startServer({ env: { ...QUIET, DATABASE_URL: 'memory:' } });
    const client = new Client(server.url);
    expect((await client.post(ORDERS, ORDER)).json()).toMatchObject({ status: 'filled', price: '0.5' });
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it('trades with real money at its own venue, on the usual terms', async () => {
    const file = freshSqliteFile();
    const key = await enrol(file.url, venueName('own'));
    const { closed, venue } = ownVenue();
    const env = { ...QUIET, ...KEYS, DATABASE_URL: file.url, LIVE_TRADING: 'on', LIVE_MAX_ORDER_USDC: '10' };
    const server = await startServer({ env, venues: { own: venue } });
    const client = new Client(server.url).as({ authorization: `Bearer ${key}` });
    const placed = (await client.post(ORDERS, { ...ORDER, paper: false })).json();
    const there = { status: 'partially_filled', clob_order_id: `v-${placed['id']}` };
    expect(placed).toMatchObject({ ...there, paper: false, filled_shares: '1' });
    const large = (await client.post(ORDERS, { ...ORDER, size_usdc: '10.01', paper: false })).json();
    expect(large).toMatchObject({ status: 'denied', error: expect.stringContaining('size 10.01, cap 10') });
    await server.close();
    expect(closed.toSorted()).toEqual(['exchange', 'market data']);
    file.remove();
  });

  it('without LIVE_TRADING=on sends nothing to it', async () => {
    const file = freshSqliteFile();
    const key = await enrol(file.url, venueName('own'));
    const { venue } = ownVenue();
    const server = await startServer({ env: { ...QUIET, ...KEYS, DATABASE_URL: file.url }, venues: { own: venue } });
    const client = new Client(server.url).as({ authorization: `Bearer ${key}` });
    expect((await client.post(ORDERS, { ...ORDER, paper: false })).status).toBe(403);
    await server.close();
    file.remove();
  });

  it('reports all that real money requires, at once', async () => {
    const env = { ...QUIET, DATABASE_URL: 'memory:', LIVE_TRADING: 'on' };
    const started = startServer({ env, venues: { own: { marketData: new QuotedMarkets() } } });
    await expect(started).rejects.toThrow(
      /AUTH_MODE must be keys.*\n.*DATABASE_URL must.*\n.*venues\.own\.exchange must/,
    );
  });
});
