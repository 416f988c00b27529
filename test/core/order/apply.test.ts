import { describe, expect, it } from 'vitest';
import { InvariantBroken } from '../../../src/core/errors.js';
import { applyEvent, replay } from '../../../src/core/order/apply.js';
import type { OrderEvent } from '../../../src/core/order/event.js';
import { anOrderDraft, clockAt, History, NOON, price, shares, usdc } from '../../support/builders.js';
import { aFill, CHANGES, historyTo, STATES } from '../../support/life-samples.js';

const reason = 'reverted';

describe('An order', () => {
  it.each(STATES)('is rebuilt by its events when it is %s', (state) => {
    const { order, events } = historyTo(state);
    expect(replay(events)).toEqual(order);
  });

  it('keeps the time of its request, and that of its last event', () => {
    const clock = clockAt(NOON);
    const history = new History(anOrderDraft(), null, clock);
    clock.tick(1500);
    history.add(CHANGES.submitting);
    expect(history.order.placedAt.toISOString()).toBe(NOON);
    expect(history.order.updatedAt.toISOString()).toBe('2026-03-01T12:00:01.500Z');
  });

  it('sums its fills, and counts a voided one for nothing', () => {
    const history = historyTo('open').add({ type: 'fill', fill: aFill('second', '4') });
    expect(history.order.filled).toEqual({ shares: shares('14'), confirmed: 0n, notional: usdc('3.5'), fees: 0n });
    history.add({ type: 'fill_confirmed', tradeId: 'second' }, CHANGES.fill_voided);
    expect(history.order.filled).toMatchObject({ shares: shares('4'), confirmed: shares('4'), notional: usdc('1') });
    expect(history.order.fills.map(({ settlement }) => settlement)).toEqual(['voided', 'confirmed']);
  });

  it('is filled when nothing remains, even if cancelled before the last fill', () => {
    expect(historyTo('cancelled').add({ type: 'fill', fill: aFill('late', '10') }).order.state).toBe('filled');
  });

  it('goes on resting when an undone fill returns to the book', () => {
    const order = historyTo('filled').add({ type: 'fill_voided', tradeId: 'first', resting: true, reason }).order;
    expect(order).toMatchObject({ state: 'open', filled: { shares: shares('10') }, refusal: null });
  });

  it('is cancelled when an undone fill does not return to the book', () => {
    const order = historyTo('filled').add({ type: 'fill_voided', tradeId: 'first', resting: false, reason }).order;
    expect(order).toMatchObject({ state: 'cancelled', filled: { shares: shares('10') }, refusal: null });
  });

  it('has failed, and says why, when all of its fills are undone', () => {
    expect(historyTo('failed').order).toMatchObject({
      state: 'failed',
      filled: { shares: 0n },
      refusal: { code: 'fill_failed', message: reason },
    });
  });

  it('forgets that it was unknown as soon as the venue has it', () => {
    const found = historyTo('unknown').add(CHANGES.accepted).order;
    expect(found).toMatchObject({ state: 'open', refusal: null, venueOrderId: 'venue-1' });
  });

  it('counts, confirms or undoes no trade twice, and none it lacks', () => {
    const open = historyTo('open');
    const breaks = (...changes: Parameters<History['add']>) =>
      expect(() => historyTo('open').add(...changes)).toThrow(InvariantBroken);
    breaks({ type: 'fill', fill: aFill('first', '1') });
    breaks(CHANGES.fill_confirmed, CHANGES.fill_confirmed);
    breaks(CHANGES.fill_confirmed, CHANGES.fill_voided);
    breaks(CHANGES.fill_voided, CHANGES.fill_confirmed);
    breaks({ type: 'fill_confirmed', tradeId: 'another' });
    expect(open.order.fills).toHaveLength(1);
  });

  it('never changes its identity at the venue', () => {
    const delayed = historyTo('delayed');
    expect(() => delayed.add({ ...CHANGES.accepted, venueOrderId: 'venue-2' })).toThrow(InvariantBroken);
  });

  it('takes no event out of its turn', () => {
    const { order, events } = historyTo('submitting');
    const last = events.at(-1) as OrderEvent;
    for (const seq of [1, 2, 4]) {
      expect(() => applyEvent(order, { ...last, seq, change: CHANGES.accepted })).toThrow(InvariantBroken);
    }
    expect(() => replay([])).toThrow(InvariantBroken);
  });

  it.each([
    ['costs more than the limit', 'BUY', '0.51'],
    ['brings less than the limit', 'SELL', '0.49'],
  ] as const)('takes no fill that %s', (_, side, at) => {
    const history = new History(anOrderDraft({ side })).add(CHANGES.submitting, CHANGES.accepted);
    const fill = { ...aFill('worse', '1'), price: price(at) };
    expect(() => history.add({ type: 'fill', fill })).toThrow(InvariantBroken);
  });

  it.each([
    ['more than its account has taken of the level', '0.99', '2'],
    ['together with others more than is displayed', '2', '1.99'],
  ])('takes no fill that takes %s', (_, taken, displayed) => {
    const level = { price: price('0.25'), shares: shares(taken), displayed: shares(displayed), at: new Date(NOON) };
    const fill = { ...aFill('twice', '1'), taken: level };
    expect(() => historyTo('open').add({ type: 'fill', fill })).toThrow(InvariantBroken);
  });

  it('never spends more than its size or sells more than its shares', () => {
    const bought = { ...aFill('too much', '1'), notional: usdc('10.000001') };
    expect(() => historyTo('open').add({ type: 'fill', fill: bought })).toThrow(InvariantBroken);
    const selling = new History(anOrderDraft({ side: 'SELL' })).add(CHANGES.submitting, CHANGES.accepted);
    const sold = { ...aFill('too many', '20.01'), price: price('0.5') };
    expect(() => selling.add({ type: 'fill', fill: sold })).toThrow(InvariantBroken);
  });

  it.each([
    ['a price of 0', { price: 0n }],
    ['a price of 1', { price: 1_000_000n }],
    ['no size', { size: 0n }],
    ['a negative size', { size: -1n }],
    ['a negative number of shares', { shares: -1n }],
    ['more shares than can be stored', { shares: 9_007_199_254_740_992n }],
  ])('is not begun with %s', (_, wrong) => {
    const [begun] = new History().events;
    if (begun?.change.type !== 'requested') throw new Error('a history begins with its request');
    const intent = { ...begun.change.intent, ...wrong } as typeof begun.change.intent;
    expect(() => applyEvent(undefined, { ...begun, change: { type: 'requested', intent } })).toThrow(InvariantBroken);
  });
});
