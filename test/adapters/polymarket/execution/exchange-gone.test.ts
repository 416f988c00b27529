import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Order } from '../../../../src/core/order/order.js';
import { fillOf, NO_BASIS } from '../../../../src/core/order/order.js';
import { anExecution, shares, usdc } from '../../../support/builders.js';
import { answers, edits, hangsUp, resetsAfter } from '../../../support/fake-venue/faults.js';
import type { Json } from '../../../support/fake-venue/wire.js';
import { aFixture, booked, step, unknownNow, YES } from './exchange-fixture.js';

let fixture: Awaited<ReturnType<typeof aFixture>>;
beforeEach(async () => {
  fixture = await aFixture({ overallMs: 1500 });
});
afterEach(() => fixture.close());

const HIDDEN = answers(200, null);
const idOf = ({ venueOrderId }: Order): string => venueOrderId ?? '';
const cancels = () => fixture.venue.log.cancels.map(({ reason }) => reason);
const rejection = { code: 'fok_not_filled', message: 'Nothing.' };

/** An order recorded as resting, which the venue no longer shows in lookups. */
async function hidden(draft: Parameters<typeof fixture.order>[0] = {}): Promise<Order> {
  const order = await fixture.order(draft);
  const open = booked(order, await fixture.sends(order));
  fixture.venue.always('GET /data/order/', HIDDEN);
  return open;
}

describe('an order that rested, and is no longer shown', () => {
  test('is cancelled at the venue once, and then has ended', async () => {
    const order = await hidden();
    expect(await fixture.looks(order, 4, 40_000)).toMatchObject({ kind: 'unknown' });
    fixture.time.now += 40_000;
    expect(await fixture.exchange.find(order)).toMatchObject({ kind: 'unknown' });
    expect(cancels()).toEqual([null]);
    expect(await fixture.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'cancelled' });
    expect(cancels()).toEqual([null]);
  });

  test('has ended even when the venue had nothing to cancel', async () => {
    const order = await hidden();
    fixture.venue.state.lapse(fixture.credentials);
    await fixture.looks(order, 5, 40_000);
    expect(await fixture.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'cancelled' });
    expect(cancels()).toEqual(['already canceled or matched']);
  });

  test.each([
    ['the trades are not returned', answers(500, { error: 'no' })],
    ['not all pages of trades are returned', edits((page: Json) => ({ ...page, next_cursor: 'MA==' }))],
    ['a trade cannot be read', edits((page: Json) => ({ ...page, data: [{ id: 'odd' }] }))],
  ])('is neither cancelled nor over while %s', async (_name, fault) => {
    const order = await hidden();
    fixture.venue.always('GET /data/trades', fault);
    const reason = 'The venue did not return all of its trades.';
    expect(await fixture.looks(order, 6, 60_000)).toMatchObject({ kind: 'unknown', reason });
    expect(cancels()).toEqual([]);
  });

  test('is neither while the venue does not answer that it has none', async () => {
    const order = await fixture.order();
    const open = booked(order, await fixture.sends(order));
    fixture.venue.always('GET /data/order/', answers(400, { error: 'no' }));
    expect(await fixture.looks(open, 8, 60_000)).toMatchObject({ kind: 'unknown' });
    expect(cancels()).toEqual([]);
  });

  test('needs no cancellation once expired by the venue’s clock', async () => {
    const expiresAt = new Date(fixture.time.now + 600_000);
    const order = await hidden({ timeInForce: 'GTD', expiresAt });
    fixture.venue.always('DELETE /order', answers(500, { error: 'no' }));
    expect(await fixture.looks(order, 8, 60_000)).toMatchObject({ kind: 'unknown' });
    const refused = fixture.venue.log.statuses('DELETE /order').length;
    expect(refused).toBeGreaterThan(0);
    // The venue ends it a minute before the second that it is signed with.
    fixture.time.now = expiresAt.getTime() + 60_000;
    expect(await fixture.exchange.find(order)).toMatchObject({ kind: 'unknown' });
    expect(fixture.venue.log.statuses('DELETE /order').length).toBe(refused + 1);
    fixture.time.now += 1;
    expect(await fixture.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'cancelled' });
    expect(fixture.venue.log.statuses('DELETE /order').length).toBe(refused + 1);
  });

  test('and that our clock is behind is counted in', async () => {
    fixture.time.skewMs = -30_000;
    await fixture.measure();
    const expiresAt = new Date(fixture.time.now + 600_000);
    const order = await hidden({ timeInForce: 'GTD', expiresAt });
    fixture.venue.always('DELETE /order', answers(500, { error: 'no' }));
    await fixture.looks(order, 8, 60_000);
    fixture.time.now = expiresAt.getTime() + 60_000 + 2_000;
    expect(await fixture.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'cancelled' });
  });
});

