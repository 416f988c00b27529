import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Order } from '../../../../src/core/order/order.js';
import { fillOf, NO_BASIS } from '../../../../src/core/order/order.js';
import { anExecution, shares, usdc } from '../../../support/builders.js';
import { answers, edits, hangsUp, resetsAfter } from '../../../support/fake-venue/faults.js';
import type { Json } from '../../../support/fake-venue/wire.js';
import { aStage, booked, step, unknownNow, YES } from './exchange-stage.js';

let stage: Awaited<ReturnType<typeof aStage>>;
beforeEach(async () => {
  stage = await aStage({ overallMs: 1500 });
});
afterEach(() => stage.close());

const HIDDEN = answers(200, null);
const idOf = ({ venueOrderId }: Order): string => venueOrderId ?? '';
const cancels = () => stage.venue.log.cancels.map(({ reason }) => reason);
const rejection = { code: 'fok_not_filled', message: 'Nothing.' };

/** An order recorded as resting, which the venue no longer shows in lookups. */
async function hidden(draft: Parameters<typeof stage.order>[0] = {}): Promise<Order> {
  const order = await stage.order(draft);
  const open = booked(order, await stage.sends(order));
  stage.venue.always('GET /data/order/', HIDDEN);
  return open;
}

describe('an order that rested, and is no longer shown', () => {
  test('is cancelled at the venue once, and then has ended', async () => {
    const order = await hidden();
    expect(await stage.looks(order, 4, 40_000)).toMatchObject({ kind: 'unknown' });
    stage.time.now += 40_000;
    expect(await stage.exchange.find(order)).toMatchObject({ kind: 'unknown' });
    expect(cancels()).toEqual([null]);
    expect(await stage.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'cancelled' });
    expect(cancels()).toEqual([null]);
  });

  test('has ended even when the venue had nothing to cancel', async () => {
    const order = await hidden();
    stage.venue.state.lapse(stage.credentials);
    await stage.looks(order, 5, 40_000);
    expect(await stage.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'cancelled' });
    expect(cancels()).toEqual(['already canceled or matched']);
  });

  test.each([
    ['the trades are not returned', answers(500, { error: 'no' })],
    ['not all pages of trades are returned', edits((page: Json) => ({ ...page, next_cursor: 'MA==' }))],
    ['a trade cannot be read', edits((page: Json) => ({ ...page, data: [{ id: 'odd' }] }))],
  ])('is neither cancelled nor over while %s', async (_name, fault) => {
    const order = await hidden();
    stage.venue.always('GET /data/trades', fault);
    const reason = 'The venue did not return all of its trades.';
    expect(await stage.looks(order, 6, 60_000)).toMatchObject({ kind: 'unknown', reason });
    expect(cancels()).toEqual([]);
  });

  test('is neither while the venue does not answer that it has none', async () => {
    const order = await stage.order();
    const open = booked(order, await stage.sends(order));
    stage.venue.always('GET /data/order/', answers(400, { error: 'no' }));
    expect(await stage.looks(open, 8, 60_000)).toMatchObject({ kind: 'unknown' });
    expect(cancels()).toEqual([]);
  });

  test('needs no cancellation once expired by the venue’s clock', async () => {
    const expiresAt = new Date(stage.time.now + 600_000);
    const order = await hidden({ timeInForce: 'GTD', expiresAt });
    stage.venue.always('DELETE /order', answers(500, { error: 'no' }));
    expect(await stage.looks(order, 8, 60_000)).toMatchObject({ kind: 'unknown' });
    const refused = stage.venue.log.statuses('DELETE /order').length;
    expect(refused).toBeGreaterThan(0);
    // The venue ends it a minute before the second that it is signed with.
    stage.time.now = expiresAt.getTime() + 60_000;
    expect(await stage.exchange.find(order)).toMatchObject({ kind: 'unknown' });
    expect(stage.venue.log.statuses('DELETE /order').length).toBe(refused + 1);
    stage.time.now += 1;
    expect(await stage.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'cancelled' });
    expect(stage.venue.log.statuses('DELETE /order').length).toBe(refused + 1);
  });

  test('and that our clock is behind is counted in', async () => {
    stage.time.skewMs = -30_000;
    await stage.measure();
    const expiresAt = new Date(stage.time.now + 600_000);
    const order = await hidden({ timeInForce: 'GTD', expiresAt });
    stage.venue.always('DELETE /order', answers(500, { error: 'no' }));
    await stage.looks(order, 8, 60_000);
    stage.time.now = expiresAt.getTime() + 60_000 + 2_000;
    expect(await stage.exchange.find(order)).toMatchObject({ kind: 'accepted', rest: 'cancelled' });
  });
});

