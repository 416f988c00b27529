import { describe, expect, it } from 'vitest';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { ordersIn } from '../../../src/adapters/sql/order-page.js';
import { InvariantBroken } from '../../../src/core/errors.js';
import { ALICE, anOrderDraft, History } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';
import { aFill } from '../../support/life-samples.js';

const accepted = { type: 'accepted', venueOrderId: 'venue-1', delayed: false } as const;

/** An order of 20 shares with fills whose names sort against their numbers. */
function filled(times: number): History {
  const history = new History(anOrderDraft()).add({ type: 'submitting' }, accepted);
  for (let n = 0; n < times; n++) history.add({ type: 'fill', fill: aFill(`${9 - n}`, '5') });
  return history;
}

describe.each(EACH_DATABASE)('a page of orders on %s', (_, fresh) => {
  it('has each order once, newest first, with all of its fills by their number', async () => {
    const { url, remove } = await fresh();
    const ledger = await openSqlLedger(url);
    try {
      const histories = [0, 3, 1, 4, 0, 2].map(filled);
      const orders = histories.map(({ order }) => order);
      const events = histories.flatMap((history) => history.events);
      await ledger.write({ account: ALICE }, () => ({ result: null, orders, events }));
      const page = await ledger.listOrders(ALICE, {}, { limit: 5 });
      expect(page).toEqual(orders.toReversed().slice(0, 5));
      expect(page.map(({ fills }) => fills.map(({ tradeId }) => tradeId).join(''))).toEqual([
        '98',
        '',
        '9876',
        '9',
        '987',
      ]);
      const byMoment = await ledger.listOrders(ALICE, { placedAfter: new Date(0) }, { limit: 5 });
      expect(byMoment).toEqual(page);
    } finally {
      await ledger.close();
      await remove();
    }
  });
});

it('is refused when the first fill of an order is missing: the order would be left out', () => {
  const further = ['id', 2, ...Array.from({ length: 11 }, () => null)];
  expect(() => ordersIn(JSON.stringify([further]))).toThrow(InvariantBroken);
});
