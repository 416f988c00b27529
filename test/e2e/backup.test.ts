import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ORDER } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';
import { stakeport } from './command-line.js';
import { allOrders, placeOnce } from './trading.js';

const TRADERS = 8;

test('a backup of a loaded SQLite server restores, passes audit and continues', async () => {
  const [{ url }, restored] = [freshSqliteFile(), freshSqliteFile()];
  const env = { DATABASE_URL: url, LOG_LEVEL: 'error' };
  const server = await startServer({ env });
  const client = new Client(server.url);
  let isOver = false;
  let placed = 0;
  const load = Promise.all(
    Array.from({ length: TRADERS }, async (_, one) => {
      for (let turn = 0; !isOver; turn += 1) {
        expect((await placeOnce(client, `${one}-${turn}`)).status).toBe(201);
        placed += 1;
      }
    }),
  );
  const beside = { env: { DATABASE_URL: url } };
  const path = restored.url.slice('sqlite:'.length);
  const answered = placed;
  expect(await stakeport(beside, 'backup', `${path}.copy`)).toMatchObject({ code: 0 });
  isOver = true;
  await load;
  await server.kill('SIGKILL');

  renameSync(`${path}.copy`, path);
  const after = { env: { ...env, DATABASE_URL: restored.url } };
  const audit = await stakeport(after, 'audit');
  expect(audit).toMatchObject({ code: 0, output: expect.stringContaining('The books hold.') });
  const second = await startServer(after);
  const again = new Client(second.url);
  const orders = await allOrders(again);
  expect(orders.length).toBeGreaterThanOrEqual(answered);
  expect(orders.length).toBeLessThan(placed);
  expect((await again.post('/v1/exchange/orders', ORDER)).status).toBe(201);
  await second.kill('SIGTERM');
  expect((await stakeport(after, 'audit')).code).toBe(0);
});
