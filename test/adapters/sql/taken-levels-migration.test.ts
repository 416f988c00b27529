import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { MIGRATIONS } from '../../../src/adapters/sql/migrations/index.js';
import type { OrderId } from '../../../src/core/ids.js';
import { takenBy } from '../../../src/core/matching/walk.js';
import { ALICE, price, shares, usdc } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';

const STEP = MIGRATIONS.findIndex(({ name }) => name === '036_taken_levels');
const AT = '2026-03-01T12:00:00.000Z';
const ID = '01957000-0000-7000-8000-000000000001' as OrderId;
const ROWS = [
  `insert into accounts (id, live_enabled) values ('alice', 'no')`,
  `insert into orders (account, id, placed_at, market_id, token, side, price, size, shares, time_in_force, post_only, paper,
    state, status, venue_order_id, filled_shares, confirmed_shares, filled_notional, fees, updated_at, seq, event_hash, venue)
    values ('alice', '${ID}', '${AT}', 'will-it-rain', 'YES', 'BUY', 500000, 45000000, 90000000, 'GTC', 'no', 'yes',
    'filled', 'filled', 'v', 90000000, 90000000, 45000000, 0, '${AT}', 3, 'hash', 'none')`,
  `insert into fills (account, order_id, trade_id, n, shares, price, notional, fee, liquidity, settlement, basis_cost,
    basis_strategy_shares, basis_strategy_cost) values ('alice', '${ID}', 't', 1, 90000000, 500000, 45000000, 0, 'TAKER',
    'confirmed', 0, 0, 0)`,
];

describe.each(EACH_DATABASE)('a database of before fills said what they took, on %s', (name, fresh) => {
  let database: { url: string; remove: () => Promise<void> | void };
  let ledger: SqlLedger;

  beforeEach(async () => {
    database = await fresh();
    const store = await openDatabase(database.url);
    await migrate(store, MIGRATIONS.slice(0, STEP));
    const flag = (sql: string) => (name === 'SQLite' ? sql.replaceAll("'yes'", '1').replaceAll("'no'", '0') : sql);
    await store.alone(async (run) => {
      for (const statement of ROWS) await run(flag(statement));
    });
    await store.close();
    ledger = await openSqlLedger(database.url);
  });
  afterEach(async () => {
    await ledger.close();
    await database.remove();
  });

  it('keeps its fills as they were, of which nothing is known to be taken', async () => {
    const order = await ledger.findOrder(ALICE, ID);
    expect(order?.fills).toMatchObject([{ shares: shares('90'), price: price('0.5'), notional: usdc('45') }]);
    expect(order?.fills[0]).not.toHaveProperty('taken');
    expect(takenBy(order === undefined ? [] : [order])).toEqual([]);
  });
});
