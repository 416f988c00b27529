import { describe, expect, it } from 'vitest';
import type { OrderId } from '../../../src/core/ids.js';
import { replayOf } from '../../../src/core/matching/order-replay.js';
import { replay } from '../../../src/core/order/apply.js';
import type { OrderChange, OrderEvent } from '../../../src/core/order/event.js';
import { CANCELLED_ON_REQUEST } from '../../../src/core/order/lifecycle.js';
import { ALICE, price, shares } from '../../support/builders.js';
import { anOpenMarket, anOrder, at } from './view.js';

const accepted = { type: 'accepted', venueOrderId: 'paper-1', delayed: false } as const;
const asked = { type: 'cancel_requested' } as const;
const granted = { type: 'cancelled', reason: CANCELLED_ON_REQUEST } as const;

const ask = { id: '1', side: 'BUY', price: price('0.5'), shares: shares('10') } as const;
const { intent } = anOrder(ask, anOpenMarket(), at(0));

/** A history of these changes, a second apart. */
function history(...changes: OrderChange[]): OrderEvent[] {
  const all: OrderChange[] = [{ type: 'requested', intent }, ...changes];
  const events = all.map((change, index): OrderEvent => {
    return { orderId: '1' as OrderId, account: ALICE, seq: index + 1, at: at(index * 1000), change, hash: '' };
  });
  replay(events);
  return events;
}

describe('The replay of an order at a simulated venue', () => {
  it('begins with the order as it was requested, and when it arrived', () => {
    expect(replayOf(history(accepted))).toMatchObject({
      order: { state: 'pending', venueOrderId: null, seq: 1, placedAt: at(0) },
      arrived: at(1000),
      cancellation: null,
    });
  });

  it('has no arrival while the order is on its way', () => {
    expect(replayOf(history())).toMatchObject({ arrived: null, cancellation: null });
  });

  it('does not exist for an order that was refused', () => {
    expect(
      replayOf(history({ type: 'rejected', refusal: { code: 'no', message: 'No.' }, presumed: false })),
    ).toBeNull();
  });

  it('has the arrival time of a held order, not its release', () => {
    expect(replayOf(history({ ...accepted, delayed: true }, accepted))?.arrived).toEqual(at(1000));
  });

  it('ends with the cancellation that was granted', () => {
    expect(replayOf(history(accepted, asked, granted))?.cancellation).toEqual({
      sent: at(2000),
      due: null,
      arrived: at(3000),
    });
  });

  it('ends with the cancellation that was granted after one that was refused', () => {
    const refused = { type: 'cancel_refused', reason: 'held' } as const;
    const { cancellation } = replayOf(history(accepted, asked, refused, asked, granted)) ?? {};
    expect(cancellation).toEqual({ sent: at(4000), due: null, arrived: at(5000) });
  });

  it('has a cancellation on its way', () => {
    expect(replayOf(history(accepted, asked))?.cancellation).toEqual({ sent: at(2000), due: null, arrived: null });
  });

  it('contains no refused cancellation, nor one by the venue', () => {
    expect(replayOf(history(accepted, asked, { type: 'cancel_refused', reason: 'held' }))?.cancellation).toBeNull();
    const wiped = { type: 'cancelled', reason: 'game_started' } as const;
    expect(replayOf(history(accepted, wiped))?.cancellation).toBeNull();
    expect(replayOf(history(accepted, asked, wiped))?.cancellation).toBeNull();
  });
});
