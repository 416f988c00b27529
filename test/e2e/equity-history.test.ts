import { expect, test } from 'vitest';
import { ORDER, ORDERS, PORTFOLIO, STRATEGIES, STRATEGY } from '../support/app.js';
import { freshSqliteFile } from '../support/databases.js';
import { Client } from '../support/http.js';
import { startServer } from '../support/processes.js';
import { idOf, until } from './trading.js';

const HISTORY = `${PORTFOLIO}/history`;

test('a running server keeps equity histories of accounts and strategies over restarts', async () => {
  const env = { DATABASE_URL: freshSqliteFile().url, EQUITY_EVERY: '1s', LOG_LEVEL: 'error' };
  const first = await startServer({ env });
  const client = new Client(first.url);
  const strategy = idOf(await client.post(STRATEGIES, STRATEGY));
  await client.post(ORDERS, { ...ORDER, strategy_id: strategy });
  const points = async (at: Client, query = '') => (await at.get(`${HISTORY}${query}`)).json<{ data: object[] }>().data;
  await until(async () => (await points(client, `?strategy_id=${strategy}`)).length > 0);
  const whole = { cash_usdc: '99990', value_usdc: '10', equity_usdc: '100000', strategy_id: null };
  const part = { cash_usdc: null, value_usdc: '10', equity_usdc: null, strategy_id: strategy };
  expect(await points(client)).toMatchObject([whole]);
  expect(await points(client, `?strategy_id=${strategy}`)).toMatchObject([part]);
  await first.kill('SIGTERM');

  const again = new Client((await startServer({ env })).url);
  await again.post(ORDERS, ORDER);
  await until(async () => (await points(again)).length > 1);
  expect(await points(again)).toMatchObject([{ ...whole, cash_usdc: '99980', value_usdc: '20' }, whole]);
  expect(await points(again, `?strategy_id=${strategy}`)).toMatchObject([part]);
});
