import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VenueName } from '../../src/core/ids.js';
import { formatMicro, type Usdc } from '../../src/core/money.js';
import { command } from '../cli/in-process.js';
import { ORDERS } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { ED25519_KEY, keyFileOf } from '../support/fake-kalshi/keys.js';
import { FakeKalshi } from '../support/fake-kalshi/venue.js';
import { Client } from '../support/http.js';
import { enrol, PEPPER, TRADER } from '../support/live-deployment.js';
import { type RunningServer, SERVER, startProgram, startServer } from '../support/processes.js';

const TICKER = 'KXNFLGAME-27JAN16OTTBAD-BAD';
const DEMO = 'kalshi_demo' as VenueName;
const BET = { market_id: TICKER, token: 'YES', price: 0.52, size_usdc: 5.2, paper: false };
const keyFile = keyFileOf(ED25519_KEY);

let venue: FakeKalshi;
let server: RunningServer;
let client: Client;
let key: string;
let env: Record<string, string>;
const database = freshSqliteFile();

beforeAll(async () => {
  venue = await FakeKalshi.start();
  venue.account.cash = 1_000_000_000n;
  offers(venue);
  env = {
    DATABASE_URL: database.url,
    AUTH_MODE: 'keys',
    KEY_PEPPER: PEPPER,
    EQUITY_EVERY: 'off',
    MARKET_DATA: 'kalshi',
    LIVE_TRADING: 'on',
    KALSHI_KEY_ID: ED25519_KEY.id,
    KALSHI_PRIVATE_KEY_FILE: keyFile,
    KALSHI_API_URL: venue.api.href,
    KALSHI_WS_URL: venue.socket.href,
  };
  key = await enrol(database.url, DEMO);
  await started();
});

afterAll(async () => {
  await venue.stop();
  database.remove();
});

function offers({ account, books }: FakeKalshi): void {
  account.liquidity.set(TICKER, { bids: [['0.4700', '30.00']], asks: [['0.5200', '30.00']] });
  books.set(TICKER, { yes: [['0.4700', '30.00']], no: [['0.4800', '30.00']] });
}

async function started(): Promise<void> {
  server = await startServer({ env });
  client = new Client(server.url, { authorization: `Bearer ${key}` });
}

const place = async (changes: object = {}) => (await client.post(ORDERS, { ...BET, ...changes })).json();
const shown = async (id: unknown) => (await client.get(`${ORDERS}/${id}`)).json();
const cash = async () => (await client.get('/v1/portfolio?paper=false')).json()['cash_usdc'];
/** What the venue says of our cash, in the texts of ours. */
const cashThere = () => formatMicro(venue.account.cash as Usdc);

