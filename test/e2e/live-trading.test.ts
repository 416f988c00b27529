import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { command } from '../cli/in-process.js';
import { ORDERS } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { answers } from '../support/fake-venue/faults.js';
import { KNOWN_KEY, PlainClient } from '../support/fake-venue/plain-client.js';
import { FakeVenue } from '../support/fake-venue/venue.js';
import { Client } from '../support/http.js';
import { enrol, type LiveServer, listedMarket, liveEnvironment, startLive, TRADER } from '../support/live-server.js';
import { PAGE, problem, setCookie } from '../support/login.js';
import { SERVER, startProgram, startServer } from '../support/processes.js';
import { stakeport } from './command-line.js';

const RAIN = listedMarket('rain');
const LIVE_ORDER = { market_id: RAIN.conditionId, token: 'YES', price: 0.5, size_usdc: 10, paper: false };
/** What anybody may read without trading. */
const READING = /^\/(gamma\/|book|books|markets|clob-markets|ws\/market)/;

let venue: FakeVenue;
let server: LiveServer;
const database = freshSqliteFile();

beforeAll(async () => {
  venue = await FakeVenue.start({ markets: [RAIN] });
  const stranger = new PlainClient(venue);
  venue.fund(stranger.account.address, '100');
  await stranger.order({ size: '10', price: '0.2' });
  server = await startLive({ databaseUrl: database.url, venue });
});

afterAll(async () => {
  await venue.close();
  database.remove();
});

const placed = () => venue.log.requests.filter(({ method, path }) => method === 'POST' && path === '/order').length;

