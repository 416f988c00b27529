import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OrderChange } from '../../../../src/core/order/event.js';
import type { Order } from '../../../../src/core/order/order.js';
import type { Accepted } from '../../../../src/ports/exchange.js';
import { price, shares, usdc } from '../../../support/builders.js';
import { answers, edits } from '../../../support/fake-venue/faults.js';
import type { Json } from '../../../support/fake-venue/wire.js';
import { KNOWN_ADDRESS } from '../signing/known-address.js';
import { aFixture, booked, step, YES } from './exchange-fixture.js';

let fixture: Awaited<ReturnType<typeof aFixture>>;
beforeEach(async () => {
  fixture = await aFixture();
});
afterEach(() => fixture.close());

const open = (order: Order): Order =>
  step(order, { type: 'accepted', venueOrderId: order.venueOrderId ?? '', delayed: false });
const cancelling = (order: Order): Order => step(open(order), { type: 'cancel_requested' } as OrderChange);
const cancelled = (order: Order): Order => step(open(order), { type: 'cancelled', reason: 'so' });
const expired = (order: Order): Order => step(open(order), { type: 'expired', reason: 'so' });
const rejected = (order: Order): Order =>
  step(order, { type: 'rejected', refusal: { code: 'x', message: 'x' }, presumed: false });
const STATES: readonly [string, (order: Order) => Order][] = [
  ['open', open],
  ['about to be cancelled', cancelling],
  ['cancelled', cancelled],
  ['expired', expired],
  ['rejected', rejected],
];

async function resting(): Promise<Order> {
  const order = await fixture.order();
  await fixture.sends(order);
  return order;
}

describe.each(STATES)('an order that is %s on record', (_name, on) => {
  test('is found while it rests, with what it filled', async () => {
    const order = await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    expect(await fixture.exchange.find(on(order))).toMatchObject({
      kind: 'accepted',
      executions: [{ shares: shares('8') }],
      failed: [],
      rest: 'open',
    });
  });

  test('is found when filled, and again when its trade failed', async () => {
    const order = await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '20');
    expect(await fixture.exchange.find(on(order))).toMatchObject({
      executions: [{ shares: shares('20') }],
      rest: 'none',
    });
    fixture.venue.settleAll('FAILED');
    expect(await fixture.exchange.find(on(order))).toMatchObject({
      executions: [],
      failed: [fixture.venue.trades[0]?.id],
      rest: 'cancelled',
    });
  });

  test('is never absent', async () => {
    const order = await fixture.order();
    fixture.time.now += 16_000;
    expect((await fixture.looks(on(order), 4, 60_000)).kind).toBe('unknown');
    expect((await fixture.looks(on(order), 8, 60_000)).kind).not.toBe('absent');
  });
});

test.each([
  ['open', 'open', open],
  ['about to be cancelled', 'open', cancelling],
  ['rejected', 'open', rejected],
  ['cancelled', 'cancelled', cancelled],
  ['expired', 'cancelled', expired],
] as const)('a hidden, partly filled order %s on record has its rest %s', async (_name, rest, on) => {
  const order = await resting();
  fixture.venue.offer(YES, 'SELL', '0.5', '8');
  fixture.venue.always('GET /data/order/', answers(200, null));
  expect(await fixture.exchange.find(on(order))).toMatchObject({ executions: [{ shares: shares('8') }], rest });
});

test('a failed trade does not reopen a filled order', async () => {
  fixture.venue.offer(YES, 'SELL', '0.5', '20');
  const order = await fixture.order({ timeInForce: 'FOK' });
  const filled = booked(order, await fixture.sends(order));
  expect(filled.state).toBe('filled');
  expect(await fixture.exchange.find(filled)).toMatchObject({ executions: [{ shares: shares('20') }], rest: 'none' });
  fixture.venue.settleAll('FAILED');
  expect(await fixture.exchange.find(filled)).toMatchObject({
    executions: [],
    failed: { length: 1 },
    rest: 'cancelled',
  });
});

