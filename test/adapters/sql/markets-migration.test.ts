import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { POLYMARKET } from '../../../src/adapters/polymarket/http/venue-name.js';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { MIGRATIONS } from '../../../src/adapters/sql/migrations/index.js';
import { PAPER_CASH } from '../../../src/core/account/account.js';
import type { AccountId } from '../../../src/core/ids.js';
import { usdc } from '../../../src/core/money.js';
import { ALICE, BOB, MARKET, shares, WHERE } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';
import { trading } from '../../support/trading.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ORDER = '01957000-0000-7000-8000-00000000aaaa';

/** Money as the first version left it: Alice trades on paper and live, Bob lost all that he had, Carol has no cash left. */
const MONEY = [
  `insert into accounts (id, live_enabled) values ('alice', 'no'), ('bob', 'no'), ('carol', 'no')`,
  `insert into balances (account, paper, cash, reserved) values
    ('alice', 'yes', 970000000, 5000000), ('alice', 'no', 12000001, 0), ('bob', 'yes', 0, 0), ('carol', 'yes', 0, 0)`,
  `insert into positions (account, paper, market_id, token, strategy_id, shares, reserved, cost) values
    ('alice', 'yes', 'will-it-rain', 'YES', '', 40000000, 1000000, 20000000),
    ('alice', 'yes', 'will-it-rain', 'YES', 'a-strategy', 10000000, 0, 5000000),
    ('alice', 'yes', 'will-it-rain', 'NO', '', 10000000, 0, 4999999),
    ('alice', 'yes', 'all-sold', 'YES', '', 0, 0, 0),
    ('carol', 'yes', 'will-it-rain', 'NO', '', 7, 0, 3)`,
  `insert into orders (account, id, placed_at, market_id, token, side, price, size, shares, time_in_force, post_only, paper,
    state, status, venue_order_id, filled_shares, confirmed_shares, filled_notional, fees, updated_at, seq, event_hash)
    values ('alice', '${ORDER}', '2026-03-01T12:00:00.000Z', 'will-it-rain', 'YES', 'BUY', 500000, 5000000, 10000000, 'GTC',
    'no', 'yes', 'open', 'open', 'v', 0, 0, 0, 0, '2026-03-01T12:00:00.000Z', 3, 'hash')`,
];

describe.each(EACH_DATABASE)('a database of the first version on %s', (name, fresh) => {
  let database: { url: string; remove: () => Promise<void> | void };
  let ledger: SqlLedger;

  beforeEach(async () => {
    database = await fresh();
    const store = await openDatabase(database.url);
    await migrate(store, MIGRATIONS.slice(0, 1));
    const flag = (sql: string) => (name === 'SQLite' ? sql.replaceAll("'yes'", '1').replaceAll("'no'", '0') : sql);
    await store.alone(async (run) => {
      for (const statement of MONEY) await run(flag(statement));
    });
    await store.close();
    ledger = await openSqlLedger(database.url);
  });
  afterEach(async () => {
    await ledger.close();
    await database.remove();
  });

  const opened = (account: AccountId, paper = true) => ledger.listEntries(account, paper, { limit: 10 });

  it('keeps its money and its orders', async () => {
    expect(await ledger.listBalances({ limit: 10 })).toEqual([
      { account: ALICE, ...PAPER_CASH, cash: usdc('970'), reserved: usdc('5'), outstanding: shares('60') },
      { account: ALICE, paper: false, venue: POLYMARKET, cash: usdc('12.000001'), reserved: 0n, outstanding: 0n },
      { account: BOB, ...PAPER_CASH, cash: 0n, reserved: 0n, outstanding: 0n },
      { account: 'carol', ...PAPER_CASH, cash: 0n, reserved: 0n, outstanding: 7n },
    ]);
    const positions = await ledger.listPositions(ALICE, { paper: true, strategyId: null }, { limit: 10 });
    const unrecorded = { fees: 0n, realised: 0n, settled: 0n, returned: 0n };
    expect(positions).toMatchObject([
      { marketId: 'all-sold', shares: 0n, cost: 0n, ...unrecorded },
      { marketId: MARKET, outcome: 'NO', shares: shares('10'), cost: usdc('4.999999'), ...unrecorded },
      {
        marketId: MARKET,
        outcome: 'YES',
        shares: shares('40'),
        reserved: shares('1'),
        cost: usdc('20'),
        ...unrecorded,
      },
    ]);
    const [order] = await ledger.listOrders(ALICE, {}, { limit: 5 });
    expect(order).toMatchObject({
      id: ORDER,
      intent: { size: usdc('5'), feeSchedule: null, strategy: null, arrivesAt: null },
    });
  });

  it('opens the journal of every balance with what is there, so that debits equal credits', async () => {
    const [entry, ...none] = await opened(ALICE);
    const held = (outcome: string) => ({ ...WHERE, outcome });
    expect(none).toEqual([]);
    expect(entry).toMatchObject({ account: ALICE, paper: true, cause: 'opening', orderId: null });
    expect(entry?.lines).toEqual([
      { ledger: 'cash', held: null, amount: usdc('970') },
      { ledger: 'position', held: held('NO'), amount: usdc('4.999999') },
      { ledger: 'position', held: held('YES'), amount: usdc('20') },
      { ledger: 'capital', held: null, amount: -usdc('994.999999') },
    ]);
    expect((await opened(ALICE, false))[0]?.lines.map(({ amount }) => amount)).toEqual([12_000_001n, -12_000_001n]);
    expect((await opened('carol' as AccountId))[0]?.lines.map(({ amount }) => amount)).toEqual([3n, -3n]);
    expect(await opened(BOB)).toEqual([]);
  });

  it('gives each entry an id of its own that is before all to come', async () => {
    const entries = [
      ...(await opened(ALICE)),
      ...(await opened(ALICE, false)),
      ...(await opened('carol' as AccountId)),
    ];
    const ids = entries.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    for (const { id, at } of entries) {
      expect(id).toMatch(UUID_V7);
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(at.getTime());
    }
  });

  it('goes on trading, and its journal still balances', async () => {
    const order = await trading(ledger).place({ size: usdc('10') });
    expect(order.state).toBe('filled');
    const lines = (await opened(ALICE)).flatMap((entry) => entry.lines);
    expect(lines.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
    const cash = lines.filter((line) => line.ledger === 'cash').reduce((sum, { amount }) => sum + amount, 0n);
    expect(cash).toBe((await ledger.findBalance(ALICE, PAPER_CASH))?.cash);
    expect(await ledger.listMarketsInUse(new Date(), { limit: 5 })).toEqual([WHERE]);
  });
});
