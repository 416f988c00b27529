import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Order } from '../../../../src/core/order/order.js';
import { shares, usdc } from '../../../support/builders.js';
import { answers, edits, forgets, hangsUp, loops, passes, resetsAfter } from '../../../support/fake-venue/faults.js';
import type { Json } from '../../../support/fake-venue/wire.js';
import { aFixture, booked, step, unknownNow, YES } from './exchange-fixture.js';

let fixture: Awaited<ReturnType<typeof aFixture>>;
beforeEach(async () => {
  fixture = await aFixture({ overallMs: 1500 });
});
afterEach(() => fixture.close());

const idOf = ({ venueOrderId }: Order): string => venueOrderId ?? '';
const tradeReads = (): number => fixture.venue.log.statuses('GET /data/trades').length;

/** An order in an unknown state; it did not arrive. */
async function lost(draft: Parameters<typeof fixture.order>[0] = {}): Promise<Order> {
  const order = await fixture.order(draft);
  fixture.venue.script('POST /order', resetsAfter(1));
  expect(await fixture.sends(order)).toMatchObject({ kind: 'unknown' });
  fixture.time.now += 16_000;
  return unknownNow(order);
}

describe('an order whose answer never came', () => {
  test('is found by its hash while it rests, with what it filled', async () => {
    const order = await fixture.order();
    fixture.venue.script('POST /order', hangsUp());
    expect(await fixture.sends(order)).toMatchObject({ kind: 'unknown' });
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    const found = booked(unknownNow(order), await fixture.exchange.find(order));
    expect(found).toMatchObject({ state: 'open', filled: { shares: shares('8'), confirmed: 0n } });
    expect(fixture.venue.breaches([{ id: order.id, hashes: [idOf(order)], filled: found.filled.shares }])).toEqual([]);
  });

  test('is found in trades once filled, though the venue hides it', async () => {
    const order = await fixture.order();
    fixture.venue.script('POST /order', hangsUp());
    await fixture.sends(order);
    fixture.venue.offer(YES, 'SELL', '0.5', '20');
    fixture.venue.settleAll('CONFIRMED');
    expect(booked(unknownNow(order), await fixture.restarted().find(order))).toMatchObject({
      state: 'filled',
      filled: { shares: shares('20'), confirmed: shares('20'), notional: usdc('10') },
    });
  });

  test('is found when it rested and the taker bought the other token', async () => {
    const [, other] = fixture.venue.market().terms.tokens;
    const order = await fixture.order();
    await fixture.sends(order);
    fixture.venue.offer(other, 'BUY', '0.5', '20');
    const found = booked(order, await fixture.exchange.find(order));
    expect(found).toMatchObject({ state: 'filled', fills: [{ liquidity: 'MAKER', shares: shares('20') }] });
  });

  test('is one order when it is inserted after we gave up', async () => {
    const order = await fixture.order();
    const held = fixture.venue.hold('POST /order');
    const [placed] = await Promise.all([fixture.sends(order), held.arrived]);
    expect(placed).toMatchObject({ kind: 'unknown' });
    fixture.time.now += 20_000;
    expect(await fixture.looks(unknownNow(order), 3, 10_000)).toMatchObject({ kind: 'unknown' });
    held.release();
    await expect.poll(() => fixture.venue.accepted(idOf(order))).toBe(true);
    expect(await fixture.exchange.find(unknownNow(order))).toMatchObject({ kind: 'accepted', rest: 'open' });
    expect(fixture.venue.log.posts(idOf(order))).toEqual({ accepted: 1, duplicate: 0, refused: 0 });
  });

  test('keeps its money until all trades of the ended order appear', async () => {
    fixture.venue.reads.remembersEnded = true;
    const order = await fixture.order();
    await fixture.sends(order);
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    await fixture.exchange.cancel(order);
    fixture.venue.script('GET /data/trades', answers(200, { data: [], next_cursor: 'LTE=' }));
    expect(await fixture.exchange.find(order)).toMatchObject({ executions: [], rest: 'open' });
    expect(booked(order, await fixture.exchange.find(order))).toMatchObject({
      state: 'cancelled',
      filled: { shares: shares('8') },
    });
  });
});

