import { MemoryLedger } from '../../../../../src/adapters/memory/memory-ledger.js';
import type { Execution, Order } from '../../../../../src/core/order/order.js';
import { ManageAccounts } from '../../../../../src/core/usecases/accounts/manage-accounts.js';
import { ReconcileOrders } from '../../../../../src/core/usecases/orders/background/reconcile-orders.js';
import type { Accepted } from '../../../../../src/ports/exchange.js';
import { found } from '../../../../support/audited.js';
import {
  ALICE,
  anExecution,
  anOrderContext,
  clockAt,
  LIVE_CASH,
  NOON,
  price,
  shares,
  usdc,
} from '../../../../support/builders.js';
import { ReportingExchange, takes } from '../../../../support/scripted-exchange.js';
import { Trading } from '../../../../support/trading.js';

/** A live account with 1000 dollars whose orders of 20 shares at 0.50 rest at the venue. */
export async function fixture() {
  const clock = clockAt(NOON);
  const ledger = new MemoryLedger(clock);
  const live = new ReportingExchange({ place: takes() });
  const context = anOrderContext({ clock });
  const trading = new Trading(ledger, { live, context });
  const operator = new ManageAccounts(ledger, context);
  await operator.allowLive(ALICE, true);
  await operator.deposit(ALICE, LIVE_CASH.venue, usdc('1000'));
  const reconcile = new ReconcileOrders(ledger, ledger, live, context);
  const draft = { paper: false, price: price('0.5'), size: usdc('10') };
  const place = (more = {}) => trading.place({ ...draft, ...more }, { mayTradeLive: true });
  const now = async ({ id }: Order) => (await ledger.findOrder(ALICE, id)) as Order;
  const types = async (order: Order) => (await trading.history(order)).map(({ change }) => change.type);
  const cash = () => ledger.findBalance(ALICE, LIVE_CASH);
  return { clock, ledger, live, trading, reconcile, place, now, types, cash, findings: () => found(ledger) };
}

/** What the venue shows of an order: these executions, and what became of its rest. */
export const shown =
  (executions: readonly Partial<Execution>[] = [], rest: Accepted['rest'] = 'open', failed: readonly string[] = []) =>
  ({ venueOrderId }: Order): Accepted => {
    const made = executions.map((one) => anExecution({ confirmed: false, price: price('0.5'), ...one }));
    return { kind: 'accepted', venueOrderId: `${venueOrderId}`, executions: made, rest, failed };
  };

export const SINCE = new Date(NOON);
export const ten = { tradeId: 't1', shares: shares('10') };
