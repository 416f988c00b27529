import { expect, test } from 'vitest';
import { Venue } from '../adapters/polymarket/market-data/venue.js';
import { ORDERS } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { SERVER, startProgram, startServer } from '../support/processes.js';
import { idOf, until } from './trading.js';

/** A server that is interrupted has about a second; this machine may be busy. */
const AT_ONCE_MS = 4000;
const ISSUER = { JWT_ISSUER: 'https://issuer.test', JWT_AUDIENCE: 'here', JWT_JWKS_URL: 'http://127.0.0.1:9/keys' };

test('a failing or hanging venue blocks no start, stop or cancellation', async () => {
  const venue = await Venue.open();
  venue.shows([['0.4', '10']], [['0.6', '10']]);
  const { gamma, clob } = venue.rest;
  const env = {
    DATABASE_URL: freshSqliteFile().url,
    MARKET_DATA: 'polymarket',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    PORT: '0',
    POLYMARKET_GAMMA_URL: gamma.href,
    POLYMARKET_CLOB_URL: clob.href,
    POLYMARKET_WS_URL: venue.socket.url,
  };
  const first = await startServer({ env });
  const order = { market_id: venue.id, token: 'YES', price: 0.41, size_usdc: 8 };
  const placed = await new Client(first.url).post(ORDERS, order);
  expect(placed.json()['status']).toBe('open');
  await first.kill('SIGTERM');

  const hang = Array.from({ length: 20 }, () => ({ kind: 'hang' }) as const);
  venue.rest.script('/', ...hang);
  const asked = venue.rest.requests.length;
  const interrupted = startProgram(process.execPath, { args: [SERVER], env });
  await until(async () => venue.rest.requests.length > asked);
  const began = performance.now();
  expect(await interrupted.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
  await venue.close();

  const second = await startServer({ env });
  const client = new Client(second.url);
  expect((await client.get('/readyz')).status).toBe(200);
  await second.says(new RegExp(`${idOf(placed)}.*could not restore an order on record; retrying`));
  const cancelled = await client.post(`${ORDERS}/${idOf(placed)}/cancel`);
  expect([cancelled.status, cancelled.json()['status']]).toEqual([200, 'cancelled']);
  expect((await second.kill('SIGTERM')).code).toBe(0);
});

test('a signal that would open a debugger to any client does nothing', async () => {
  const NODE_OPTIONS = '--inspect-port=0';
  const server = await startServer({ env: { DATABASE_URL: 'memory:', NODE_OPTIONS, AUTH_MODE: 'jwt', ...ISSUER } });
  process.kill(server.pid, 'SIGUSR1');
  const unguarded = startProgram(process.execPath, {
    args: ['-p', 'setInterval(() => {}, 1000); 1'],
    env: { NODE_OPTIONS },
  });
  await unguarded.says(/1/);
  process.kill(unguarded.pid, 'SIGUSR1');
  await unguarded.says(/Debugger listening/);
  expect((await new Client(server.url).get('/healthz')).status).toBe(200);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(server.output()).not.toContain('Debugger');
});