describe('A server with LIVE_TRADING=on', () => {
  test('sends a real-money order to the venue once and answers it', async () => {
    const before = placed();
    const answer = await server.client.post(ORDERS, LIVE_ORDER, { 'idempotency-key': 'rain-1' });
    expect([answer.status, answer.json()]).toEqual([201, expect.objectContaining({ status: 'open', paper: false })]);
    const again = await server.client.post(ORDERS, LIVE_ORDER, { 'idempotency-key': 'rain-1' });
    expect(again.json()['id']).toBe(answer.json()['id']);
    expect(placed()).toBe(before + 1);
  });

  test('lets a browser session only halt while UI_TRADING is not on', async () => {
    const started = await server.client.post('/v1/session', undefined, PAGE);
    const cookie = setCookie(started).split(';')[0] ?? '';
    const browser = new Client(server.url, { cookie, ...PAGE });
    const state = { scope: 'account', state: 'halted', stops: 'live', reason: 'a test' };
    expect((await browser.post('/v1/trading/state', state)).status).toBe(200);
    const before = placed();
    for (const reply of [
      await browser.post('/v1/trading/state', { ...state, state: 'active' }),
      await browser.post(ORDERS, LIVE_ORDER),
    ])
      expect(problem(reply)).toEqual([403, '/problems/ui-trading-off']);
    expect(placed()).toBe(before);
    expect((await server.client.post('/v1/trading/state', { ...state, state: 'active' })).status).toBe(200);
  });

  test('sends nothing for an order without an explicit paper: false', async () => {
    const before = placed();
    for (const paper of [undefined, true]) {
      expect((await server.client.post(ORDERS, { ...LIVE_ORDER, paper })).json()['paper']).toBe(true);
    }
    expect(placed()).toBe(before);
  });

  test('books what its stream reports about an order', async () => {
    const answer = await server.client.post(ORDERS, { ...LIVE_ORDER, token: 'NO', price: 0.4 });
    const [, no] = RAIN.tokens;
    venue.offer(no, 'SELL', '0.4', '25');
    const path = `${ORDERS}/${answer.json()['id']}`;
    await expect.poll(async () => (await server.client.get(path)).json()['status']).toBe('filled');
    const [, line = '{}'] = await server.says(
      new RegExp(`^(.*"order":"${answer.json()['id']}","orderStatus":"filled".*)$`, 'm'),
    );
    const { clob_order_id: venueOrderId } = (await server.client.get(path)).json();
    expect(JSON.parse(line)).toMatchObject({ msg: 'order', venue: 'polymarket', paper: false, venueOrderId });
  });

  test('has the prices of a real-money bet by hand where a paper order follows its market', async () => {
    const [yes] = RAIN.tokens;
    venue.offer(yes, 'BUY', '0.55', '10');
    venue.offer(yes, 'SELL', '0.6', '25');
    const resting = { ...LIVE_ORDER, price: 0.1, size_usdc: 1, time_in_force: 'GTC', paper: true };
    expect((await server.client.post(ORDERS, resting)).json()['status']).toBe('open');
    const { id } = (await server.client.post(ORDERS, { ...LIVE_ORDER, price: 0.6, time_in_force: 'FAK' })).json();
    const { data } = (await server.client.get('/v1/bets?paper=false')).json<{ data: { order_ids: string[] }[] }>();
    const at = { mid_at_decision: '0.575', best_at_decision: '0.6', mid_at_arrival: '0.575', best_at_arrival: '0.6' };
    expect(data.find((bet) => bet.order_ids.includes(`${id}`))).toMatchObject(at);
  });

  test('shows unknown orders and the last reconciliation with the venue as metrics', async () => {
    const { text } = await server.client.get('/metrics');
    expect(text).toMatch(/^stakeport_unknown_orders 0$/m);
    expect(text).toMatch(/^stakeport_orders_total\{status="filled",venue="polymarket",mode="live"\} [1-9]/m);
    const [, age] = /^stakeport_reconciled_age_seconds (\S+)$/m.exec(text) ?? [];
    expect(Number(age)).toBeGreaterThan(0);
    expect(Number(age)).toBeLessThan(120);
  });

  test('alerts an operator to an order of its wallet placed elsewhere', async () => {
    await server.says(/the wallet has an order that was not placed here/);
    const { code, output } = await command(server.env, 'external');
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(
        /^order +venue +market +outcome.*\n0x[0-9a-f]{64} +polymarket +Will it .*BUY +0\.2 +10 +rests/,
      ),
    ]);
    const listed = JSON.parse((await command(server.env, 'external', '--json')).output);
    expect(listed).toEqual([
      expect.objectContaining({ venue: 'polymarket', condition_id: RAIN.conditionId, price: '0.2', shares: '10' }),
    ]);
  });

  test('sends no order of an account halted by an operator until release', async () => {
    const accounts = (...args: string[]) => command(server.env, 'accounts', ...args);
    const before = placed();
    expect((await accounts('halt', TRADER, '--reason', 'a drill')).output).toContain('a drill');
    expect((await accounts('show', TRADER)).output).toMatch(/\nHalted since .* \(halted_by_operator\): a drill\n/);
    const refused = await server.client.post(ORDERS, LIVE_ORDER);
    expect([refused.status, refused.json()['detail']]).toEqual([403, expect.stringContaining('a drill')]);
    expect(placed()).toBe(before);
    expect((await accounts('release', TRADER)).output).not.toContain('Halted');
    expect((await server.client.post(ORDERS, LIVE_ORDER)).status).toBe(201);
    expect(placed()).toBe(before + 1);
  });

  test('has a doctor command that reports problems by its exit code', async () => {
    const well = await command(server.env, 'doctor');
    expect([well.code, well.output]).toEqual([0, expect.not.stringContaining('missing')]);
    const ill = await command({ ...server.env, LIVE_TRADING: 'off' }, 'doctor');
    expect([ill.code, ill.output]).toEqual([1, expect.stringContaining('missing  LIVE_TRADING is not on')]);
  });

  test('has one command that cancels all orders of its wallet', async () => {
    const placed = await server.client.post(ORDERS, { ...LIVE_ORDER, price: 0.1, size_usdc: 1 });
    const path = `${ORDERS}/${placed.json()['id']}`;
    const { code, output } = await command(server.env, 'cancel-all');
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^Cancelled [1-9]\d* orders at polymarket; 0 were already gone/m),
    ]);
    await expect.poll(async () => (await server.client.get(path)).json()['status']).toBe('cancelled');
    await expect
      .poll(async () => (await server.client.get(`${ORDERS}?status=open&paper=false`)).json()['data'])
      .toEqual([]);
    await server.client.post(ORDERS, { ...LIVE_ORDER, price: 0.1, size_usdc: 1 });
  });

  test('lists the orders that cancel-all could not cancel', async () => {
    const kept = { canceled: [], not_canceled: { '0xaa': 'order is being matched', '0xbb': 'order already matched' } };
    venue.script('DELETE /cancel-all', answers(200, kept));
    const { code, output } = await command(server.env, 'cancel-all');
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/0 orders at polymarket; 1 were already gone.*Not cancelled at polymarket: 0xaa/s),
    ]);
  });

  test('stops in order', async () => {
    expect((await server.kill('SIGTERM')).code).toBe(0);
    expect(server.output()).not.toMatch(new RegExp(KNOWN_KEY.slice(2, 18), 'i'));
  });

  test('goes on after a restart', async () => {
    const next = await server.again();
    expect((await next.client.get('/readyz')).status).toBe(200);
    expect((await next.client.get(`${ORDERS}?status=open&paper=false`)).json<{ data: unknown[] }>().data).toHaveLength(
      1,
    );
    await next.kill('SIGTERM');
    expect(next.output()).not.toMatch(new RegExp(KNOWN_KEY.slice(2, 18), 'i'));
  });
});

