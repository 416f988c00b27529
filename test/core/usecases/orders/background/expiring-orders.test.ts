import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../../src/adapters/memory/memory-ledger.js';
import { NO_VENUE } from '../../../../../src/core/market/venue.js';
import { ManageAccounts } from '../../../../../src/core/usecases/accounts/manage-accounts.js';
import { ReconcileOrders } from '../../../../../src/core/usecases/orders/background/reconcile-orders.js';
import { ALICE, anOrderContext, clockAt, NOON, price, usdc } from '../../../../support/builders.js';
import { ReportingExchange, takes } from '../../../../support/scripted-exchange.js';
import { Trading } from '../../../../support/trading.js';

/** An odd number of seconds: the end of every second is one. */
const SOME_MINUTES_MS = 601_000;

describe('A live GTD order whose end lies within a second', () => {
  it.each([
    ['expired at the whole second at which the venue ends it', 0, 'expired', 'expires_at has passed'],
    ['cancelled when the venue ended it sooner than that', -1, 'cancelled', 'the venue ended the order'],
  ])('counts as %s', async (_, late, state, reason) => {
    const clock = clockAt(NOON);
    const ledger = new MemoryLedger(clock);
    const live = new ReportingExchange({ place: takes() });
    const context = anOrderContext({ clock });
    const trading = new Trading(ledger, { live, context });
    const operator = new ManageAccounts(ledger, context);
    await operator.allowLive(ALICE, true);
    await operator.deposit(ALICE, NO_VENUE, usdc('1000'));
    const expiresAt = new Date(Date.parse(NOON) + SOME_MINUTES_MS + 999);
    const draft = { paper: false, price: price('0.5'), timeInForce: 'GTD', expiresAt } as const;
    const order = await trading.place(draft, { mayTradeLive: true });
    clock.tick(SOME_MINUTES_MS + late);
    live.report = () => ({
      kind: 'accepted',
      venueOrderId: `${order.venueOrderId}`,
      executions: [],
      failed: [],
      rest: 'cancelled',
    });
    await new ReconcileOrders(ledger, ledger, live, context).execute(new Date(NOON));
    expect(await ledger.findOrder(ALICE, order.id)).toMatchObject({ state });
    expect((await trading.history(order)).at(-1)?.change).toMatchObject({ reason });
  });
});
