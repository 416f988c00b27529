import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readUserFrame, type UserEvent } from '../../../../src/adapters/polymarket/websocket/user-wire.js';
import type { Order } from '../../../../src/core/order/order.js';
import { fillOf, NO_BASIS } from '../../../../src/core/order/order.js';
import type { OrderStatusReport } from '../../../../src/ports/exchange.js';
import type { MassStatus } from '../../../../src/ports/venue-adapter.js';
import { anExecution, price, shares, usdc } from '../../../support/builders.js';
import { answers } from '../../../support/fake-venue/faults.js';
import type { Json } from '../../../support/fake-venue/wire.js';
import { KNOWN_ADDRESS } from '../signing/known-address.js';
import { aFixture, booked, GAME, step, unknownNow, YES } from './exchange-fixture.js';

let fixture: Awaited<ReturnType<typeof aFixture>>;
beforeEach(async () => {
  fixture = await aFixture();
});
afterEach(() => fixture.close());

const idOf = ({ venueOrderId }: Order): string => venueOrderId ?? '';
const asked = (): number => fixture.venue.log.requests.filter(({ path }) => path.startsWith('/data/')).length;

/** The status in the last message that the venue sent, changed or not. */
function last(change: (body: Json) => Json = (body) => body): MassStatus {
  const body = fixture.venue.user.sent.at(-1);
  if (body === undefined) throw new Error('nothing was sent');
  return fixture.exchange.massStatusOf(read(change(body)));
}

function read(body: Json): UserEvent {
  const names = { apiKey: fixture.credentials.apiKey, wallet: KNOWN_ADDRESS };
  const [event] = readUserFrame(JSON.stringify(body), names);
  if (event === undefined || event === null) throw new Error('it cannot be read');
  return event;
}

async function resting(): Promise<Order> {
  const order = await fixture.order();
  await fixture.sends(order);
  return order;
}

describe('a message of a trade', () => {
  test('names our order and proves its fill but not its remainder', async () => {
    const order = await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '20');
    const massStatus = last();
    expect(massStatus.named).toEqual([
      {
        venueOrderId: idOf(order),
        marketId: GAME.conditionId,
        tokenId: YES,
        side: 'BUY',
        price: price('0.5'),
        shares: shares('20'),
        resting: false,
      },
    ]);
    const before = asked();
    const seen = await massStatus.reportOf(order);
    expect(seen).toMatchObject({ executions: [{ shares: shares('20') }], failed: [], rest: 'open' });
    expect(booked(order, seen)).toMatchObject({ state: 'filled' });
    expect(asked()).toBe(before);
  });

  test('reports that it failed', async () => {
    const order = await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    fixture.venue.settleAll('FAILED');
    expect(await last().reportOf(order)).toMatchObject({
      kind: 'accepted',
      executions: [],
      failed: [fixture.venue.trades[0]?.id],
      rest: 'open',
    });
  });

  test('proves that an unknown order arrived, whatever the case of its id', async () => {
    const order = unknownNow(await resting());
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    const upper = (body: Json) => JSON.parse(JSON.stringify(body).replaceAll(idOf(order), idOf(order).toUpperCase()));
    expect(last(upper).named).toMatchObject([{ venueOrderId: idOf(order) }]);
    expect(await last(upper).reportOf(order)).toMatchObject({
      kind: 'accepted',
      executions: [{ shares: shares('8') }],
    });
  });

  test('says nothing of another order', async () => {
    await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    expect(await last().reportOf(await fixture.order())).toMatchObject({ kind: 'unknown' });
  });

  test('with our part unreadable triggers a lookup', async () => {
    const order = await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    const garbled = (body: Json) =>
      JSON.parse(JSON.stringify(body), (name, value) => (name === 'matched_amount' ? 'eight' : value));
    expect(await last(garbled).reportOf(order)).toMatchObject({
      executions: [{ shares: shares('8') }],
      rest: 'open',
    });
    expect(asked()).toBe(2);
  });
});

