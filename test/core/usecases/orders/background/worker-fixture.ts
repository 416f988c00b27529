import { MemoryLedger } from '../../../../../src/adapters/memory/memory-ledger.js';
import { openBalance } from '../../../../../src/core/account/account.js';
import type { Order } from '../../../../../src/core/order/order.js';
import type { OrderContext } from '../../../../../src/core/posting/trading-stop.js';
import { LookAfterOrders } from '../../../../../src/core/usecases/orders/background/look-after-orders.js';
import {
  ALICE,
  anOrderContext,
  clockAt,
  type DraftChanges,
  LIVE_CASH,
  NOON,
  usdc,
} from '../../../../support/builders.js';
import { SigningExchange, takes } from '../../../../support/scripted-exchange.js';
import { Trading } from '../../../../support/trading.js';

/** A live account with money, its venue, and workers that look after orders left behind. */
export async function fixture(
  script: ConstructorParameters<typeof SigningExchange>[0] = { place: takes() },
  changes: Partial<OrderContext> = {},
) {
  const clock = clockAt(NOON);
  const ledger = new MemoryLedger(clock);
  const live = new SigningExchange(script);
  let elapsed = 0;
  const context = anOrderContext({ clock, stopwatch: () => elapsed, ...changes });
  const trading = new Trading(ledger, { live, context });
  await ledger.write({ account: ALICE }, () => ({
    result: null,
    accounts: [{ id: ALICE, liveEnabled: true, halt: null }],
    balances: [openBalance(ALICE, LIVE_CASH, usdc('1000'))],
  }));
  const worker = new LookAfterOrders(ledger, ledger, trading.ports.venues, trading.submitOrder, context);
  const pass = (ms: number) => {
    clock.tick(ms);
    elapsed += ms;
  };
  const place = (draft: DraftChanges = {}) => trading.place({ paper: false, ...draft }, { mayTradeLive: true });
  const first = async () => (await ledger.listOrders(ALICE, {}, { limit: 1 }))[0] as Order;
  return { clock, ledger, live, trading, worker, pass, place, first };
}

/** What happened to its newest order. */
export const types = async ({ trading, first }: Awaited<ReturnType<typeof fixture>>) =>
  (await trading.history(await first())).map(({ change }) => change.type);
