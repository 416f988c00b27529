import { describe, expect, it } from 'vitest';
import { TransitionForbidden } from '../../../src/core/errors.js';
import { shares } from '../../../src/core/money.js';
import { applyEvent } from '../../../src/core/order/apply.js';
import type { OrderChange } from '../../../src/core/order/event.js';
import {
  AFTER_SETTLEMENT,
  ALLOWED,
  isInFlight,
  isWorking,
  ORDER_STATUSES,
  type OrderState,
} from '../../../src/core/order/lifecycle.js';
import type { Envelope, Fill } from '../../../src/core/order/order.js';
import { isUnfinished, statusOf } from '../../../src/core/order/order.js';
import { anOrderDraft, History, NOON } from '../../support/builders.js';
import { aFill, CHANGES, historyTo, STATES } from '../../support/life-samples.js';

type Type = keyof typeof CHANGES;

/** Written by hand from the lifecycle's definition: where each event takes an order. What is not here must be refused. */
const LEADS: Readonly<Record<Type, Partial<Record<OrderState, OrderState>>>> = {
  denied: { pending: 'denied' },
  submitting: { pending: 'submitting', unknown: 'submitting' },
  unknown: { pending: 'unknown', submitting: 'unknown' },
  accepted: { pending: 'open', submitting: 'open', unknown: 'open', delayed: 'open', rejected: 'open' },
  rejected: { pending: 'rejected', submitting: 'rejected', unknown: 'rejected', delayed: 'rejected' },
  fill: {
    delayed: 'delayed',
    open: 'open',
    cancel_pending: 'cancel_pending',
    filled: 'filled',
    cancelled: 'cancelled',
    expired: 'expired',
    failed: 'cancelled',
  },
  fill_confirmed: {
    delayed: 'delayed',
    open: 'open',
    cancel_pending: 'cancel_pending',
    filled: 'filled',
    cancelled: 'cancelled',
    expired: 'expired',
  },
  fill_voided: {
    delayed: 'delayed',
    open: 'open',
    cancel_pending: 'cancel_pending',
    filled: 'open',
    cancelled: 'cancelled',
    expired: 'expired',
  },
  cancel_requested: { open: 'cancel_pending', unknown: 'unknown' },
  cancel_refused: { cancel_pending: 'open' },
  cancelled: { delayed: 'cancelled', open: 'cancelled', cancel_pending: 'cancelled' },
  expired: { pending: 'expired', delayed: 'expired', open: 'expired', cancel_pending: 'expired' },
  settled: { filled: 'filled', cancelled: 'cancelled', expired: 'expired' },
  amended: { filled: 'filled', cancelled: 'cancelled', expired: 'expired' },
};

const TYPES = Object.keys(CHANGES) as Type[];
const pairs = TYPES.flatMap((type) => STATES.map((state) => ({ type, state, leads: LEADS[type][state] })));

function nextOf(history: History, change: OrderChange) {
  const { id: orderId, account, seq, placedAt } = history.order;
  return applyEvent(history.order, { orderId, account, seq: seq + 1, at: placedAt, change, hash: 'next' });
}

