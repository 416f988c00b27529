import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { MIGRATIONS } from '../../../src/adapters/sql/migrations/index.js';
import { PAPER_CASH } from '../../../src/core/account/account.js';
import type { StrategyId } from '../../../src/core/ids.js';
import { ALICE, usdc } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';

const STEP = MIGRATIONS.findIndex(({ name }) => name === '038_days');
const OURS = '01957000-0000-7000-8000-0000000000aa' as StrategyId;
const AT = "'2026-03-01T12:00:00.000Z'";
const day = '2026-03-01';

const json = (value: object): string => `'${JSON.stringify(value)}'`;
const ROWS = [
  `insert into accounts (id, live_enabled, losses) values ('alice', 'no', ${json({
    paper: { day, start: '5000000', peak: '9000000' },
    live: { day: '', start: '0', peak: null },
  })})`,
  `insert into balances (account, paper, venue, cash, reserved, outstanding, counted) values ('alice', 'yes', '', 1, 0, 0, ${json(
    {
      day,
      spent: '7000000',
      first: 'e1',
      booked: '-2000000',
      recent: [[1000, 2]],
    },
  )})`,
  `insert into strategies (account, id, version, name, sport, rules, bankroll_cap, stake_cap, is_paused, paper_only,
    created_at, updated_at) values ('alice', '${OURS}', 1, 'ours', 'nba', '{}', 1, 1, 'no', 'yes', ${AT}, ${AT})`,
  `insert into exposures (account, strategy_id, paper, committed, counted) values ('alice', '${OURS}', 'yes', 0, ${json(
    {
      day,
      bets: 3,
      start: '1000000',
      booked: '0',
      isWhole: true,
    },
  )})`,
];

describe.each(EACH_DATABASE)('a database that counted one day, on %s', (name, fresh) => {
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

  it('counts by day, and has what it counted of that day', async () => {
    const found = await ledger.read({ account: ALICE, strategies: [OURS] }, (now) => ({
      losses: now.account.losses,
      counted: now.balance(PAPER_CASH)?.counted,
      bets: now.exposure(OURS, true)?.counted,
    }));
    expect(found).toEqual({
      losses: { paper: { days: [{ day, start: usdc('5') }], peak: usdc('9') }, live: { days: [], peak: null } },
      counted: { days: [{ day, spent: usdc('7'), first: 'e1' }], booked: -usdc('2'), recent: [[1000, 2]] },
      bets: { days: [{ day, bets: 3, start: usdc('1') }], booked: 0n, isWhole: true },
    });
  });
});