test('a hidden, partly filled order that could rest is not over', async () => {
  const order = await fixture.order();
  await fixture.sends(order);
  fixture.venue.offer(YES, 'SELL', '0.5', '8');
  fixture.venue.always('GET /data/order/', answers(200, null));
  expect(await fixture.looks(order, 8, 60_000)).toMatchObject({ executions: [{ shares: shares('8') }], rest: 'open' });
});

describe('an order that never arrived', () => {
  test('as a FOK is absent after five lookups over two minutes', async () => {
    const order = await lost({ timeInForce: 'FOK' });
    expect(await fixture.looks(order, 4, 30_000)).toMatchObject({ kind: 'unknown' });
    fixture.time.now += 29_999;
    expect(await fixture.exchange.find(order)).toMatchObject({ kind: 'unknown' });
    fixture.time.now += 1;
    expect(await fixture.exchange.find(order)).toEqual({ kind: 'absent' });
  });

  test('is not absent after many quick lookups or few slow ones', async () => {
    const order = await lost({ timeInForce: 'FOK' });
    expect(await fixture.looks(order, 20, 5000)).toMatchObject({ kind: 'unknown' });
    const other = await lost({ timeInForce: 'FAK' });
    expect(await fixture.looks(other, 4, 3_600_000)).toMatchObject({ kind: 'unknown' });
  });

  test('starts its lookups over in a restarted process', async () => {
    const order = await lost({ timeInForce: 'FOK' });
    await fixture.looks(order, 5, 30_000);
    expect(await fixture.restarted().find(order)).toMatchObject({ kind: 'unknown' });
  });

  test('no lookup counts while the order may still be sent', async () => {
    const order = unknownNow(await fixture.order({ timeInForce: 'FOK' }));
    expect(await fixture.looks(order, 2, 15_000)).toMatchObject({ kind: 'unknown' });
    fixture.time.now += 1;
    expect(await fixture.looks(order, 4, 40_000)).toMatchObject({ kind: 'unknown' });
    expect(await fixture.exchange.find(order)).toEqual({ kind: 'absent' });
  });

  test.each([
    ['the order cannot be read', 'GET /data/order/', answers(400, { error: 'no' })],
    ['the trades cannot be read', 'GET /data/trades', answers(400, { error: 'no' })],
    ['the list of trades never ends', 'GET /data/trades', loops()],
    ['a trade cannot be read', 'GET /data/trades', edits((page: Json) => ({ ...page, data: [{ id: 1 }] }))],
  ])('no lookup counts in which %s', async (_name, endpoint, fault) => {
    const order = await lost({ timeInForce: 'FOK' });
    const end = fixture.venue.always(endpoint, fault);
    expect(await fixture.looks(order, 8, 60_000)).toMatchObject({ kind: 'unknown' });
    end();
    expect(await fixture.looks(order, 4, 60_000)).toMatchObject({ kind: 'unknown' });
    expect(await fixture.exchange.find(order)).toEqual({ kind: 'absent' });
  });

  test('that could rest is absent once the venue says it is unknown', async () => {
    const order = await lost();
    expect(await fixture.looks(order, 4, 30_000)).toMatchObject({ kind: 'unknown' });
    expect(fixture.venue.log.cancels).toEqual([]);
    fixture.time.now += 30_000;
    fixture.venue.script('DELETE /order', hangsUp({ acts: false }), passes());
    expect(await fixture.exchange.find(order)).toMatchObject({ kind: 'unknown' });
    expect(await fixture.exchange.find(order)).toMatchObject({ kind: 'unknown' });
    expect(fixture.venue.log.cancels).toMatchObject([{ hash: idOf(order) }]);
    expect(await fixture.exchange.find(order)).toEqual({ kind: 'absent' });
  });

  test('that rests hidden after all is cancelled and not lost', async () => {
    const order = unknownNow(await fixture.order());
    fixture.venue.script('POST /order', hangsUp());
    await fixture.sends(order);
    fixture.time.now += 16_000;
    const end = fixture.venue.always('GET /data/order/', answers(200, null));
    const seen = await fixture.looks(order, 5, 30_000);
    expect(booked(order, seen)).toMatchObject({ state: 'cancelled', venueOrderId: idOf(order) });
    end();
  });

  test('is absent without a cancellation once its time is over', async () => {
    const expiresAt = new Date(fixture.time.now + 200_000);
    const order = await lost({ timeInForce: 'GTD', expiresAt });
    fixture.time.now = expiresAt.getTime() - 50_000;
    await fixture.looks(order, 4, 35_000);
    expect(fixture.venue.log.cancels).toEqual([]);
    fixture.time.now += 30_000;
    expect(await fixture.exchange.find(order)).toEqual({ kind: 'absent' });
  });

  test.each([
    ['order already matched', { kind: 'unknown' }],
    ['order is delayed and cannot be canceled yet', { kind: 'unknown' }],
    ['already canceled or matched', { kind: 'accepted', executions: [], rest: 'cancelled' }],
  ])('is not absent when the venue answers the cancellation with “%s”', async (reason, report) => {
    const order = await lost();
    fixture.venue.always('DELETE /order', answers(200, { canceled: [], not_canceled: { [idOf(order)]: reason } }));
    expect(await fixture.looks(order, 5, 60_000)).toMatchObject({ kind: 'unknown' });
    expect(await fixture.exchange.find(order)).toMatchObject(report);
  });

  test('is not counted as cancelled while its trades cannot be read', async () => {
    const order = await lost();
    const refused = { canceled: [], not_canceled: { [idOf(order)]: 'already canceled or matched' } };
    fixture.venue.always('DELETE /order', answers(200, refused));
    fixture.venue.always('GET /data/trades', answers(500, { error: 'no' }));
    expect(await fixture.looks(order, 8, 60_000)).toMatchObject({ kind: 'unknown' });
  });

  test.each(['GTC', 'FAK'] as const)('is never absent once the venue has received it (%s)', async (timeInForce) => {
    const order = await lost({ timeInForce });
    const open = step(order, { type: 'accepted', venueOrderId: idOf(order), delayed: false });
    expect(await fixture.looks(open, 4, 60_000)).toMatchObject({ kind: 'unknown' });
    expect(fixture.venue.log.cancels).toEqual([]);
    expect((await fixture.looks(open, 8, 60_000)).kind).not.toBe('absent');
  });
});

