import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Wish } from '../../../support/fake-venue/plain-client.js';
import { aTradingDay, GAME, NOON } from '../../../support/fake-venue/trading-day.js';
import type { Json } from '../../../support/fake-venue/wire.js';

const [YES, NO] = GAME.tokens;
const SECOND = NOON / 1000;

let day: Awaited<ReturnType<typeof aTradingDay>>;
beforeEach(async () => {
  day = await aTradingDay();
});
afterEach(() => day.venue.close());

describe('an order is refused in the words of the venue', () => {
  test.each<[string, Wish, string]>([
    ['off the grid', { price: '0.505' }, 'breaks minimum tick size rule: 0.01'],
    ['above the grid', { takerAmount: 5_000_000n, makerAmount: 5_000_000n }, 'breaks minimum tick size rule: 0.01'],
    ['too small', { size: '4.99' }, 'Size (4.99) lower than the minimum: 5'],
    ['of a part of a lot', { size: '10.001', price: '0.1' }, 'maximum lot size'],
    ['for more than is there', { size: '201' }, 'not enough balance / allowance'],
    ['to sell what is not held', { side: 'SELL' }, 'not enough balance / allowance'],
    ['post-only and crossing', { price: '0.6', postOnly: true }, 'invalid post-only order: order crosses book'],
    ['at once for less than a dollar', { type: 'FAK', price: '0.6', size: '1' }, 'min size: $1'],
    [
      'at once in parts of a cent',
      { type: 'FOK', price: '0.6', makerAmount: 6_006_000n, takerAmount: 10_010_000n },
      'max accuracy',
    ],
    ['at once, too much', { type: 'FOK', price: '0.6', size: '40' }, "couldn't be fully filled"],
    ['at once, below the book', { type: 'FAK', price: '0.5' }, 'no orders found to match'],
    ['until too soon', { type: 'GTD', expiration: SECOND + 179 }, 'invalid expiration'],
    ['with an end, but not GTD', { type: 'GTC', expiration: SECOND + 900 }, 'invalid expiration'],
  ])('%s', async (_what, wish, reason) => {
    day.venue.offer(YES, 'SELL', '0.6', '20');
    const { hash, status, answer } = await day.client.order(wish);
    expect([status, answer.error]).toEqual([400, expect.stringContaining(reason)]);
    expect(day.venue.accepted(hash)).toBe(false);
    expect(day.venue.log.posts(hash)).toEqual({ accepted: 0, duplicate: 0, refused: 1 });
    expect(day.money()).toBe('100');
  });

  test('from a barred or unapproved wallet, or in a market accepting none', async () => {
    const refused = async () => (await day.client.order()).answer.error;
    Object.assign(day.account, { closedOnly: true });
    expect(await refused()).toContain('address in closed only mode');
    Object.assign(day.account, { banned: true });
    expect(await refused()).toContain('address banned');
    Object.assign(day.account, { closedOnly: false, banned: false });
    for (const spender of day.account.allowances.keys()) day.account.allowances.set(spender, 4_999_999n);
    expect(await refused()).toContain('the allowance is not enough');
    day.venue.market().accepting = false;
    expect(await refused()).toBe('the market is not yet ready to process new orders');
    day.venue.state.version = 3;
    expect(await refused()).toBe('order_version_mismatch');
    day.venue.state.geoblock.blocked = true;
    expect((await day.client.order()).status).toBe(403);
  });

  test('when other open orders already need the money', async () => {
    expect(await day.sends({ size: '150' })).toMatchObject({ status: 'live' });
    expect(await day.sends({ size: '51' })).toMatchObject({ error: expect.stringContaining('not enough balance') });
    expect(await day.sends({ size: '50' })).toMatchObject({ status: 'live' });
  });

  test('when it was killed before, as one that was seen', async () => {
    const order = await day.client.sign({ type: 'FOK' });
    await day.client.post(order);
    expect(await (await day.client.post(order)).json()).toEqual({
      error: `order ${order.hash} is invalid. Duplicated.`,
    });
    expect(day.venue.log.posts(order.hash)).toEqual({ accepted: 0, duplicate: 1, refused: 1 });
  });
});

