import { expect } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import type { JournalAccount } from '../../src/core/account/account.js';
import type { AccountId, VenueName } from '../../src/core/ids.js';
import type { Payout } from '../../src/core/market/lifecycle.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import type { Execution, Order } from '../../src/core/order/order.js';
import type { StepChange } from '../../src/core/posting/posting.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { found } from './audited.js';
import { ALICE, anExecution, BOB, type DraftChanges, LIVE_CASH, usdc, WHERE } from './builders.js';
import { SigningExchange, takes } from './scripted-exchange.js';
import { Trading } from './trading.js';

/** Two accounts with 1000 USDC of real money each, at a venue that rests their orders until the test says what fills. */
export async function liveFixture(ledger: Ledger = new MemoryLedger(), venue: VenueName = NO_VENUE) {
  const live = Object.assign(new SigningExchange({ place: takes() }), { venue });
  const trading = new Trading(ledger, { live });
  const { context } = trading;
  const { manage } = trading.use.accounts;
  for (const account of [ALICE, BOB]) {
    await manage.allowLive(account, true);
    await manage.deposit(account, venue, usdc('1000'));
  }
  const place = (draft: DraftChanges = {}) => trading.place({ paper: false, ...draft }, { mayTradeLive: true });
  const fill = (order: Order, execution: Partial<Execution> = {}) =>
    trading.book(order, (posting) => posting.fill(anExecution({ shares: order.intent.shares, ...execution })));

  /** The account's balance, after a clean audit of all accounts. */
  async function books(account: AccountId = ALICE) {
    expect(await found(ledger)).toEqual([]);
    const entries = await ledger.listEntries(account, false, { limit: 1000 });
    const lines = entries.flatMap((entry) => entry.lines);
    const sum = (name: JournalAccount) =>
      lines.filter((line) => line.ledger === name).reduce((total, { amount }) => total + amount, 0n);
    const balance = await ledger.findBalance(account, { ...LIVE_CASH, venue });
    const causes = entries.map(({ cause }) => cause).slice(1);
    return {
      cash: balance?.cash,
      redeemable: sum('redeemable'),
      realised: -sum('realised'),
      held: sum('position'),
      causes,
    };
  }

  return {
    ledger,
    trading,
    context,
    place,
    fill,
    books,
    /** A purchase, by default of 20 shares for 10 USDC, that is filled and confirmed. */
    bought: async (draft: DraftChanges = {}, execution: Partial<Execution> = {}) =>
      fill(await place(draft), { confirmed: true, ...execution }),
    record: (order: Order, change: StepChange) => trading.book(order, (posting) => posting.record(change)),
    settle: (payout: Payout) => trading.use.markets.settle.execute({ ...WHERE, venue }, payout),
    now: (order: Order) => trading.orders.one(order.account, order.id),
  };
}
