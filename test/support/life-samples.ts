import type { OrderChange } from '../../src/core/order/event.js';
import { NEVER_ARRIVED, type OrderState } from '../../src/core/order/lifecycle.js';
import { type Fill, fillOf, NO_BASIS } from '../../src/core/order/order.js';
import { anExecution, anOrderDraft, History, price, shares, usdc } from './builders.js';

const refusal = { code: 'sample', message: 'A sample.' };

/** Shares bought at 0.25, half the limit, so that an order of 20 shares has money left for a late one. */
export function aFill(tradeId: string, count: string): Fill {
  const execution = anExecution({ tradeId, shares: shares(count), price: price('0.25') });
  return fillOf(execution, usdc(`${Number(count) / 4}`), NO_BASIS);
}

const accepted = { type: 'accepted', venueOrderId: 'venue-1', delayed: false } as const;
const first = { type: 'fill', fill: aFill('first', '10') } as const;
const rest = { type: 'fill', fill: aFill('rest', '10') } as const;
const voided = (tradeId: string) => ({ type: 'fill_voided', tradeId, resting: false, reason: 'reverted' }) as const;

/** How an order of 20 shares reached each state; where fills are possible, the one named `first` is provisional. */
const PATHS: Readonly<Record<OrderState, readonly OrderChange[]>> = {
  pending: [],
  submitting: [{ type: 'submitting' }],
  unknown: [{ type: 'submitting' }, { type: 'unknown', refusal }],
  delayed: [{ type: 'submitting' }, { ...accepted, delayed: true }, first],
  open: [{ type: 'submitting' }, accepted, first],
  cancel_pending: [{ type: 'submitting' }, accepted, first, { type: 'cancel_requested' }],
  filled: [{ type: 'submitting' }, accepted, first, rest],
  cancelled: [{ type: 'submitting' }, accepted, first, { type: 'cancelled', reason: 'on request' }],
  expired: [{ type: 'submitting' }, accepted, first, { type: 'expired', reason: 'in time' }],
  denied: [{ type: 'denied', refusal }],
  rejected: [
    { type: 'submitting' },
    { type: 'rejected', refusal: { ...refusal, code: NEVER_ARRIVED }, presumed: true },
  ],
  failed: [{ type: 'submitting' }, accepted, { type: 'fill', fill: aFill('all', '20') }, voided('all')],
};

export const STATES = Object.keys(PATHS) as OrderState[];

/** A history that has just led to this state. */
export function historyTo(state: OrderState): History {
  // Only an order that never rests has fills while its outcome at the venue is unknown.
  const draft = state === 'delayed' ? anOrderDraft({ timeInForce: 'FAK' }) : anOrderDraft();
  return new History(draft).add(...PATHS[state]);
}

/** One change of each type that may come after the request, made to fit the histories above. */
export const CHANGES = {
  denied: { type: 'denied', refusal },
  submitting: { type: 'submitting' },
  unknown: { type: 'unknown', refusal },
  accepted,
  rejected: { type: 'rejected', refusal, presumed: false },
  fill: { type: 'fill', fill: aFill('next', '1') },
  fill_confirmed: { type: 'fill_confirmed', tradeId: 'first' },
  fill_voided: { type: 'fill_voided', tradeId: 'first', resting: true, reason: 'reverted' },
  cancel_requested: { type: 'cancel_requested' },
  cancel_refused: { type: 'cancel_refused', reason: 'too late' },
  cancelled: { type: 'cancelled', reason: 'on request' },
  expired: { type: 'expired', reason: 'in time' },
  settled: { type: 'settled', returned: usdc('10') },
  amended: { type: 'amended', returned: usdc('0') },
} as const satisfies { [Type in Exclude<OrderChange['type'], 'requested'>]: Extract<OrderChange, { type: Type }> };
