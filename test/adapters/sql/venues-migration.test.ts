import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { MIGRATIONS } from '../../../src/adapters/sql/migrations/index.js';
import { EACH_DATABASE } from '../../support/databases.js';

/** So many that looking at all of them for each of them would not end while a test may run. */
const MANY = 20_000;

const numbered = (select: string) =>
  `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${MANY}) ${select} from counted`;

const MARKET = (at: string) => `case when n % 100 = 0 then 'listed-' || ${at} else 'bench-market' end`;

/** Orders of one account, nearly all in a market of unknown venue; each has a line in the journal. */
const FULL = [
  numbered(`insert into orders (account, id, placed_at, market_id, condition_id, token, side, price, size, shares, time_in_force,
    post_only, paper, state, status, venue_order_id, filled_shares, confirmed_shares, filled_notional, fees, updated_at, seq, event_hash)
    select 'alice', cast(n as text), '2026-03-01T12:00:00.000Z', ${MARKET('n')}, case when n % 100 = 0 then 'listed-' || n end, 'YES', 'BUY',
    500000, 5000000, 10000000, 'GTC', 'no', 'yes', 'open', 'open', 'v', 0, 0, 0, 0, '2026-03-01T12:00:00.000Z', 3, 'hash'`),
  numbered(`insert into journal_lines (account, paper, entry, line, at, cause, ledger, market_id, token, amount)
    select 'alice', 'yes', cast(n as text), 1, '2026-03-01T12:00:00.000Z', 'fill', 'position', ${MARKET('n')}, 'YES', 1`),
  numbered(`insert into positions (account, paper, market_id, token, strategy_id, shares, reserved, cost, fees, realised, settled, returned,
    redeemable) select 'account-' || n, 'yes', ${MARKET('n')}, 'YES', '', 1, 0, 0, 0, 0, 0, 0, 0`),
];

describe.each(EACH_DATABASE)('a database full of orders on %s', (name, fresh) => {
  it('is given its venues in as many steps as it has rows: a market of many orders costs no more than many markets', async () => {
    const database = await fresh();
    const store = await openDatabase(database.url);
    await migrate(store, MIGRATIONS.slice(0, 8));
    const flag = (sql: string) => (name === 'SQLite' ? sql.replaceAll("'yes'", '1').replaceAll("'no'", '0') : sql);
    // Postgres takes the insert first, and what it counts with after it.
    const ordered = (sql: string) => sql.replace(/^(with recursive .*?\)) (insert into .*?\)\s)(select)/s, '$2 $1 $3');
    await store.alone(async (run) => {
      for (const statement of FULL) await run(flag(ordered(statement)));
    });
    await migrate(store);
    for (const [table, column] of [
      ['orders', 'venue'],
      ['positions', 'venue'],
      ['journal_lines', 'held_venue'],
    ] as const) {
      const found = await store.reader(table).select<Record<string, string>[]>(column);
      const counts = ['none', 'polymarket'].map((venue) => [
        venue,
        found.filter((row) => row[column] === venue).length,
      ]);
      expect(counts).toEqual([
        ['none', MANY - MANY / 100],
        ['polymarket', MANY / 100],
      ]);
    }
    await store.close();
    await database.remove();
  });
});