describe('the end of an order', () => {
  test('by cancellation, of one, of several, of a market, of all', async () => {
    const hashes: string[] = [];
    for (let count = 0; count < 5; count += 1) hashes.push((await day.sends({ size: '6' })).hash);
    const [one = '', two = '', three = '', four = '', five = ''] = hashes;
    expect(await day.client.delete('/order', { orderID: one })).toEqual({ canceled: [one], not_canceled: {} });
    expect(await day.client.delete('/orders', [one, two, '0x1'])).toEqual({
      canceled: [two],
      not_canceled: { [one]: 'already canceled or matched', '0x1': 'Order not found or already canceled' },
    });
    day.venue.offer(YES, 'SELL', '0.5', '6');
    expect(await day.client.delete('/order', { orderID: three })).toMatchObject({
      not_canceled: { [three]: 'order already matched' },
    });
    expect(await day.client.delete('/cancel-market-orders', { asset_id: NO })).toEqual({
      canceled: [],
      not_canceled: {},
    });
    expect(await day.client.delete('/cancel-all')).toEqual({ canceled: [four, five], not_canceled: {} });
    expect(day.venue.log.cancels.map(({ reason }) => reason === null)).toEqual([
      true,
      false,
      true,
      false,
      false,
      true,
      true,
    ]);
  });

  test('takes it out of lookups by default', async () => {
    const { hash } = await day.sends({ size: '6' });
    await day.client.delete('/order', { orderID: hash });
    expect(await day.lookUp(hash)).toBeNull();
    day.venue.reads.missing = '404';
    expect(await day.lookUp(hash)).toEqual({ error: 'Order not found' });
    day.venue.reads.remembersEnded = true;
    expect(await day.lookUp(hash)).toMatchObject({ id: hash, status: 'CANCELED' });
    day.venue.reads.listsEndedById = true;
    expect(await day.client.get(`/data/orders?id=${hash}`)).toMatchObject({
      data: [{ id: hash }],
      next_cursor: 'LTE=',
    });
  });

  test('comes a minute before the second that it names', async () => {
    const { hash } = await day.sends({ type: 'GTD', expiration: SECOND + 180 });
    day.time.now += 119_000;
    expect(await day.lookUp(hash)).not.toBeNull();
    day.time.now += 1000;
    expect(await day.lookUp(hash)).toBeNull();
  });

  test.each([
    ['the game starts', () => day.venue.startGame(), 'INVALID'],
    ['the grid changes', () => day.venue.changeTick('0.1'), 'INVALID'],
    ['the market is resolved', () => day.venue.resolve(YES), 'CANCELED_MARKET_RESOLVED'],
    ['the heartbeat stops', () => day.venue.state.lapse(day.client.key), 'CANCELED'],
  ])('comes when %s', async (_what, strike, status) => {
    const { hash } = await day.sends({ price: '0.45' });
    strike();
    expect(day.venue.snapshot(hash)['status']).toBe(status);
    expect(await day.client.get('/data/orders')).toMatchObject({ data: [] });
  });
});

describe('in a live game a marketable order is delayed', () => {
  beforeEach(() => {
    day.venue.startGame();
    day.venue.offer(YES, 'SELL', '0.5', '10');
  });

  test('cannot be cancelled meanwhile, and is matched at the end', async () => {
    const { hash, ...answer } = await day.sends({ price: '0.5' });
    expect(answer).toMatchObject({
      success: true,
      orderID: hash,
      status: 'delayed',
      makingAmount: '0',
      takingAmount: '0',
    });
    expect(await day.client.delete('/order', { orderID: hash })).toMatchObject({ canceled: [] });
    day.venue.release(hash);
    expect(day.venue.snapshot(hash)).toMatchObject({ status: 'MATCHED', size_matched: '10' });
  });

  test('or rests, or is refused', async () => {
    const [first, second] = [await day.sends({ price: '0.5' }), await day.sends({ price: '0.5' })];
    day.venue.release(first.hash, 'reject');
    expect(day.venue.snapshot(first.hash)['status']).toBe('INVALID');
    day.venue.market().book.remove(day.venue.market().book.resting[0] as never);
    day.venue.release(second.hash);
    expect(await day.lookUp(second.hash)).toMatchObject({ status: 'LIVE', size_matched: '0' });
  });
});

describe('pages', () => {
  test('of orders and trades are filtered and end with the last cursor', async () => {
    day.venue.reads.pageSize = 2;
    for (const size of ['5', '6', '7']) {
      day.time.now += 1000;
      day.venue.offer(YES, 'SELL', '0.5', size);
      await day.client.order({ price: '0.5', size, type: 'FAK' });
    }
    const first = await day.client.get<Json>('/data/trades');
    expect(first).toMatchObject({ data: [{ size: '7' }, { size: '6' }], next_cursor: 'Mg==' });
    const last = { data: [{ size: '5' }], next_cursor: 'LTE=' };
    expect(await day.client.get('/data/trades?next_cursor=Mg==')).toMatchObject(last);
    expect(await day.client.get(`/data/trades?after=${SECOND + 2}`)).toMatchObject({ data: [{ size: '7' }] });
    expect(await day.client.get(`/data/trades?before=${SECOND + 2}`)).toMatchObject({ data: [{ size: '5' }] });
    expect(await day.client.get(`/data/trades?id=${day.venue.trades[0]?.id}`)).toMatchObject({ data: [{ size: '5' }] });
  });
});

test('the oracle reports a duplicate, a stray and a wrong fill size', async () => {
  day.venue.offer(YES, 'SELL', '0.5', '10');
  const [one, two, three] = [
    await day.sends({ size: '10' }),
    await day.sends({ size: '6' }),
    await day.sends({ size: '7' }),
  ];
  const right = [
    { id: 'a', hashes: [one.hash], filled: 10_000_000n },
    { id: 'b', hashes: [two.hash, '0xnever'], filled: 0n },
    { id: 'c', hashes: [three.hash], filled: 0n },
  ];
  expect(day.venue.breaches(right)).toEqual([]);
  expect(day.venue.breaches(right.slice(1))).toEqual([`${one.hash} belongs to 0 records`]);
  expect(day.venue.breaches([{ id: 'a', hashes: [one.hash, two.hash, three.hash], filled: 9n }])).toEqual([
    'a has 3 accepted hashes',
    'a has 9 filled, the venue 10000000',
  ]);
});
