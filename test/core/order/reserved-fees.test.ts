import { expect, test } from 'vitest';
import { fillOf, NO_BASIS, type Order, reservedCash } from '../../../src/core/order/order.js';
import { anExecution, anOrderDraft, History, NOON, price, usdc } from '../../support/builders.js';

/** At 0.5 a share costs 0.0125 in fees. */
const SCHEDULE = { rate: 50_000n, exponent: 1, takerOnly: true, asOf: new Date(NOON) };

/** Two steps, as far as fees can be rounded up. */
const ROUNDING = 20n;

/** What an order reserves for its fees alone. */
function forFees(order: Order): bigint {
  const charged = { ...order, intent: { ...order.intent, feeSchedule: SCHEDULE } };
  return reservedCash(charged) - reservedCash(order);
}

test('an order reserves fees only for shares it may still buy', () => {
  const history = new History(anOrderDraft({ price: price('0.5'), size: usdc('20') }));
  expect(forFees(history.order)).toBe(usdc('0.5') + ROUNDING);
  const half = fillOf(anExecution(), usdc('10'), NO_BASIS);
  history.add({ type: 'accepted', venueOrderId: 'v', delayed: false }, { type: 'fill', fill: half });
  expect(forFees(history.order)).toBe(usdc('0.25') + ROUNDING);
});