describe('a message of an order', () => {
  test('names one that rests, and says nothing about its trades', async () => {
    const order = await resting();
    expect(last().named).toMatchObject([{ venueOrderId: idOf(order), shares: shares('20'), resting: true }]);
    expect(await last().reportOf(unknownNow(order))).toMatchObject({
      kind: 'accepted',
      executions: [],
      rest: 'open',
    });
    expect(asked()).toBe(0);
  });

  test('reports that it is delayed', async () => {
    fixture.venue.market().delaying = true;
    fixture.venue.offer(YES, 'SELL', '0.5', '30');
    const order = await resting();
    expect(await last().reportOf(order)).toMatchObject({ kind: 'accepted', executions: [], rest: 'delayed' });
  });

  test.each([
    ['a cancellation', {}],
    ['an update with the status of one', { type: 'UPDATE' }],
    ['an update that calls it invalid', { type: 'UPDATE', status: 'INVALID' }],
  ])('that it has ended triggers a lookup with its trades: %s', async (_name, change) => {
    fixture.venue.reads.remembersEnded = true;
    const order = await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    await fixture.exchange.cancel(order);
    const massStatus = last((body) => ({ ...body, ...change }));
    expect(massStatus.named).toMatchObject([{ resting: false }]);
    expect(booked(order, await massStatus.reportOf(order))).toMatchObject({
      state: 'cancelled',
      filled: { shares: shares('8') },
    });
  });

  test.each([
    ['FOK', 'fok_not_filled'],
    ['FAK', 'fak_no_match'],
  ] as const)('that a %s was killed matters only when its answer was lost', async (timeInForce, code) => {
    const order = await fixture.order({ timeInForce });
    expect(await fixture.sends(order)).toMatchObject({ kind: 'rejected', refusal: { code } });
    expect(await last().reportOf(order)).toMatchObject({ kind: 'unknown' });
    expect(await last().reportOf(unknownNow(order))).toMatchObject({ kind: 'rejected', refusal: { code } });
  });

  const KILL = "CANCELED_order couldn't be fully filled. FOK orders are fully filled or killed.";
  test.each([
    ['the venue was seen to', { size_matched: '', associate_trades: [], outcome: '', created_at: '' }, true],
    ['an update', { type: 'UPDATE' }, true],
    ['the same with a size', { size_matched: '0' }, true],
    ['a plain word with a size', { status: 'CANCELED', size_matched: '0' }, true],
    ['one that names no size, and no reason', { status: 'CANCELED', size_matched: '' }, false],
    ['one of an order that was matched', { size_matched: '5' }, false],
    ['one of an order that has a trade', { associate_trades: ['t1'] }, false],
    ['one whose size cannot be read', { size_matched: 'none' }, false],
  ])('that a FOK was killed ends it only when reported as %s', async (_name, change, isOver) => {
    const order = await fixture.order({ timeInForce: 'FOK' });
    await fixture.sends(order);
    const massStatus = last((body) => ({ ...body, status: KILL, ...change }));
    const seen = await massStatus.reportOf(unknownNow(order));
    expect(seen.kind === 'rejected').toBe(isOver);
    if (seen.kind === 'accepted') expect(seen).toMatchObject({ executions: [], rest: 'open' });
  });

  test('that it was killed changes nothing for a rejected order', async () => {
    const order = await fixture.order({ timeInForce: 'FOK' });
    await fixture.sends(order);
    const refusal = { code: 'insufficient_funds', message: 'No.' };
    const massStatus = last();
    const before = asked();
    expect(await massStatus.reportOf(step(order, { type: 'rejected', refusal, presumed: false }))).toMatchObject({
      kind: 'unknown',
    });
    expect(asked()).toBe(before);
  });

  test('that it was killed leaves an accepted order to its trades', async () => {
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    const order = await fixture.order({ timeInForce: 'FAK' });
    await fixture.sends(order);
    const message = { type: 'CANCELLATION', status: KILL, size_matched: '', associate_trades: [] };
    const taken = step(order, { type: 'accepted', venueOrderId: idOf(order), delayed: false });
    for (const one of [taken, step(taken, { type: 'cancel_requested' })]) {
      const massStatus = fixture.exchange.massStatusOf(
        read({ ...fixture.venue.snapshot(idOf(order)), event_type: 'order', order_owner: '', ...message }),
      );
      expect(await massStatus.reportOf(one)).toMatchObject({ kind: 'accepted', executions: [{ shares: shares('8') }] });
    }
  });

  test.each([
    ['in the words of a kill', { size_matched: '' }, 'rejected'],
    ['in plain words', { status: 'CANCELED' }, 'accepted'],
  ])('that it ended, of one that was held, ends it %s', async (_name, change, kind) => {
    const order = await fixture.order({ timeInForce: 'FOK' });
    await fixture.sends(order);
    const held = step(order, { type: 'accepted', venueOrderId: idOf(order), delayed: true });
    const massStatus = last((body) => ({ ...body, size_matched: '0', ...change }));
    expect(await massStatus.reportOf(held)).toMatchObject({ kind });
    const fill = fillOf(anExecution({ shares: shares('8') }), usdc('4'), NO_BASIS);
    expect(await massStatus.reportOf(step(held, { type: 'fill', fill }))).toMatchObject({ kind: 'accepted' });
  });

  test('that a GTC was cancelled with nothing filled is not a kill', async () => {
    const order = await fixture.order();
    await fixture.sends(order);
    await fixture.exchange.cancel(order);
    const massStatus = last((body) => ({ ...body, status: KILL, size_matched: '' }));
    expect(await massStatus.reportOf(unknownNow(order))).toMatchObject({ kind: 'accepted' });
  });

  test('that was cancelled ends nothing while its trades are not reported', async () => {
    const order = await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    await fixture.exchange.cancel(order);
    const restore = fixture.venue.always('GET /data/trades', answers(200, { data: [], next_cursor: 'LTE=' }));
    expect(await last().reportOf(order)).toMatchObject({ executions: [], rest: 'open' });
    restore();
    expect(await last().reportOf(order)).toMatchObject({ executions: [{ shares: shares('8') }], rest: 'cancelled' });
  });

  test('of another kind under our identity is ignored', async () => {
    const order = await resting();
    const seen: OrderStatusReport = await last((body) => ({ ...body, side: 'SELL' })).reportOf(order);
    expect(seen).toMatchObject({ kind: 'unknown' });
    expect(fixture.alarms).toEqual(['another order under our identity']);
  });

  test('says nothing of another one', async () => {
    await resting();
    expect(await last().reportOf(await fixture.order())).toMatchObject({ kind: 'unknown' });
  });
});