describe('The trading API is never called', () => {
  const calls = (quiet: FakeVenue) => quiet.log.requests.map(({ path }) => path).filter((path) => !READING.test(path));

  test('without LIVE_TRADING=on, for every request for real money', async () => {
    const [quiet, file] = [await FakeVenue.start({ markets: [RAIN] }), freshSqliteFile()];
    const key = await enrol(file.url);
    const live = liveEnvironment({ databaseUrl: file.url, venue: quiet });
    const off = await startServer({ env: { ...live, LIVE_TRADING: 'off', POLYMARKET_PRIVATE_KEY: KNOWN_KEY } });
    const refused = await new Client(off.url, { authorization: `Bearer ${key}` }).post(ORDERS, LIVE_ORDER);
    expect([refused.status, refused.json()['type']]).toEqual([403, '/problems/live-trading-not-enabled']);
    await off.kill('SIGTERM');
    expect([calls(quiet), off.output().includes(KNOWN_KEY.slice(2, 18))]).toEqual([[], false]);
    await quiet.close();
  });

  describe('where every caller is trusted', () => {
    let quiet: FakeVenue;
    let env: Record<string, string>;
    beforeAll(async () => {
      quiet = await FakeVenue.start({ markets: [RAIN] });
      const trusting = { AUTH_MODE: 'dev', PORT: '0' };
      env = liveEnvironment({ databaseUrl: freshSqliteFile().url, venue: quiet, env: trusting });
    });
    afterAll(() => quiet.close());

    test('for such a server does not start', async () => {
      const program = startProgram(process.execPath, { args: [SERVER], env });
      expect((await program.ended).code).toBe(78);
      expect(program.output()).toContain('AUTH_MODE must be keys, jwt or keys+jwt with LIVE_TRADING=on');
      expect(calls(quiet)).toEqual([]);
    });

    test('without LIVE_TRADING=on', async () => {
      const dev = await startServer({ env: { ...env, LIVE_TRADING: 'off', DATABASE_URL: 'memory:' } });
      expect((await new Client(dev.url).post(ORDERS, LIVE_ORDER)).status).toBe(403);
      expect(calls(quiet)).toEqual([]);
      await dev.kill('SIGTERM');
    });
  });
});

test('A server with an unreachable exchange exits with a retryable code', async () => {
  const file = freshSqliteFile();
  await enrol(file.url);
  const env = {
    ...liveEnvironment({ databaseUrl: file.url, venue }),
    POLYMARKET_CLOB_URL: 'http://127.0.0.1:1',
    PORT: '0',
  };
  const { code, output } = await stakeport({ env });
  expect([code, output]).toEqual([
    69,
    expect.stringContaining('stakeport cannot start: The venue at http://127.0.0.1:1 does not answer'),
  ]);
});
