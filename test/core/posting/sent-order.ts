import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { openBalance } from '../../../src/core/account/account.js';
import type { Execution, Order } from '../../../src/core/order/order.js';
import { isNews, recordStatusReport } from '../../../src/core/posting/outcome.js';
import type { Posting, StepChange } from '../../../src/core/posting/posting.js';
import type { Accepted, OrderStatusReport } from '../../../src/ports/exchange.js';
import { ALICE, type DraftChanges, LIVE_CASH, usdc } from '../../support/builders.js';
import { SigningExchange } from '../../support/scripted-exchange.js';
import { Trading } from '../../support/trading.js';

const SENT = { type: 'submitting', venueOrderId: '0x1' } as const;

/** What the venue shows of the order, which it has. */
export const shown = (
  rest: Accepted['rest'],
  executions: Accepted['executions'] = [],
  failed: readonly string[] = [],
) => ({ kind: 'accepted', venueOrderId: '0x1', executions, failed, rest }) as const;

/** A live order, by default for 20 shares at 0.50, after these events. */
export async function placed(draft: DraftChanges, ...changes: readonly (StepChange | Execution)[]) {
  const ledger = new MemoryLedger();
  const live = new SigningExchange();
  // Signing fails, so that nothing is sent.
  live.whileSigning = () => Promise.reject(new Error('not now'));
  const trading = new Trading(ledger, { live });
  await ledger.write({ account: ALICE }, () => ({
    result: null,
    accounts: [{ id: ALICE, liveEnabled: true, halt: null }],
    balances: [openBalance(ALICE, LIVE_CASH, usdc('1000'))],
  }));
  const pending = await trading.place({ paper: false, ...draft }, { mayTradeLive: true });
  const book = (order: Order, step: (posting: Posting) => void) => trading.book(order, step);
  const order = await book(pending, (posting) => {
    for (const change of [SENT, ...changes]) 'type' in change ? posting.record(change) : posting.fill(change);
  });
  return {
    order,
    book: (step: (posting: Posting) => void) => book(order, step),
    sees: (...reports: readonly OrderStatusReport[]) =>
      book(order, (posting) => {
        for (const report of reports) recordStatusReport(posting, report);
      }),
    changes: async () => (await trading.history(order)).map(({ change }) => change),
    last: async () => (await trading.history(order)).at(-1)?.change,
    reserved: async () => (await ledger.findBalance(ALICE, LIVE_CASH))?.reserved,
  };
}

/** True when a report of a venue over the network would change the order. */
export const newsOf = (order: Order, report: OrderStatusReport) => isNews(order, report, { isLocal: false });
