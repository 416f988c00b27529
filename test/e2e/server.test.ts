import { existsSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ORDER, ORDERS, STRATEGIES, STRATEGY } from '../support/app.js';
import { freshPostgres, freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';
import { stakeport } from './command-line.js';
import { allOrders, idOf, placeOnce, until } from './trading.js';

describe('at start', () => {
  test('the server prints its address, docs, authentication mode and data location', async () => {
    const { path, url } = freshSqliteFile();
    const server = await startServer({ env: { DATABASE_URL: url } });
    const output = server.output();
    expect(output).toMatch(/^stakeport \d+\.\d+\.\d+ listening on http:\/\/127\.0\.0\.1:\d+$/m);
    expect(output).toContain(`reference   ${server.url}/docs`);
    expect(output).toMatch(/guarded by .*AUTH_MODE=dev.*paper only/);
    expect(output).toContain(`data in     sqlite:${path}`);
    expect((await new Client(server.url).get('/docs')).status).toBe(200);
  });

  test('without any configuration it keeps its data in data/stakeport.db', async () => {
    const folder = freshSqliteFile().path.replace(/[^/]*$/, '');
    const server = await startServer({ cwd: folder });
    expect((await new Client(server.url).post(ORDERS, ORDER)).status).toBe(201);
    expect(existsSync(`${folder}data/stakeport.db`)).toBe(true);
  });

  test('its log begins with version and settings, without the database password', async () => {
    const { url } = await freshPostgres();
    const named = new URL(url);
    named.password = 'canary-pass@word';
    const server = await startServer({ env: { DATABASE_URL: named.href, LOG_LEVEL: 'trace' } });
    expect(server.output()).toMatch(/data in {5}postgres:\/\/127\.0\.0\.1/);
    const [started] = await server.says(/^.*"msg":"started".*$/m);
    const settings = { LOG_LEVEL: 'trace', DATABASE_URL: expect.stringMatching(/^postgres:/) };
    expect(JSON.parse(started)).toMatchObject({ version: expect.stringMatching(/^\d+\./), settings });
    expect(server.output()).not.toMatch(/canary-pass|word@/);
  });

  test('all configuration mistakes are reported together with a non-retryable exit code', async () => {
    const env = {
      PORT: 'http',
      AUTH_MODE: 'none',
      DATABASE_URL: 'mongodb://x',
      LIVE_TRADING: 'yes',
      CORS_ORIGINS: '*',
    };
    const { code, output } = await stakeport({ env });
    expect(code).toBe(78);
    for (const variable of Object.keys(env)) expect(output).toMatch(new RegExp(`^ {2}${variable} must`, 'm'));
    expect(output).not.toContain('mongodb://x');
  });

  test.each([
    [{ NODE_ENV: 'production' }, /AUTH_MODE must be set/],
    [{ HOST: '0.0.0.0' }, /AUTH_MODE must be set/],
    [{ AUTH_MODE: 'dev', NODE_ENV: 'production' }, /AUTH_MODE cannot be dev/],
    [{ AUTH_MODE: 'keys' }, /KEY_PEPPER is required/],
    [{ LIVE_TRADING: 'on' }, /AUTH_MODE must be keys, jwt or keys\+jwt with LIVE_TRADING=on/],
  ])('the server does not start with %j', async (env, why) => {
    const { code, output } = await stakeport({ env: { DATABASE_URL: 'memory:', PORT: '0', ...env } });
    expect(code).toBe(78);
    expect(output).toMatch(why);
  });

  describe('on the file of another server', () => {
    const { url, path } = freshSqliteFile();
    let first: Awaited<ReturnType<typeof startServer>>;
    beforeAll(async () => {
      first = await startServer({ env: { DATABASE_URL: url } });
    });

    test('it is refused in words', async () => {
      const second = await stakeport({ env: { DATABASE_URL: url, PORT: '0' } });
      expect(second.code).toBe(75);
      expect(second.output).toContain(`${path} is in use by another stakeport server`);
      expect(second.output).not.toMatch(/\n\s+at /);
    });

    test('it starts once the other was killed', async () => {
      await first.kill('SIGKILL');
      const third = await startServer({ env: { DATABASE_URL: url } });
      expect((await new Client(third.url).get('/readyz')).status).toBe(200);
    });
  });

  test('an address that is taken is reported in words', async () => {
    const first = await startServer({ env: { DATABASE_URL: 'memory:' } });
    const { port } = new URL(first.url);
    const second = await stakeport({ env: { DATABASE_URL: 'memory:', PORT: port } });
    expect(second.code).toBe(75);
    expect(second.output).toMatch(new RegExp(`cannot start: PORT ${port} is in use .*set another PORT`));
  });
});

test('metrics count requests by route and status, without any caller input', async () => {
  const server = await startServer({ env: { DATABASE_URL: 'memory:', LOG_LEVEL: 'error' } });
  const client = new Client(server.url);
  const strategy = (await client.post(STRATEGIES, STRATEGY)).headers.location ?? '';
  for (let i = 0; i < 3; i++) await client.get(strategy);
  await client.get('/v1/canary-path?canary-query=1');
  const { text, headers } = await client.get('/metrics');
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(text).toContain(
    'http_request_duration_seconds_count{method="GET",route="/v1/strategies/{sid}",status="200"} 3',
  );
  expect(text).toContain('http_request_duration_seconds_count{method="POST",route="/v1/strategies",status="201"} 1');
  expect(text).toContain('http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1');
  expect(text).toContain('http_request_failures_total 0');
  expect(text).not.toMatch(/canary/);
});

/** Labels of metrics: no account, order or market is among them. */
const BOUNDED = ['method', 'route', 'status', 'le', 'connection', 'venue', 'mode', 'code', 'verdict', 'rule', 'kind'];

test('metrics and log distinguish denied from filled orders, without private data', async () => {
  const { url } = freshSqliteFile();
  const server = await startServer({ env: { DATABASE_URL: url } });
  const client = new Client(server.url);
  const { id: sid } = (await client.post(STRATEGIES, { ...STRATEGY, stake_cap: 5 })).json<{ id: string }>();
  const filled = (await client.post(ORDERS, ORDER)).json<{ id: string; clob_order_id: string }>();
  const denied = (await client.post(ORDERS, { ...ORDER, strategy_id: sid })).json<{ id: string }>();
  const { text } = await client.get('/metrics');
  for (const line of [
    'stakeport_orders_total{status="pending",venue="none",mode="paper"} 2',
    'stakeport_orders_total{status="filled",venue="none",mode="paper"} 1',
    'stakeport_orders_total{status="denied",venue="none",mode="paper"} 1',
    'stakeport_order_refusals_total{code="stake_cap_exceeded",status="denied",mode="paper"} 1',
    'stakeport_database_errors_total{kind="unavailable"} 0',
    'stakeport_ready 1',
    'stakeport_writes_waiting 0',
    'stakeport_event_stream_lag_seconds 0',
    'stakeport_followed_markets{venue="none"} 0',
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).toMatch(/^stakeport_commit_writes_sum [3-9]$/m);
  const types = [...text.matchAll(/^# TYPE ((?:stakeport|http)_\w+) (\w+)$/gm)];
  for (const [, name = '', type] of types) expect(name.endsWith('_total'), name).toBe(type === 'counter');
  const labels = [...text.matchAll(/^(?:stakeport|http)_\w+\{(.*)\}/gm)].flatMap(
    ([, all = '']) => all.match(/\w+(?==")/g) ?? [],
  );
  expect([...new Set(labels)].filter((label) => !BOUNDED.includes(label))).toEqual([]);
  expect(text).toMatch(/^stakeport_commit_duration_seconds_count [1-9]$/m);
  await server.says(new RegExp(`"order":"${denied.id}"`));
  const lineOf = (order: string) =>
    JSON.parse(server.output().match(new RegExp(`^.*"order":"${order}".*$`, 'm'))?.[0] ?? '');
  expect(lineOf(filled.id)).toMatchObject({ status: 201, orderStatus: 'filled', venueOrderId: filled.clob_order_id });
  expect(lineOf(filled.id)).not.toHaveProperty('code');
  expect(lineOf(denied.id)).toMatchObject({ orderStatus: 'denied', code: 'stake_cap_exceeded', venueOrderId: null });
});

describe('an outage of the database', () => {
  let client: Client;
  let operator: pg.Client;
  let name: string;
  beforeAll(async () => {
    const { url } = await freshPostgres();
    name = new URL(url).pathname.slice(1);
    operator = new pg.Client({ connectionString: inject('postgresUrl') });
    await operator.connect();
    client = new Client((await startServer({ env: { DATABASE_URL: url, LOG_LEVEL: 'error' } })).url);
    expect((await placeOnce(client, 'before')).status).toBe(201);
    await operator.query(`alter database ${name} with allow_connections false`);
    await operator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  });
  afterAll(() => operator.end());

  test('is a 503 with a time to try again, and nothing is ready', async () => {
    const [refused, listed, ready] = [
      await placeOnce(client, 'during'),
      await client.get(ORDERS),
      await client.get('/readyz'),
    ];
    for (const reply of [refused, listed]) {
      expect([reply.status, reply.json()['type'], reply.headers['retry-after']]).toEqual([
        503,
        '/problems/unavailable',
        '1',
      ]);
    }
    expect(ready.status).toBe(503);
    expect(ready.json()).toMatchObject({
      type: '/problems/unavailable',
      detail: 'Not ready: storage takes no writes.',
    });
    expect((await client.get('/healthz')).status).toBe(200);
  });

  test('leaves one order of an intent that is sent again afterwards', async () => {
    await operator.query(`alter database ${name} with allow_connections true`);
    await until(async () => (await client.get('/readyz')).status === 200);
    const [placed, replayed] = [await placeOnce(client, 'during'), await placeOnce(client, 'during')];
    expect([placed.status, replayed.status]).toEqual([201, 201]);
    expect(idOf(replayed)).toBe(idOf(placed));
    expect(await allOrders(client)).toHaveLength(2);
  });
});
