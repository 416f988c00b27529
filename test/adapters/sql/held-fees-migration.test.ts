import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { MIGRATIONS } from '../../../src/adapters/sql/migrations/index.js';
import type { StrategyId } from '../../../src/core/ids.js';
import { ALICE, MARKET, usdc } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';

const STEP = MIGRATIONS.findIndex(({ name }) => name.startsWith('033'));
const OURS = '01957000-0000-7000-8000-0000000000aa' as StrategyId;
const AT = "'2026-03-01T12:00:00.000Z'";

const id = (n: number): string => `01957000-0000-7000-8000-00000000000${n}`;

/** A trade of YES on paper at 0.5, and its entry in the journal: what of it was of the strategy, and its fee. */
function trade(n: number, side: string, shares: number, own: number, fee: number, settlement = 'confirmed'): string[] {
  const strategy = own === 0 ? 'null, null' : `'${OURS}', 1`;
  const taken = side === 'SELL' ? own : 0;
  return [
    `insert into orders (account, id, placed_at, market_id, token, side, price, size, shares, time_in_force, post_only, paper,
      state, status, venue_order_id, filled_shares, confirmed_shares, filled_notional, fees, updated_at, seq, event_hash,
      venue, strategy_id, strategy_version, condition_id, question, outcome_label)
      values ('alice', '${id(n)}', ${AT}, 'will-it-rain', 'YES', '${side}', 500000, ${shares / 2}, ${shares}, 'GTC',
      'no', 'yes', 'filled', 'filled', 'v${n}', ${shares}, ${shares}, ${shares / 2}, ${fee}, ${AT}, 3, 'hash', 'none',
      ${strategy}, null, null, null)`,
    `insert into fills (account, order_id, trade_id, n, shares, price, notional, fee, liquidity, settlement, basis_cost,
      basis_strategy_shares, basis_strategy_cost) values ('alice', '${id(n)}', 't${n}', 1, ${shares}, 500000, ${shares / 2},
      ${fee}, 'TAKER', '${settlement}', 0, ${taken}, 0)`,
    `insert into journal_lines (account, paper, venue, entry, line, at, cause, order_id, ledger, amount)
      values ('alice', 'yes', '', '${id(n).replace('8000', '9000')}', 1, ${AT}, 'fill', '${id(n)}', 'cash', 1)`,
  ];
}

const position = (strategy: string, shares: number, cost: number, fees: number): string =>
  `insert into positions (account, paper, market_id, token, strategy_id, shares, reserved, cost, fees, realised, settled,
    returned, redeemable, venue) values ('alice', 'yes', 'will-it-rain', 'YES', '${strategy}', ${shares}, 0, ${cost}, ${fees},
    0, 0, 0, 0, 'none')`;

/** What a reset of the paper account took away, and then: all that was bought at first is gone; of the rest half the shares of the account, and a quarter of those of the strategy. */
const ROWS = [
  `insert into accounts (id, live_enabled) values ('alice', 'no')`,
  ...['strategies', 'strategy_versions'].map(
    (table) => `insert into ${table} (account, id, version, name, sport, rules, bankroll_cap, stake_cap, is_paused,
      paper_only, created_at, updated_at) values ('alice', '${OURS}', 1, 'ours', 'nba', '{}', 1, 1, 'no', 'yes', ${AT}, ${AT})`,
  ),
  ...trade(0, 'BUY', 10_000_000, 10_000_000, 900_000),
  `insert into journal_lines (account, paper, venue, entry, line, at, cause, order_id, ledger, amount)
    values ('alice', 'yes', '', '${id(1).replace('8000', '9000')}', 1, ${AT}, 'reset', null, 'cash', 1)`,
  ...trade(2, 'BUY', 20_000_000, 20_000_000, 700_000),
  ...trade(3, 'SELL', 20_000_000, 20_000_000, 500_000),
  ...trade(4, 'BUY', 8_000_000, 8_000_000, 80_000),
  ...trade(5, 'BUY', 4_000_000, 0, 20_000),
  ...trade(6, 'BUY', 4_000_000, 0, 90_000, 'voided'),
  ...trade(7, 'SELL', 6_000_000, 2_000_000, 60_000),
  position('', 6_000_000, 3_000_000, 1_360_000),
  position(OURS, 6_000_000, 3_000_000, 1_300_000),
  `insert into exposures (account, strategy_id, paper, committed) values ('alice', '${OURS}', 'yes', 3500000)`,
];

describe.each(EACH_DATABASE)('a database of before the fees of what is held were kept, on %s', (name, fresh) => {
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

  it('gets them from the fills that stand, trade by trade, and strategies have them at work', async () => {
    const feesOf = async (strategyId: StrategyId | null) => {
      const [held, ...others] = await ledger.listPositions(ALICE, { paper: true, strategyId }, { limit: 10 });
      expect([held?.marketId, others]).toEqual([MARKET, []]);
      return held?.heldFees;
    };
    expect(await feesOf(null)).toBe(usdc('0.05'));
    expect(await feesOf(OURS)).toBe(usdc('0.06'));
    const exposure = await ledger.read({ account: ALICE, strategies: [OURS] }, (now) => now.exposure(OURS, true));
    expect(exposure?.committed).toBe(usdc('3.56'));
  });
});