test('a delayed FOK without a trace counts as refused after its delay', async () => {
  fixture.venue.market().delaying = true;
  fixture.venue.offer(YES, 'SELL', '0.5', '20');
  const order = await fixture.order({ timeInForce: 'FOK' });
  const delayed = booked(order, await fixture.sends(order));
  expect(delayed.state).toBe('delayed');
  fixture.time.now += 16_000;
  fixture.venue.release(idOf(order), 'reject');
  expect(await fixture.looks(delayed, 4, 30_000)).toMatchObject({ kind: 'unknown' });
  fixture.time.now += 30_000;
  expect(await fixture.exchange.find(delayed)).toMatchObject({
    kind: 'rejected',
    refusal: { code: 'dropped_after_delay' },
  });
});

test('a FOK killed with its answer lost is not absent early', async () => {
  const order = unknownNow(await fixture.order({ timeInForce: 'FOK' }));
  fixture.venue.script('POST /order', hangsUp());
  expect(await fixture.sends(order)).toMatchObject({ kind: 'unknown' });
  fixture.time.now += 16_000;
  const before = tradeReads();
  expect(await fixture.looks(order, 4, 39_999)).toMatchObject({ kind: 'unknown' });
  fixture.time.now += 3;
  expect(await fixture.exchange.find(order)).toEqual({ kind: 'absent' });
  expect(tradeReads() - before).toBe(5);
});

test('an order that never answers is not waited for without end', async () => {
  const order = await fixture.order();
  fixture.venue.script('POST /order', forgets());
  expect(await fixture.sends(order)).toMatchObject({ kind: 'unknown' });
});

test('another order under our identity is ignored', async () => {
  const order = await fixture.order();
  await fixture.sends(order);
  fixture.venue.script(
    'GET /data/order/',
    edits((row: Json) => ({ ...row, side: 'SELL' })),
  );
  expect(await fixture.exchange.find(order)).toMatchObject({ kind: 'unknown' });
  expect(fixture.alarms).toEqual(['another order under our identity']);
});