test('a lost GTD order is cancelled before expiry, and absent afterwards', async () => {
  const expiresAt = new Date(stage.time.now + 600_000);
  const order = unknownNow(await stage.order({ timeInForce: 'GTD', expiresAt }));
  stage.venue.script('POST /order', resetsAfter(1));
  await stage.sends(order);
  stage.time.now += 16_000;
  stage.venue.always('DELETE /order', answers(500, { error: 'no' }));
  expect(await stage.looks(order, 6, 60_000)).toMatchObject({ kind: 'unknown' });
  const asked = stage.venue.log.statuses('DELETE /order').length;
  expect(asked).toBeGreaterThan(0);
  stage.time.now = expiresAt.getTime() + 60_001;
  expect(await stage.exchange.find(order)).toEqual({ kind: 'absent' });
  expect(stage.venue.log.statuses('DELETE /order').length).toBe(asked);
});

describe('an order that the venue shows as ended', () => {
  test('reserves no money once its trades hold everything reported as matched', async () => {
    stage.venue.reads.remembersEnded = true;
    stage.venue.offer(YES, 'SELL', '0.5', '8');
    const order = unknownNow(await stage.order({ timeInForce: 'FAK' }));
    stage.venue.script('POST /order', hangsUp());
    await stage.sends(order);
    expect(stage.venue.snapshot(idOf(order))).toMatchObject({ status: 'MATCHED', size_matched: '8' });
    expect(await stage.exchange.find(order)).toMatchObject({
      executions: [{ shares: shares('8') }],
      rest: 'cancelled',
    });
  });

  test.each([
    ['', 'cancelled'],
    ['many', 'open'],
  ])('with “%s” matched is %s after many looks', async (size_matched, rest) => {
    const order = await stage.order();
    const open = booked(order, await stage.sends(order));
    const row = { ...stage.venue.snapshot(idOf(order)), status: 'CANCELED', size_matched };
    stage.venue.always('GET /data/order/', answers(200, row));
    expect(await stage.looks(open, 4, 40_000)).toMatchObject({ executions: [], rest: 'open' });
    stage.time.now += 40_000;
    expect(await stage.exchange.find(open)).toMatchObject({ executions: [], rest });
  });
});

test('an order filled by trades no longer rests, despite a stale state', async () => {
  const order = await stage.order();
  const open = booked(order, await stage.sends(order));
  stage.venue.always('GET /data/order/', answers(200, stage.venue.snapshot(idOf(order))));
  stage.venue.offer(YES, 'SELL', '0.5', '20');
  expect(await stage.exchange.find(open)).toMatchObject({ executions: [{ shares: shares('20') }], rest: 'none' });
});

test('an immediate order keeps its fills when no trace of it remains', async () => {
  const order = await stage.order({ timeInForce: 'FAK' });
  const fill = fillOf(anExecution({ shares: shares('8') }), usdc('4'), NO_BASIS);
  const held = step(step(order, { type: 'accepted', venueOrderId: idOf(order), delayed: true }), {
    type: 'fill',
    fill,
  });
  expect(held.state).toBe('delayed');
  stage.time.now += 16_000;
  expect(await stage.looks(held, 4, 40_000)).toMatchObject({ kind: 'unknown' });
  stage.time.now += 40_000;
  expect(await stage.exchange.find(held)).toMatchObject({ kind: 'accepted', rest: 'cancelled' });
});

test('a refused order causes no further lookup', async () => {
  const order = step(await stage.order({ timeInForce: 'FOK' }), {
    type: 'rejected',
    refusal: rejection,
    presumed: true,
  });
  stage.time.now += 16_000;
  expect(await stage.looks(order, 8, 60_000)).toMatchObject({ kind: 'unknown' });
});
