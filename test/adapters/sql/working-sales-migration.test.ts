import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { MIGRATIONS } from '../../../src/adapters/sql/migrations/index.js';
import { NO_GROUP } from '../../../src/core/limits/risk.js';
import { ALICE, price, shares, usdc } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';

const STEP = MIGRATIONS.findIndex(({ name }) => name === '034_working_sales');
const AT = "'2026-03-01T12:00:00.000Z'";

/** A resting sale of YES on paper at 0.4, some of which is filled. */
const sale = (n: number, many: number, filled: number, fee: string): string =>
  `insert into orders (account, id, placed_at, market_id, token, side, price, size, shares, time_in_force, post_only, paper,
    state, status, venue_order_id, filled_shares, confirmed_shares, filled_notional, fees, updated_at, seq, event_hash, venue,
    fee_schedule)
    values ('alice', '01957000-0000-7000-8000-00000000000${n}', ${AT}, 'will-it-rain', 'YES', 'SELL', 400000,
    ${many * 400_000}, ${many * 1_000_000}, 'GTC', 'no', 'yes', 'open', 'open', 'v${n}', ${filled * 1_000_000}, 0, 0, 0, ${AT},
    3, 'hash', 'none', ${fee})`;

/** What was kept of a purchase that may lose 2, of 10 shares on sale at 0.4, and of 5 more with a fee of at most 0.06002. */
const WORKING = {
  orders: 3,
  lost: `${usdc('2')}`,
  split: `${usdc('1.56002')}`,
  won: `${usdc('9.06002')}`,
  bids: [[`${price('0.2')}`, 1]],
  asks: [[`${price('0.4')}`, 2]],
};
const FEE = `'{"rate":"50000","exponent":1,"takerOnly":true,"asOf":"2026-02-27T11:00:00.000Z"}'`;
const ROWS = [
  `insert into accounts (id, live_enabled) values ('alice', 'no')`,
  sale(1, 12, 2, 'null'),
  sale(2, 5, 0, FEE),
  `insert into positions (account, paper, market_id, token, strategy_id, shares, reserved, cost, fees, realised, settled,
    returned, redeemable, venue, risk) values ('alice', 'yes', 'will-it-rain', 'YES', '', 20000000, 15000000, 9000000, 0, 0, 0,
    0, 0, 'none', '${JSON.stringify({ group: NO_GROUP, working: WORKING })}')`,
];

describe.each(EACH_DATABASE)('a database that kept what working sales bring, on %s', (name, fresh) => {
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

  it('keeps the shares on sale instead, and of purchases what was kept of them', async () => {
    const [held] = await ledger.listPositions(ALICE, { paper: true, strategyId: null }, { limit: 10 });
    expect(held?.risk).toEqual({
      group: NO_GROUP,
      working: {
        orders: 3,
        selling: shares('15'),
        lost: usdc('2'),
        split: 0n,
        won: 0n,
        bids: [[price('0.2'), 1]],
        asks: [[price('0.4'), 2]],
      },
    });
  });
});
