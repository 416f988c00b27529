import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Order } from '../../../../src/core/order/order.js';
import type { MassStatus } from '../../../../src/ports/venue-adapter.js';
import { price, shares, usdc } from '../../../support/builders.js';
import { answers, edits, loops } from '../../../support/fake-venue/faults.js';
import { PlainClient } from '../../../support/fake-venue/plain-client.js';
import type { Json } from '../../../support/fake-venue/wire.js';
import { aFixture, booked, GAME, step, YES } from './exchange-fixture.js';

let fixture: Awaited<ReturnType<typeof aFixture>>;
beforeEach(async () => {
  fixture = await aFixture();
});
afterEach(() => fixture.close());

const idOf = ({ venueOrderId }: Order): string => venueOrderId ?? '';
const began = () => new Date(fixture.time.now - 1000);
const lookUps = (): number => fixture.venue.log.requests.filter(({ path }) => path.startsWith('/data/order/')).length;

async function look(since = began()): Promise<MassStatus> {
  const massStatus = await fixture.exchange.massStatus(since);
  if (massStatus.kind !== 'mass_status') throw new Error(massStatus.reason);
  return massStatus;
}

/** Puts an order on the book, which rests there. */
async function resting(draft: Parameters<typeof fixture.order>[0] = {}): Promise<Order> {
  const order = await fixture.order(draft);
  await fixture.sends(order);
  return order;
}

describe('a mass status of the account', () => {
  test('names resting orders as the venue shows them, including foreign ones', async () => {
    const order = await resting({ price: price('0.4'), size: usdc('8') });
    const { hash } = await new PlainClient(fixture.venue).order({ price: '0.3', size: '12.5' });
    const shown = { marketId: GAME.conditionId, tokenId: YES, side: 'BUY', resting: true };
    expect((await look()).named).toEqual([
      { ...shown, venueOrderId: idOf(order), price: price('0.4'), shares: shares('20') },
      { ...shown, venueOrderId: hash, price: price('0.3'), shares: shares('12.5') },
    ]);
  });

  test('names an order found only in trades, with its traded shares', async () => {
    fixture.venue.offer(YES, 'SELL', '0.4', '5');
    fixture.venue.offer(YES, 'SELL', '0.45', '5');
    const taken = await new PlainClient(fixture.venue).order({ type: 'FAK', size: '10' });
    const rested = await new PlainClient(fixture.venue).order({ price: '0.3', size: '10' });
    fixture.venue.offer(YES, 'SELL', '0.3', '10');
    const shown = { marketId: GAME.conditionId, tokenId: YES, side: 'BUY', resting: false };
    expect((await look()).named).toEqual([
      { ...shown, venueOrderId: rested.hash, price: price('0.3'), shares: shares('10') },
      { ...shown, venueOrderId: taken.hash, price: expect.anything(), shares: shares('10') },
    ]);
  });

  test('names a partly filled resting order once, whatever its id’s case', async () => {
    const order = await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    const upper = (page: Json) => JSON.parse(JSON.stringify(page).replaceAll(idOf(order), idOf(order).toUpperCase()));
    fixture.venue.script('GET /data/trades', edits(upper));
    fixture.venue.script('GET /data/orders', edits(upper));
    expect((await look()).named).toMatchObject([{ venueOrderId: idOf(order), shares: shares('20'), resting: true }]);
  });

  test('recognises an order of another API key by the paying wallet', async () => {
    const { hash } = await new PlainClient(fixture.venue).order({ price: '0.3', size: '10' });
    fixture.venue.offer(YES, 'SELL', '0.3', '10');
    const foreign = (page: Json) =>
      JSON.parse(JSON.stringify(page).replaceAll(fixture.credentials.apiKey, 'another-key'));
    fixture.venue.script('GET /data/trades', edits(foreign));
    expect((await look()).named).toMatchObject([{ venueOrderId: hash }]);
  });

  test('names every order of a trade of unstated ownership', async () => {
    await resting({ timeInForce: 'GTC' });
    fixture.venue.offer(YES, 'SELL', '0.5', '20');
    const unnamed = (page: Json) =>
      JSON.parse(JSON.stringify(page), (name, value) =>
        ['owner', 'trader_side', 'maker_address', 'side'].includes(name) ? undefined : value,
      );
    fixture.venue.script('GET /data/trades', edits(unnamed));
    expect((await look()).named).toMatchObject([{ side: null }, { side: null }]);
  });

  test('reports no impossible share counts', async () => {
    await resting();
    const absurd = edits((page: { data: Json[] }) => ({
      ...page,
      data: page.data.map((row) => ({ ...row, original_size: '99999999999999999999' })),
    }));
    fixture.venue.script('GET /data/orders', absurd);
    expect((await look()).named).toMatchObject([{ shares: null, price: price('0.5') }]);
  });

  test('with an unreadable trade raises an alarm, holding back only its orders', async () => {
    const [hit, other] = [await resting(), await resting({ price: price('0.4') })];
    fixture.venue.offer(YES, 'SELL', '0.5', '20');
    const odd = edits((page: { data: Json[] }) => ({
      ...page,
      data: page.data.map((row) => ({ ...row, price: '0.4833333333333333' })),
    }));
    fixture.venue.always('GET /data/trades', odd);
    const massStatus = await look();
    expect(fixture.alarms).toContain('its record cannot be read');
    expect(await massStatus.reportOf(other)).toMatchObject({ rest: 'open' });
    expect(await massStatus.reportOf(hit)).not.toMatchObject({ rest: 'none' });
  });

  test.each([
    ['the open orders cannot be read', 'GET /data/orders', answers(400, { error: 'no' })],
    ['the trades cannot be read', 'GET /data/trades', answers(400, { error: 'no' })],
    ['the list of orders never ends', 'GET /data/orders', loops()],
  ])('is none in which %s', async (_name, endpoint, fault) => {
    fixture.venue.script(endpoint, fault);
    expect(await fixture.exchange.massStatus(began())).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/all/),
    });
  });

  test('asks for trades by the venue’s clock', async () => {
    fixture.time.skewMs = 3_600_000;
    await fixture.measure();
    fixture.venue.offer(YES, 'SELL', '0.5', '20');
    await new PlainClient(fixture.venue).order({ type: 'FOK', size: '20' });
    expect((await look(new Date(fixture.time.now + fixture.time.skewMs))).named).toHaveLength(1);
  });
});

