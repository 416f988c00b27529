import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';
import { ORDERS } from '../support/app.js';
import { found } from '../support/audited.js';
import { freshPostgres } from '../support/databases.js';
import { Client } from '../support/http.js';
import { type RunningServer, startServer } from '../support/processes.js';
import { runs } from '../support/runs.js';

const ROUNDS = runs(1);
const ORDERS_AT_ONCE = 100;
const MARKETS = ['rain', 'snow', 'wind'];
const LIMITS = { market_loss_usdc: 25, exposure_usdc: 60, daily_stake_usdc: 70, orders_per_minute: 40 };
type Used = Readonly<Record<keyof typeof LIMITS, string | number>>;

/** An order that may be filled at once: without books every server takes orders, and fills them at their limit. */
const anOrder = () => ({
  market_id: MARKETS[randomInt(MARKETS.length)],
  token: 'YES',
  side: 'BUY',
  price: 0.5,
  time_in_force: 'GTC',
  size_usdc: 1 + randomInt(6),
});

test('100 concurrent orders on two servers never exceed an account limit', {
  timeout: runs(600_000),
}, async () => {
  const database = await freshPostgres();
  const start = () => startServer({ env: { DATABASE_URL: database.url, EQUITY_EVERY: 'off' } });
  const servers = await Promise.all([start(), start()]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = `trader-${round}`;
    const clientOf = ({ url }: RunningServer) => new Client(url).as({ 'x-dev-user': account });
    const [one, two] = servers.map(clientOf) as [Client, Client];
    expect((await one.put('/v1/limits', LIMITS)).status).toBe(200);
    let isOver = false;
    const seen: Used[] = [];
    const watching = (async () => {
      for (let n = 0; !isOver; n += 1)
        seen.push((await (n % 2 === 0 ? one : two).get('/v1/limits')).json<{ used: Used }>().used);
    })();
    const answers = await Promise.all(
      Array.from({ length: ORDERS_AT_ONCE }, (_, n) => (n % 2 === 0 ? one : two).post(ORDERS, anOrder())),
    );
    isOver = true;
    await watching;
    seen.push((await two.get('/v1/limits')).json<{ used: Used }>().used);
    for (const used of seen)
      for (const [name, cap] of Object.entries(LIMITS))
        expect(Number(used[name as keyof Used]), name).toBeLessThanOrEqual(cap);
    const orders = answers.map((answer) => answer.json<{ status: string; error: string | null; size_usdc: string }>());
    const placed = orders.filter(({ status }) => status === 'filled');
    const cost = placed.reduce((sum, { size_usdc: size }) => sum + Number(size), 0);
    expect(placed.length).toBeLessThanOrEqual(LIMITS.orders_per_minute);
    expect(cost).toBeLessThanOrEqual(LIMITS.exposure_usdc);
    // Something was refused for what others took, and what was left is less than the largest order.
    expect(orders.filter(({ status }) => status === 'denied').length).toBeGreaterThan(0);
    expect(cost).toBeGreaterThan(LIMITS.exposure_usdc / 2);
  }
  const ledger = await openSqlLedger(database.url);
  expect(await found(ledger)).toEqual([]);
  await ledger.close();
  await Promise.all(servers.map((server) => server.kill('SIGTERM')));
  await database.drop();
});
