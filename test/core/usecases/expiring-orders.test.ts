import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/ledger.js';
import { ManageAccounts } from '../../../src/core/usecases/manage-accounts.js';
import { ReconcileOrders } from '../../../src/core/usecases/reconcile-orders.js';
import { ALICE, aDesk, clockAt, NOON, price, usdc } from '../../support/builders.js';
import { SurveyedExchange, takes } from '../../support/scripted-exchange.js';
import { Trading } from '../../support/trading.js';

const TEN_MINUTES_MS = 600_000;

describe('A live GTD order whose end lies within a second', () => {
  it.each([
    ['expired at the whole second at which the venue ends it', 0, 'expired'],
    ['cancelled when the venue ended it sooner than that', -1, 'cancelled'],
  ])('counts as %s', async (_, late, state) => {
    const clock = clockAt(NOON);
    const ledger = new MemoryLedger(clock);
    const live = new SurveyedExchange({ place: takes() });
    const desk = aDesk({ clock });
    const trading = new Trading(ledger, { live, desk });
    const operator = new ManageAccounts(ledger, desk);
    await operator.allowLive(ALICE, true);
    await operator.deposit(ALICE, usdc('1000'));
    const expiresAt = new Date(Date.parse(NOON) + TEN_MINUTES_MS + 999);
    const draft = { paper: false, price: price('0.5'), timeInForce: 'GTD', expiresAt } as const;
    const { id, venueOrderId } = await trading.place(draft, { mayTradeLive: true });
    clock.tick(TEN_MINUTES_MS + late);
    live.sighting = () => ({ kind: 'accepted', venueOrderId: `${venueOrderId}`, executions: [], rest: 'cancelled' });
    await new ReconcileOrders(ledger, ledger, live, desk).execute(new Date(NOON));
    expect(await ledger.findOrder(ALICE, id)).toMatchObject({ state });
  });
});