describe('of one of our orders a mass status reports', () => {
  test('that it rests, with its fills, without another request', async () => {
    const order = await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    const found = booked(order, await (await look()).reportOf(order));
    expect(found).toMatchObject({ state: 'open', filled: { shares: shares('8') } });
    expect(lookUps()).toBe(0);
  });

  test('that it is filled, without another request', async () => {
    const order = await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '20');
    expect(booked(order, await (await look()).reportOf(order))).toMatchObject({ state: 'filled' });
    expect(lookUps()).toBe(0);
  });

  test('which of its trades failed', async () => {
    const order = await resting();
    for (const size of ['5', '8']) fixture.venue.offer(YES, 'SELL', '0.5', size);
    const [first] = fixture.venue.trades;
    if (first === undefined) throw new Error('it was traded');
    fixture.venue.settle(first, 'FAILED');
    expect(await (await look()).reportOf(order)).toMatchObject({
      executions: [{ shares: shares('8') }],
      failed: [first.id],
      rest: 'open',
    });
  });

  test('more after a lookup, when trades are older than the mass status', async () => {
    const order = await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    fixture.time.now += 3_600_000;
    const found = booked(order, await (await look()).reportOf(order));
    expect(found).toMatchObject({ state: 'open', filled: { shares: shares('8') } });
    expect(lookUps()).toBe(1);
  });

  test('more after a lookup, when a part lacks its trade', async () => {
    const order = await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    fixture.venue.script('GET /data/trades', answers(200, { data: [], next_cursor: 'LTE=' }));
    expect(await (await look()).reportOf(order)).toMatchObject({ executions: [{ shares: shares('8') }] });
    expect(lookUps()).toBe(1);
  });

  test('more after a lookup, when a failed trade may stand for another', async () => {
    const order = await resting();
    fixture.venue.offer(YES, 'SELL', '0.5', '5');
    fixture.time.now += 3_600_000;
    fixture.venue.offer(YES, 'SELL', '0.5', '5');
    const [, second] = fixture.venue.trades;
    if (second === undefined) throw new Error('it was traded');
    fixture.venue.settle(second, 'FAILED');
    const lessened = (page: { data: Json[] }) => ({
      ...page,
      data: page.data.map((row) => ({ ...row, size_matched: '5' })),
    });
    fixture.venue.script('GET /data/orders', edits(lessened));
    expect(await (await look()).reportOf(order)).toMatchObject({ executions: { length: 1 }, failed: [second.id] });
    expect(lookUps()).toBe(1);
  });

  test('all, though it is older, when nothing was traded of it', async () => {
    const order = await resting();
    fixture.time.now += 3_600_000;
    expect(await (await look()).reportOf(order)).toMatchObject({ executions: [], rest: 'open' });
    expect(lookUps()).toBe(0);
  });

  test('more after a lookup, when partly filled and not resting', async () => {
    fixture.venue.offer(YES, 'SELL', '0.5', '8');
    const order = await resting({ timeInForce: 'FAK' });
    expect(await (await look()).reportOf(order)).toMatchObject({
      executions: [{ shares: shares('8') }],
      rest: 'open',
    });
    expect(lookUps()).toBe(1);
  });

  test('nothing of an unnamed one, which never counts as absent', async () => {
    const order = step(await fixture.order({ timeInForce: 'FOK' }), {
      type: 'unknown',
      refusal: { code: 'x', message: 'x' },
    });
    fixture.time.now += 600_000;
    for (let i = 0; i < 4; i++) expect(await (await look()).reportOf(order)).toMatchObject({ kind: 'unknown' });
  });

  test('nothing of another order under its identity', async () => {
    const order = await resting();
    const forge = edits((page: { data: Json[] }) => ({
      ...page,
      data: page.data.map((row) => ({ ...row, side: 'SELL' })),
    }));
    fixture.venue.script('GET /data/orders', forge);
    const massStatus = await look();
    fixture.venue.script(
      'GET /data/order/',
      edits((row: Json) => ({ ...row, side: 'SELL' })),
    );
    expect(await massStatus.reportOf(order)).toMatchObject({ kind: 'unknown' });
    expect(fixture.alarms).toEqual(['another order under our identity']);
  });
});

test('a mass status that shows an order restarts its lookups', async () => {
  const order = step(await fixture.order({ timeInForce: 'GTC' }), {
    type: 'unknown',
    refusal: { code: 'x', message: 'x' },
  });
  fixture.time.now += 16_000;
  await fixture.looks(order, 4, 60_000);
  fixture.time.now -= 256_000;
  await fixture.sends(order);
  await (await look()).reportOf(order);
  fixture.time.now += 256_000;
  fixture.venue.always('GET /data/order/', answers(200, null));
  expect(await fixture.looks(order, 4, 60_000)).toMatchObject({ kind: 'unknown' });
  expect(fixture.venue.log.cancels).toEqual([]);
});
