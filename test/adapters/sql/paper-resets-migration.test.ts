import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { MIGRATIONS } from '../../../src/adapters/sql/migrations/index.js';
import type { MarketId, StrategyId } from '../../../src/core/ids.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import { ALICE } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';

const STEP = MIGRATIONS.findIndex(({ name }) => name === '035_paper_resets');
const AT = '2026-03-01T12:00:00.000Z';
const SLOTS = {
  strategyId: '01957000-0000-7000-8000-0000000000aa' as StrategyId,
  venue: NO_VENUE,
  marketId: 'will-it-rain' as MarketId,
  eventId: null,
  day: '2026-03-01',
};

const idOf = (n: number): string => `01957000-0000-7000-8000-00000000000${n}`;
const order = (n: number, paper: 'yes' | 'no'): string =>
  `insert into orders (account, id, placed_at, market_id, token, side, price, size, shares, time_in_force, post_only, paper,
    state, status, venue_order_id, filled_shares, confirmed_shares, filled_notional, fees, updated_at, seq, event_hash, venue)
    values ('alice', '${idOf(n)}', '${AT}', 'will-it-rain', 'YES', 'BUY', 400000, 4000000, 10000000, 'GTC', 'no', '${paper}',
    'cancelled', 'cancelled', 'v${n}', 0, 0, 0, 0, '${AT}', 3, 'hash', '${NO_VENUE}')`;
const slot = (n: number, orderId: string): string =>
  `insert into bet_slots (account, strategy_id, venue, market_id, token, n, event_id, day, at, decision_id, order_id)
    values ('alice', '${SLOTS.strategyId}', '${NO_VENUE}', 'will-it-rain', 'YES', ${n}, '', '2026-03-01', '${AT}',
    '${idOf(n)}', ${orderId})`;
const ROWS = [
  `insert into accounts (id, live_enabled) values ('alice', 'no')`,
  order(1, 'yes'),
  order(2, 'no'),
  slot(1, `'${idOf(1)}'`),
  slot(2, `'${idOf(2)}'`),
  slot(3, 'null'),
];

describe.each(EACH_DATABASE)(
  'a database whose slots did not say which money they were used with, on %s',
  (name, fresh) => {
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

    it('keeps every slot: those of real money are freed by no reset, those on paper by the first', async () => {
      const found = await ledger.read({ account: ALICE, slots: SLOTS }, (now) => ({
        resets: now.account.paperResets,
        slots: now.slots().map(({ n, reset, orderId, at }) => [n, reset, orderId, at.toISOString()]),
      }));
      expect(found.resets).toBeUndefined();
      expect(found.slots.toSorted()).toEqual([
        [1, 0, idOf(1), AT],
        [2, -1, idOf(2), AT],
        [3, 0, null, AT],
      ]);
    });

    it('has room for the same slot after a reset', async () => {
      await ledger.write({ account: ALICE, slots: SLOTS }, (now) => ({
        result: null,
        accounts: [{ ...now.account, paperResets: 1 }],
        slots: now
          .slots()
          .filter(({ n }) => n === 1)
          .map((one) => ({ ...one, reset: 1 })),
      }));
      const found = await ledger.read({ account: ALICE, slots: SLOTS }, (now) => [
        now.account.paperResets,
        now
          .slots()
          .filter(({ n }) => n === 1)
          .map(({ reset }) => reset)
          .toSorted(),
      ]);
      expect(found).toEqual([1, [0, 1]]);
    });
  },
);
