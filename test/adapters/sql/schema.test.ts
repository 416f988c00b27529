import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import { ALICE, anOrderDraft, aStrategy } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';
import { trading } from '../../support/trading.js';

const external = (side: string) => `insert into external_orders
  (venue, venue_order_id, condition_id, side, resting, first_seen) values ('v', 'o', 'c', '${side}', true, '2026')`;

const signal = (first: number, second: number) => `insert into signals
  (account, name, venue, market_id, first_label, first_probability, second_label, second_probability, expires_at, updated_at)
  values ('a', 'n', 'v', 'm', 'x', ${first}, 'y', ${second}, '2026', '2026')`;

/** Statements that a hand at a console could type, each against one rule of the core. */
const WRONG = [
  ['a negative reservation', 'update balances set reserved = -1'],
  ['a debt past what is exact', 'update balances set cash = -9007199254740992'],
  ['cash past what is exact', 'update balances set cash = 9007199254740992'],
  ['shares promised below zero', 'update positions set reserved = -1'],
  ['more shares promised than is exact', 'update positions set reserved = 9007199254740992'],
  ['a position of negative cost', 'update positions set cost = -1'],
  ['a position of negative fees', 'update positions set fees = -1'],
  ['a result paid for less than nothing', 'update positions set settled = -1'],
  ['a result that paid less than nothing', 'update positions set returned = -1'],
  ['something to redeem that no result paid', 'update positions set redeemable = 1'],
  ['less than nothing to redeem', 'update positions set redeemable = -1'],
  ['a loss past what is exact', 'update positions set realised = -9007199254740992'],
  ['a third outcome', `update positions set token = 'MAYBE'`],
  ['a price of 1', 'update orders set price = 1000000'],
  ['a price of 0', 'update orders set price = 0'],
  ['an order of nothing', 'update orders set size = 0'],
  ['more confirmed than filled', 'update orders set confirmed_shares = filled_shares + 1'],
  ['a purchase above its size', 'update orders set filled_notional = size + 1'],
  ['a sale above its shares', `update orders set side = 'SELL', filled_shares = shares + 1`],
  ['a reason without a refusal', `update orders set refusal_code = 'x', refusal_message = 'y'`],
  ['a refusal without a reason', `update orders set state = 'rejected', status = 'rejected'`],
  ['an accepted order without its identity', 'update orders set venue_order_id = null'],
  ['filled with nothing', `update orders set filled_shares = 0, confirmed_shares = 0`],
  ['a return without its moment', 'update orders set returned = 1'],
  ['settled without a return', `update orders set settled_at = placed_at, status = 'settled'`],
  [
    'settled before placed',
    `update orders set settled_at = '1999-01-01T00:00:00.000Z', returned = 1, status = 'settled'`,
  ],
  ['a status that says settled', `update orders set status = 'settled'`],
  ['an order numbered 0', 'update orders set seq = 0'],
  ['a strategy that does not exist', `update orders set strategy_id = 'nobody', strategy_version = 1`],
  ['a strategy without its version', `update orders set strategy_version = null where strategy_id is not null`],
  ['an event numbered 0', 'update order_events set seq = 0 where seq = 1'],
  ['an event of no order', `update order_events set order_id = 'nothing'`],
  ['two events with one number', 'update order_events set seq = 1'],
  ['a fill of nothing', 'update fills set shares = 0'],
  ['a negative fee', 'update fills set fee = -1'],
  ['a fill of no order', `update fills set order_id = 'nothing'`],
  ['a fill of another account', `update fills set account = 'bob'`],
  ['negative money at work', 'update exposures set committed = -1'],
  ['a version of no strategy', `update strategy_versions set account = 'bob'`],
  ['a second line with one number', 'update journal_lines set line = 1'],
  ['a line of nothing', 'update journal_lines set amount = 0'],
  ['a line of no account', `update journal_lines set ledger = 'pocket'`],
  ['a holding of nothing', `update journal_lines set ledger = 'position', market_id = null, token = null`],
  ['cash that is held in a market', `update journal_lines set market_id = 'm', token = 'YES' where ledger = 'cash'`],
  [
    'two orders with one identity at the venue',
    `insert into venue_orders (venue, venue_order_id, account, order_id)
      select venue, 'v', account, id from orders`,
  ],
  ['an order that spends less than nothing', 'update orders set envelope_spends = -1'],
  ['a halt without its moment', `update accounts set halt_code = 'x', halt_message = 'y'`],
  ['a halt without its reason', `update accounts set halt_code = 'x', halted_at = '1999-01-01T00:00:00.000Z'`],
  ['a third side of an order that was not placed here', external('HOLD')],
  ['a signal that is certain', signal(1_000_000, 1)],
  ['a signal that rules an outcome out', signal(1, 0)],
  ['cash that is not a number', `update balances set cash = 'a lot'`],
] as const;

describe.each(EACH_DATABASE)('the tables on %s refuse', (_, fresh) => {
  let store: Store;
  let remove: () => Promise<void> | void;

  beforeAll(async () => {
    const database = await fresh();
    remove = () => database.remove();
    const ledger = await openSqlLedger(database.url);
    const strategy = aStrategy();
    await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] }));
    const draft = anOrderDraft({ strategyId: strategy.id });
    for (const idempotencyKey of ['one', 'other']) await trading(ledger).submit(draft, { idempotencyKey });
    await ledger.close();
    store = await openDatabase(database.url);
  });
  afterAll(async () => {
    await store.close();
    await remove();
  });

  it.each(WRONG)('%s', async (__, statement) => {
    await expect(execute(store, statement)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('nothing that the core would store', async () => {
    await execute(store, 'update balances set cash = -1, reserved = 1');
    await execute(store, 'update positions set realised = -1');
    await execute(store, 'update positions set reserved = shares + 1');
    await execute(store, external('SELL'));
    await execute(store, signal(999_999, 1));
    await execute(store, 'update orders set paper = false');
    await execute(store, "update orders set settled_at = placed_at, returned = 0, status = 'settled'");
  });
});

/** Runs the statement as an operator would at a console. */
function execute(store: Store, statement: string): Promise<void> {
  return store.alone(async (run) => {
    await run(statement);
  });
}