test('a lost GTD order is cancelled before expiry, and absent afterwards', async () => {
  const expiresAt = new Date(fixture.time.now + 600_000);
  const order = unknownNow(await fixture.order({ timeInForce: 'GTD', expiresAt }));
  fixture.venue.script('POST /order', resetsAfter(1));
  await fixture.sends(order);
  fixture.time.now += 16_000;
  fixture.venue.always('DELETE /order', answers(500, { error: 'no' }));
  expect(await fixture.looks(order, 6, 60_000)).toMatchObject({ kind: 'unknown' });
  const asked = fixture.venue.log.statuses('DELETE /order').length;
  expect(asked).toBeGreaterThan(0);
  fixture.time.now = expiresAt.getTime() + 60_001;
  expect(await fixture.exchange.find(order)).toEqual({ kind: 'absent' });
  expect(fixture.venue.log.statuses('DELETE /order').length).toBe(asked);
});

describe('an order that the venue shows as ended', () => {
  test('reserves no money once its trades hold everything reported as matched', async () => {
    fixture.venue.reads.remembersEnded = true;
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    const order = unknownNow(await fixture.order({ timeInForce: 'FAK' }));
    fixture.venue.script('POST /order', hangsUp());
    await fixture.sends(order);
    expect(fixture.venue.snapshot(idOf(order))).toMatchObject({ status: 'MATCHED', size_matched: '8' });
    expect(await fixture.exchange.find(order)).toMatchObject({
      executions: [{ shares: shares('8') }],
      rest: 'cancelled',
    });
  });

  test.each([
    ['', 'cancelled'],
    ['many', 'open'],
  ])('with “%s” matched is %s after many looks', async (size_matched, rest) => {
    const order = await fixture.order();
    const open = booked(order, await fixture.sends(order));
    const row = { ...fixture.venue.snapshot(idOf(order)), status: 'CANCELED', size_matched };
    fixture.venue.always('GET /data/order/', answers(200, row));
    expect(await fixture.looks(open, 4, 40_000)).toMatchObject({ executions: [], rest: 'open' });
    fixture.time.now += 40_000;
    expect(await fixture.exchange.find(open)).toMatchObject({ executions: [], rest });
  });
});

test('an order filled by trades no longer rests, despite a stale state', async () => {
  const order = await fixture.order();
  const open = booked(order, await fixture.sends(order));
  fixture.venue.always('GET /data/order/', answers(200, fixture.venue.snapshot(idOf(order))));
  fixture.venue.offer(YES, 'SELL', '0.5', '20');
  expect(await fixture.exchange.find(open)).toMatchObject({ executions: [{ shares: shares('20') }], rest: 'none' });
});

test('an immediate order keeps its fills when no trace of it remains', async () => {
  const order = await fixture.order({ timeInForce: 'FAK' });
  const fill = fillOf(anExecution({ shares: shares('8') }), usdc('4'), NO_BASIS);
  const held = step(step(order, { type: 'accepted', venueOrderId: idOf(order), delayed: true }), {
    type: 'fill',
    fill,
  });
  expect(held.state).toBe('delayed');
  fixture.time.now += 16_000;
  expect(await fixture.looks(held, 4, 40_000)).toMatchObject({ kind: 'unknown' });
  fixture.time.now += 40_000;
  expect(await fixture.exchange.find(held)).toMatchObject({ kind: 'accepted', rest: 'cancelled' });
});

test('a refused order causes no further lookup', async () => {
  const order = step(await fixture.order({ timeInForce: 'FOK' }), {
    type: 'rejected',
    refusal: rejection,
    presumed: true,
  });
  fixture.time.now += 16_000;
  expect(await fixture.looks(order, 8, 60_000)).toMatchObject({ kind: 'unknown' });
});
