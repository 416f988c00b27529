import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { MIGRATIONS } from '../../../src/adapters/sql/migrations/index.js';
import { ALICE, MARKET, shares } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';

const STEP = MIGRATIONS.findIndex(({ name }) => name.startsWith('024'));

const id = (n: number): string => `01957000-0000-7000-8000-00000000000${n}`;

/** A purchase of 10 shares at 0.5, as the first version wrote it. */
const purchase = (n: number, more: { paper: string; state: string; filled: number; notional: number }): string =>
  `insert into orders (account, id, placed_at, market_id, token, side, price, size, shares, time_in_force, post_only, paper,
    state, status, venue_order_id, filled_shares, confirmed_shares, filled_notional, fees, updated_at, seq, event_hash)
    values ('alice', '${id(n)}', '2026-03-01T12:00:00.000Z', 'will-it-rain', 'YES', 'BUY', 500000, 5000000, 10000000, 'GTC',
    'no', '${more.paper}', '${more.state}', 'open', 'v${n}', ${more.filled}, 0, ${more.notional}, 0,
    '2026-03-01T12:00:00.000Z', 3, 'hash')`;

const ROWS = [
  `insert into accounts (id, live_enabled) values ('alice', 'no')`,
  `insert into balances (account, paper, cash, reserved) values ('alice', 'yes', 900000000, 0), ('alice', 'no', 900000000, 0)`,
  `insert into positions (account, paper, market_id, token, strategy_id, shares, reserved, cost) values
    ('alice', 'yes', 'will-it-rain', 'YES', '', 0, 0, 0), ('alice', 'yes', 'will-it-rain', 'NO', '', 7000000, 0, 3000000),
    ('alice', 'no', 'will-it-rain', 'YES', '', 4000000, 0, 2000000)`,
  purchase(1, { paper: 'yes', state: 'open', filled: 4_000_000, notional: 2_000_000 }),
  purchase(2, { paper: 'yes', state: 'open', filled: 2_000_000, notional: 1_000_000 }),
  purchase(3, { paper: 'yes', state: 'cancelled', filled: 1_000_000, notional: 500_000 }),
  purchase(4, { paper: 'no', state: 'open', filled: 1_000_000, notional: 500_000 }),
];

/** What came with a later step: the dollars that the second order spends, and those of an envelope. */
const DOLLARS = [
  `update orders set envelope_spends = 3000000 where id = '${id(2)}'`,
  `update orders set envelope_spends = 5000000, envelope = 'signed', send_by = '2026-03-01T12:01:00.000Z', envelope_dust = 0
    where id = '${id(4)}'`,
];

describe.each(EACH_DATABASE)('a database of before purchases were counted, on %s', (name, fresh) => {
  let database: { url: string; remove: () => Promise<void> | void };
  let ledger: SqlLedger;

  beforeEach(async () => {
    database = await fresh();
    const store = await openDatabase(database.url);
    const flag = (sql: string) => (name === 'SQLite' ? sql.replaceAll("'yes'", '1').replaceAll("'no'", '0') : sql);
    const runAll = (statements: readonly string[]) =>
      store.alone(async (run) => {
        for (const statement of statements) await run(flag(statement));
      });
    await migrate(store, MIGRATIONS.slice(0, 1));
    await runAll(ROWS);
    await migrate(store, MIGRATIONS.slice(0, STEP));
    await runAll(DOLLARS);
    await store.close();
    ledger = await openSqlLedger(database.url);
  });
  afterEach(async () => {
    await ledger.close();
    await database.remove();
  });

  const wanted = async (paper: boolean) => {
    const held = await ledger.listPositions(ALICE, { paper, strategyId: null }, { limit: 10 });
    return held.map((position) => [position.marketId, position.outcome, position.wanted]);
  };

  it('gets what each working purchase may still bring: its shares, or all that its dollars may buy', async () => {
    const [left, mostForTwoDollars] = [shares('6'), shares('20000')];
    expect(await wanted(true)).toEqual([
      [MARKET, 'NO', undefined],
      [MARKET, 'YES', left + mostForTwoDollars],
    ]);
    expect(await wanted(false)).toEqual([[MARKET, 'YES', shares('9')]]);
  });
});
