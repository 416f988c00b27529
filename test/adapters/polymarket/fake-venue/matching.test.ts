import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aTradingDay, GAME } from '../../../support/fake-venue/trading-day.js';
import { decimal } from '../../../support/fake-venue/wire.js';

const [YES, NO] = GAME.tokens;

let day: Awaited<ReturnType<typeof aTradingDay>>;
beforeEach(async () => {
  day = await aTradingDay();
});
afterEach(() => day.venue.close());

describe('matching', () => {
  test('takes the best price then the oldest, one trade per price', async () => {
    const late = day.venue.offer(YES, 'SELL', '0.5', '10');
    const best = day.venue.offer(YES, 'SELL', '0.4', '5');
    const later = day.venue.offer(YES, 'SELL', '0.5', '10');
    const { hash, ...answer } = await day.sends({ price: '0.5', size: '20' });
    expect(answer).toMatchObject({ status: 'matched', makingAmount: '9.5', takingAmount: '20' });
    const [second, first] = await day.trades();
    expect(first).toMatchObject({ price: '0.4', size: '5', bucket_index: 0, maker_orders: [{ order_id: best.hash }] });
    expect(second).toMatchObject({ price: '0.5', size: '15', bucket_index: 1, taker_order_id: hash });
    expect(second).toMatchObject({
      maker_orders: [{ order_id: late.hash }, { order_id: later.hash, matched_amount: '5' }],
    });
    expect(day.held(YES)).toBe('20');
  });

  test.each([
    ['maker', ['0.4', '0.5', '0.5']],
    ['match', ['0.475']],
  ] as const)('makes one trade a %s when configured', async (tradePer, prices) => {
    day.venue.habits.tradePer = tradePer;
    for (const [price, size] of [
      ['0.5', '10'],
      ['0.4', '5'],
      ['0.5', '10'],
    ] as const)
      day.venue.offer(YES, 'SELL', price, size);
    await day.client.order({ price: '0.5', size: '20' });
    expect((await day.trades()).reverse().map(({ price }) => price)).toEqual(prices);
  });

  test('meets the other outcome’s buyer at one dollar minus its price', async () => {
    const other = day.venue.offer(NO, 'BUY', '0.55', '8');
    expect(await day.client.get('/book?token_id='.concat(YES))).toMatchObject({ asks: [{ price: '0.45', size: '8' }] });
    expect(await day.sends({ price: '0.45', size: '10' })).toMatchObject({ makingAmount: '3.6', takingAmount: '8' });
    const maker = { order_id: other.hash, asset_id: NO, price: '0.55', side: 'BUY', matched_amount: '8' };
    expect(await day.trades()).toMatchObject([{ asset_id: YES, price: '0.45', maker_orders: [maker] }]);
  });

  test('fills a resting order as maker, its trade showing the taker first', async () => {
    const { hash } = await day.sends({ price: '0.5', size: '10' });
    day.venue.offer(YES, 'SELL', '0.4', '4');
    expect(await day.lookUp(hash)).toMatchObject({ status: 'LIVE', size_matched: '4' });
    expect(await day.trades()).toMatchObject([
      { trader_side: 'MAKER', side: 'SELL', price: '0.5', size: '4', maker_orders: [{ order_id: hash, price: '0.5' }] },
    ]);
    expect([day.money(), day.held(YES), day.venue.filled(hash)]).toEqual(['98', '4', 4_000_000n]);
  });

  test.each([
    ['shares', '10', '4'],
    ['dollars', '12.5', '5'],
  ] as const)('at a better price a FOK buy uses up its %s', async (buySpends, shares, dollars) => {
    day.venue.habits.buySpends = buySpends;
    day.venue.offer(YES, 'SELL', '0.4', '20');
    const answer = await day.sends({ type: 'FOK', price: '0.5', size: '10' });
    expect(answer).toMatchObject({ status: 'matched', makingAmount: dollars, takingAmount: shares });
    expect(day.held(YES)).toBe(shares);
  });

  test('charges the taker’s fee on top of a buy, the maker none', async () => {
    day.venue.offer(YES, 'SELL', '0.5', '20');
    await day.client.order({ price: '0.5', size: '20' });
    expect(day.money()).toBe(decimal(100_000_000n - 10_000_000n - 250_000n));
  });
});

describe('a trade', () => {
  beforeEach(async () => {
    day.venue.offer(YES, 'SELL', '0.4', '10');
  });

  test('stays matched until the test advances it, and failure undoes it', async () => {
    const { hash } = await day.sends({ price: '0.4', size: '10' });
    const [trade] = day.venue.trades;
    expect([day.held(YES), day.venue.filled(hash)]).toEqual(['10', 10_000_000n]);
    for (const status of ['RETRYING', 'MINED', 'CONFIRMED'] as const) {
      day.venue.settle(trade?.id ?? '', status);
      expect(await day.trades()).toMatchObject([{ status }]);
    }
    day.venue.settleAll('FAILED');
    expect([day.held(YES), day.money(), day.venue.filled(hash)]).toEqual(['0', '100', 0n]);
  });

  test('moves balances only when mined, if so configured', async () => {
    Object.assign(day.venue.habits, { movesWhen: 'mined', hashesAtMatch: false });
    const { transactionsHashes } = await day.sends({ price: '0.4', size: '6' });
    expect([transactionsHashes, day.held(YES), (await day.trades())[0]?.['transaction_hash']]).toEqual([
      undefined,
      '0',
      '',
    ]);
    expect(await day.sends({ side: 'SELL', price: '0.3', size: '6' })).toMatchObject({
      error: expect.stringContaining('not enough balance'),
    });
    day.venue.settleAll('MINED');
    expect([day.held(YES), (await day.trades())[0]?.['transaction_hash']]).toEqual([
      '6',
      expect.stringMatching(/^0x[0-9a-f]{64}$/),
    ]);
    day.venue.habits.settlesAtOnce = ['MINED', 'CONFIRMED'];
    await day.client.order({ price: '0.4', size: '4', type: 'FAK' });
    expect(await day.trades()).toMatchObject([{ status: 'CONFIRMED' }, { status: 'MINED' }]);
  });

  test('may arrive after cancellation and exceed what was left', async () => {
    const { hash } = await day.sends({ price: '0.3', size: '10' });
    await day.client.delete('/order', { orderID: hash });
    const late = day.venue.fillLate(hash, '10.005');
    expect(day.venue.snapshot(hash)).toMatchObject({ status: 'CANCELED', size_matched: '10.005' });
    expect(await day.trades()).toMatchObject([{ id: late.id, trader_side: 'MAKER', status: 'MATCHED' }]);
    expect([day.held(YES), day.venue.filled(hash)]).toEqual(['10.005', 10_005_000n]);
  });
});