describe('A server that trades the play money of Kalshi', () => {
  test('sends an order once, says that it is play money, and books its fills and fees', async () => {
    const order = await place();
    expect(order).toMatchObject({ status: 'filled', venue: DEMO, environment: 'demo', filled_shares: '10' });
    expect(venue.account.orders).toMatchObject([{ orderId: order['clob_order_id'], filled: 1000n }]);
    expect(await cash()).toBe(cashThere());
    expect((await client.get('/v1/portfolio?paper=false')).json()['environment']).toBe('demo');
    const paper = await place({ paper: true });
    expect([paper['paper'], 'environment' in paper]).toEqual([true, false]);
  });

  test('refuses the other outcome of what is held, and sells what is held', async () => {
    const other = await client.post(ORDERS, { ...BET, token: 'NO', price: 0.53 });
    expect(other.json()).toMatchObject({ status: 'denied', error: expect.stringContaining('other_outcome_held') });
    const sale = await place({ side: 'SELL', price: 0.47, size_usdc: 0.94, time_in_force: 'FAK' });
    expect(sale).toMatchObject({ status: 'filled', filled_shares: '2' });
    expect(venue.account.positions.get(TICKER)).toBe(800n);
    expect(await cash()).toBe(cashThere());
  });

  test('hears of a fill of a resting order, and cancels the rest', async () => {
    const { id } = await place({ price: 0.4, size_usdc: 4 });
    const kept = venue.account.orders.at(-1);
    venue.account.take(kept?.clientId ?? '', '3.00');
    await expect.poll(async () => (await shown(id))['filled_shares']).toBe('3');
    expect((await client.post(`${ORDERS}/${id}/cancel`)).json()['status']).toBe('cancelled');
    expect(kept?.status).toBe('canceled');
    expect(await cash()).toBe(cashThere());
  });

  test('that is killed while an answer is lost has the order once when it is back', async () => {
    const before = venue.account.orders.length;
    venue.vanish.push('answer');
    const placing = client.post(ORDERS, { ...BET, price: 0.3, size_usdc: 3 }).catch(() => null);
    await expect.poll(() => venue.account.orders.length).toBe(before + 1);
    await server.kill('SIGKILL');
    await placing;
    await started();
    const resting = async () => (await client.get(`${ORDERS}?paper=false&status=open`)).json<{ data: object[] }>().data;
    await expect.poll(resting, { timeout: 60_000 }).toMatchObject([{ price: '0.3', shares: '10' }]);
    expect(venue.account.orders.length).toBe(before + 1);
  });

  test('ends every resting order by one command, and is found well by the doctor', async () => {
    const { code, output } = await command(env, 'cancel-all');
    expect([code, output]).toEqual([0, expect.stringMatching(/^Cancelled 1 orders? at kalshi_demo/m)]);
    expect(venue.account.orders.every(({ status }) => status !== 'resting')).toBe(true);
    const well = await command(env, 'doctor');
    expect([well.code, well.output]).toEqual([0, expect.not.stringContaining('missing')]);
    expect(well.output).toContain('The money is play money of the demo.');
  });

  test('has books that agree with the venue, and one command says what does not', async () => {
    const compared = (...options: string[]) => command(env, 'audit', '--venue', 'kalshi', ...options);
    const well = await compared();
    expect([well.code, well.output]).toEqual([
      0,
      expect.stringMatching(/^The books hold\. .*\nkalshi_demo agrees with the books\. Compared: net positions 1, and/),
    ]);
    const before = venue.account.positions.get(TICKER) ?? 0n;
    // More than all orders together could have moved, so that it makes no difference how long ago they did.
    venue.account.positions.set(TICKER, before + 100_000n);
    const { code, output } = await compared();
    expect([code, output]).toEqual([1, expect.stringContaining(`The net position of ${TICKER}: the books have 11, `)]);
    expect(output).toContain('kalshi_demo does not agree with the books.');
    const told = await compared('--json');
    expect([told.code, JSON.parse(told.output)]).toMatchObject([
      1,
      { holds: true, venue: { name: DEMO, agrees: false, findings: [{ market_id: TICKER, verdict: 'differs' }] } },
    ]);
    venue.account.positions.set(TICKER, before);
    venue.faults.push({ path: '/portfolio/positions', status: 200, body: '"?"' });
    const unanswered = await compared();
    expect([unanswered.code, unanswered.output]).toEqual([2, expect.stringContaining('it is not known')]);
  });

  test('compares nothing with a venue that has no net positions, or that is not there', async () => {
    for (const name of ['polymarket', 'nowhere']) {
      const { code, output } = await command(env, 'audit', '--venue', name);
      expect([code, output]).toEqual([64, expect.stringContaining('Nothing was audited.')]);
    }
  });

  test('asks the venue what nobody knows by one command, for less than a cent', async () => {
    const asked = await FakeKalshi.start();
    offers(asked);
    const before = asked.account.cash;
    const there = { ...env, KALSHI_API_URL: asked.api.href, KALSHI_WS_URL: asked.socket.href };
    const { code, output } = await command(there, 'doctor', '--venue', 'kalshi', '--probe');
    expect(code, output).toBe(0);
    expect(output).toMatch(/^1\. Whether a killed order is listed +refused: fill_or_kill.*; not in the list$/m);
    expect(before - asked.account.cash).toBeLessThan(10_000n);
    expect(asked.account.orders.every(({ status }) => status !== 'resting')).toBe(true);
    await asked.stop();
  });

  test('asks nothing of a venue where nothing is open, and nothing where the settings are wrong', async () => {
    const none = await command({ ...env, KALSHI_KEY_ID: '' }, 'doctor', '--probe');
    expect([none.code, none.output]).toEqual([78, expect.stringContaining('Nothing was asked')]);
  });

  test('books a result as cash when it is back, as the venue did', async () => {
    await server.kill('SIGKILL');
    venue.account.settle(TICKER, '1.0000');
    const settled = { status: 'finalized', result: 'yes', settlement_value_dollars: '1.0000' };
    venue.changes(TICKER, { ...settled, close_time: '2026-01-01T00:00:00Z' });
    await started();
    await expect.poll(cash, { timeout: 60_000 }).toBe(cashThere());
  });
});

describe('Play money and real money', () => {
  test('are never given to the same account', async () => {
    const { code, output } = await command(env, 'accounts', 'deposit', TRADER, '5', '--venue', 'polymarket');
    expect([code, output]).toEqual([
      1,
      expect.stringContaining(`${TRADER} has play money at ${DEMO}. Give the real money`),
    ]);
    expect((await command(env, 'accounts', 'show', TRADER)).output).not.toContain('polymarket');
  });

  test('of production is not traded: the server does not start', async () => {
    const file = freshSqliteFile();
    await enrol(file.url, 'kalshi' as VenueName);
    const real = { ...env, DATABASE_URL: file.url, KALSHI_ENV: 'production', PORT: '0' };
    const program = startProgram(process.execPath, { args: [SERVER], env: real });
    expect((await program.ended).code).not.toBe(0);
    expect(program.output()).toContain('Kalshi takes no orders with real money from this version');
    const looked = await command(real, 'doctor');
    expect([looked.code, looked.output]).toEqual([1, expect.stringContaining('answers (production)')]);
  });
});