test('a trade that failed is reported with the placement', async () => {
  fixture.venue.offer(YES, 'SELL', '0.4', '10');
  fixture.venue.offer(YES, 'SELL', '0.5', '10');
  const order = await fixture.order({ timeInForce: 'FAK' });
  fixture.venue.habits.settlesAtOnce = ['FAILED'];
  const placed = await fixture.sends(order);
  expect(placed).toMatchObject({ executions: [], failed: { length: 2 }, rest: 'cancelled' });
});

describe('a marketable purchase at a better price', () => {
  const money = ({ executions }: Accepted): bigint =>
    executions.reduce((sum, { shares: size, price: at }) => sum + (size * at + 999_999n) / 1_000_000n, 0n);

  test.each([
    ['its shares as signed', 'shares', '20', '8.6'],
    ['all its dollars', 'dollars', '23.111111', '10'],
  ] as const)('takes %s and reports it whole, within its spending limit', async (_name, buySpends, got, cost) => {
    fixture.venue.habits.buySpends = buySpends;
    fixture.venue.offer(YES, 'SELL', '0.4', '8');
    fixture.venue.offer(YES, 'SELL', '0.45', '30');
    const order = await fixture.order({ timeInForce: 'FOK', price: price('0.5'), size: usdc('10') });
    const placed = await fixture.sends(order);
    if (placed.kind !== 'accepted') throw new Error(placed.kind);
    expect(placed).toMatchObject({ executions: { length: 2 }, rest: 'none' });
    expect(placed.executions.reduce((sum, { shares: size }) => sum + size, 0n)).toBe(shares(got));
    expect(money(placed)).toBe(usdc(cost));
    expect(money(placed)).toBeLessThanOrEqual(order.intent.envelope?.spends ?? 0n);
    expect(await fixture.exchange.find(order)).toEqual(placed);
  });

  test('is not over while a trade named in the answer is missing', async () => {
    fixture.venue.habits.buySpends = 'dollars';
    fixture.venue.offer(YES, 'SELL', '0.4', '20');
    fixture.venue.offer(YES, 'SELL', '0.45', '30');
    const order = await fixture.order({ timeInForce: 'FOK' });
    const some = (page: { data: readonly Json[] }) => ({
      ...page,
      data: page.data.filter(({ size }) => size === '20'),
    });
    fixture.venue.script('GET /data/trades', edits(some));
    expect(await fixture.sends(order)).toMatchObject({ executions: [{ shares: shares('20') }], rest: 'open' });
    const found = await fixture.exchange.find(order);
    expect(found).toMatchObject({ executions: { length: 2 }, rest: 'none' });
    expect(found.kind === 'accepted' && money(found)).toBe(usdc('10'));
  });
});

describe.each([
  ['rests', open],
  ['is about to be cancelled', cancelling],
] as const)('An order that %s on record and is hidden', (_name, on) => {
  test('ends after two minutes unseen with nothing at the venue to cancel', async () => {
    const order = await fixture.order();
    expect(await fixture.looks(on(order), 4, 60_000)).toMatchObject({ kind: 'unknown' });
    expect(fixture.venue.log.cancels).toEqual([]);
    fixture.time.now += 60_000;
    expect(await fixture.exchange.find(on(order))).toMatchObject({ kind: 'unknown' });
    expect(fixture.venue.log.cancels).toHaveLength(1);
    fixture.time.now += 60_000;
    expect(await fixture.exchange.find(on(order))).toMatchObject({
      kind: 'accepted',
      executions: [],
      rest: 'cancelled',
    });
  });

  test('is left alone while the venue hides every order of its wallet', async () => {
    const exchange = fixture.restarted({ signatureType: 3, funder: KNOWN_ADDRESS });
    const order = await fixture.order();
    expect(await fixture.looks(on(order), 8, 60_000, exchange)).toMatchObject({ kind: 'unknown' });
    expect(fixture.venue.log.cancels).toEqual([]);
    const other = await resting();
    expect(await exchange.find(on(other))).toMatchObject({ rest: 'open' });
    expect(await fixture.looks(on(order), 8, 60_000, exchange)).toMatchObject({ rest: 'cancelled' });
  });
});