describe('The lifecycle', () => {
  it('allows what its definition says, and nothing else', () => {
    const defined = TYPES.map((type) => [type, Object.keys(LEADS[type]).toSorted()]);
    expect(Object.entries(ALLOWED).map(([type, states]) => [type, [...states].toSorted()])).toEqual(defined);
  });

  it.each(STATES)('knows how an order becomes %s', (state) => {
    expect(historyTo(state).order.state).toBe(state);
  });

  it.each(pairs.filter(({ leads }) => leads !== undefined))(
    'takes $type from $state to $leads',
    ({ type, state, leads }) => {
      const history = type === 'amended' ? historyTo(state).add(CHANGES.settled) : historyTo(state);
      const before = history.order;
      const after = nextOf(history, CHANGES[type]);
      expect(after.state).toBe(leads);
      expect(after.seq).toBe(before.seq + 1);
      expect(after.eventHash).toBe('next');
      expect(after.placedAt).toEqual(before.placedAt);
    },
  );

  it.each(pairs.filter(({ leads }) => leads === undefined))('refuses $type while $state', ({ type, state }) => {
    expect(() => nextOf(historyTo(state), CHANGES[type])).toThrow(TransitionForbidden);
  });

  it.each(TYPES.filter((type) => !AFTER_SETTLEMENT.has(type)))('refuses %s once the order is settled', (type) => {
    const settled = historyTo('filled').add(CHANGES.settled);
    expect(() => nextOf(settled, CHANGES[type])).toThrow(TransitionForbidden);
  });

  it.each(['filled', 'cancelled', 'expired'] as const)(
    'amends no result that an order that is %s never had',
    (state) => {
      expect(() => nextOf(historyTo(state), CHANGES.amended)).toThrow(TransitionForbidden);
    },
  );

  it('never takes back a rejection that the venue reported', () => {
    const refusal = { code: 'price_off_grid', message: 'The venue said so.' };
    const rejected = historyTo('submitting').add({ type: 'rejected', refusal, presumed: false });
    expect(() => nextOf(rejected, CHANGES.accepted)).toThrow(TransitionForbidden);
  });

  it('counts an order as filled when the venue rounds away its rest', () => {
    const envelope = { content: '', sendBy: new Date(NOON), spends: null, dust: shares('0.01') };
    const order = (count: string, sent: Envelope | null = envelope) =>
      new History(anOrderDraft({ paper: false }), null, undefined, undefined, sent).add(
        { type: 'submitting' },
        { ...CHANGES.accepted },
        { type: 'fill', fill: aFill('most', count) },
        CHANGES.cancelled,
      ).order;
    expect(order('19.99').state).toBe('filled');
    expect(order('19.98').state).toBe('cancelled');
    expect(order('19.99', null).state).toBe('cancelled');
  });

  it('fails an order that ends after all its fills were undone', () => {
    const resting = { type: 'fill_voided', tradeId: 'all', resting: true, reason: 'reverted' } as const;
    const undone = historyTo('submitting').add(CHANGES.accepted, { type: 'fill', fill: aFill('all', '20') }, resting);
    expect(undone.order.state).toBe('open');
    const ended = undone.add(CHANGES.cancelled).order;
    expect([ended.state, ended.refusal?.code]).toEqual(['failed', 'fill_failed']);
  });

  it('lets a settled order confirm a fill and replace its result', () => {
    const settled = historyTo('filled').add(CHANGES.settled, CHANGES.fill_confirmed);
    expect(settled.order.settlement?.returned).toBe(CHANGES.settled.returned);
    expect(settled.add(CHANGES.amended).order.settlement?.returned).toBe(CHANGES.amended.returned);
  });

  it('removes the settlement with a late fill, until it is booked again', () => {
    const late = historyTo('cancelled').add(CHANGES.settled, CHANGES.fill);
    expect([late.order.settlement, statusOf(late.order)]).toEqual([null, 'cancelled']);
    expect(statusOf(late.add(CHANGES.settled).order)).toBe('settled');
  });

  it.each(STATES)('refuses a second request while %s', (state) => {
    const { intent } = historyTo(state).order;
    expect(() => nextOf(historyTo(state), { type: 'requested', intent })).toThrow(TransitionForbidden);
  });

  it.each(TYPES)('refuses %s for an order that is not on record', (type) => {
    const { id: orderId, account, placedAt: at } = new History().order;
    const event = { orderId, account, seq: 1, at, change: CHANGES[type], hash: 'h' };
    expect(() => applyEvent(undefined, event)).toThrow(TransitionForbidden);
  });

  it.each([
    ['pending', 'pending'],
    ['submitting', 'pending'],
    ['unknown', 'unknown'],
    ['delayed', 'partially_filled'],
    ['open', 'partially_filled'],
    ['cancel_pending', 'partially_filled'],
    ['filled', 'filled'],
    ['cancelled', 'cancelled'],
    ['expired', 'expired'],
    ['denied', 'denied'],
    ['rejected', 'rejected'],
    ['failed', 'failed'],
  ] as const)('shows an order that is %s as %s', (state, status) => {
    expect(statusOf(historyTo(state).order)).toBe(status);
    expect(ORDER_STATUSES).toContain(status);
  });

  it('opens a delayed order at its first fill if it can rest', () => {
    const delayed = { ...CHANGES.accepted, delayed: true };
    const states = (['GTC', 'GTD', 'FAK', 'FOK'] as const).map((timeInForce) => {
      const expiresAt = timeInForce === 'GTD' ? new Date(Date.UTC(2031, 0, 1)) : null;
      return new History(anOrderDraft({ timeInForce, expiresAt })).add(CHANGES.submitting, delayed, CHANGES.fill).order
        .state;
    });
    expect(states).toEqual(['open', 'open', 'delayed', 'delayed']);
  });

  it('shows an order without valid fills as open or delayed', () => {
    expect(statusOf(historyTo('delayed').add(CHANGES.fill_voided).order)).toBe('delayed');
    const open = new History().add(CHANGES.submitting, CHANGES.accepted);
    expect(statusOf(open.order)).toBe('open');
    expect(statusOf(open.add(CHANGES.cancel_requested).order)).toBe('open');
    expect(statusOf(historyTo('open').add(CHANGES.fill_voided).order)).toBe('open');
  });

  it.each(['filled', 'cancelled', 'expired'] as const)(
    'shows an order that was %s as settled once its money is',
    (state) => {
      expect(statusOf(historyTo(state).add(CHANGES.settled).order)).toBe('settled');
    },
  );

  it('checks an order again while it works or fills may be undone', () => {
    const provisional = { settlement: 'provisional' } as Fill;
    const [confirmed, voided] = [{ settlement: 'confirmed' } as Fill, { settlement: 'voided' } as Fill];
    const looked = (state: OrderState, ...fills: Fill[]) => isUnfinished({ state, fills });
    for (const state of ['submitting', 'unknown', 'delayed', 'open', 'cancel_pending'] as const) {
      expect(looked(state)).toBe(true);
    }
    for (const state of ['cancelled', 'filled', 'expired'] as const) {
      expect([looked(state, confirmed, provisional), looked(state, provisional, voided)]).toEqual([true, true]);
      expect([looked(state, confirmed, voided), looked(state)]).toEqual([false, false]);
    }
    expect([looked('pending'), looked('rejected'), looked('denied')]).toEqual([false, false, false]);
  });

  it('keeps money reserved exactly while an order may still trade', () => {
    const working = ['pending', 'submitting', 'unknown', 'delayed', 'open', 'cancel_pending'];
    expect(STATES.filter(isWorking)).toEqual(working);
    expect(STATES.filter(isInFlight)).toEqual(['pending', 'submitting']);
  });
});
