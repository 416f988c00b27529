import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { kalshiFill, kalshiOrder } from '../../../src/adapters/kalshi/http/account-records.js';
import { readKalshiList } from '../../../src/adapters/kalshi/http/list.js';
import type { Delivery } from '../../../src/adapters/transport/send-once.js';
import { price, shares, usdc } from '../../support/builders.js';

interface Page {
  readonly rows: readonly unknown[];
  readonly cursor: string;
}

/** Reads the pages in turn, the last one again and again. */
async function read(...pages: readonly Page[]) {
  const asked: (string | undefined)[] = [];
  const list = await readKalshiList({
    member: 'rows',
    row: v.object({ id: v.string(), n: v.optional(v.string()) }),
    key: ({ id }) => id,
    fetch: async (cursor): Promise<Delivery> => {
      const page = pages[Math.min(asked.push(cursor), pages.length) - 1];
      const body = Buffer.from(JSON.stringify(page));
      return { kind: 'answered', status: 200, headers: { 'content-type': 'application/json' }, body };
    },
  });
  return { list, asked };
}

describe('a list of the account', () => {
  test('is read page by page to the empty cursor; a row that comes again is the later one', async () => {
    const first = { rows: [{ id: 'a', n: '1' }, { id: 'b' }], cursor: 'next' };
    const { list, asked } = await read(first, { rows: [{ id: 'a', n: '2' }, { id: 'c' }], cursor: '' });
    const items = [{ id: 'a', n: '2' }, { id: 'b' }, { id: 'c' }];
    expect(list).toEqual({ kind: 'ok', items, unreadable: 0, complete: true });
    expect(asked).toEqual([undefined, 'next']);
  });

  test('K26: ends where a cursor answers the first page again, and is not whole', async () => {
    const { list, asked } = await read({ rows: [{ id: 'a' }], cursor: 'garbage' });
    expect(list).toMatchObject({ items: [{ id: 'a' }], complete: false });
    expect(asked).toHaveLength(2);
  });

  test('is not whole with a row that cannot be read', async () => {
    const { list } = await read({ rows: [{ id: 'a' }, { id: null }], cursor: '' });
    expect(list).toMatchObject({ items: [{ id: 'a' }], unreadable: 1, complete: false });
  });
});

const ORDER = {
  order_id: 'v-1',
  client_order_id: 'ours',
  ticker: 'KXTEST-A',
  book_side: 'ask',
  yes_price_dollars: '0.4700',
  status: 'resting',
  initial_count_fp: '3.00',
  fill_count_fp: '0.01',
  remaining_count_fp: '2.99',
  taker_fees_dollars: '0.0002',
  maker_fees_dollars: '0.0000',
};
const FILL = {
  trade_id: 't-1',
  order_id: 'v-1',
  ticker: 'KXTEST-A',
  book_side: 'bid',
  yes_price_dollars: '0.4700',
  count_fp: '0.01',
  fee_cost: '0.000175',
  is_taker: false,
};

describe('a record of the account', () => {
  test('K8, K9: has its amounts to the last digit', () => {
    expect(v.parse(kalshiOrder, ORDER)).toMatchObject({
      filled: shares('0.01'),
      fees: usdc('0.0002'),
      yesPrice: price('0.47'),
    });
    expect(v.parse(kalshiFill, FILL)).toMatchObject({ shares: shares('0.01'), fee: usdc('0.000175') });
  });

  test.each([
    [
      'K10: the deprecated side in place of the present one',
      { ...FILL, book_side: undefined, side: 'yes', action: 'buy' },
    ],
    ['K8: no fee', { ...FILL, fee_cost: undefined }],
    ['K8: a fee in cents as a number', { ...FILL, fee_cost: 1 }],
    ['K9: a count finer than a hundredth', { ...FILL, count_fp: '0.001' }],
    ['no name of the trade', { ...FILL, trade_id: undefined }],
    ['a price of nothing', { ...FILL, yes_price_dollars: '0.0000' }],
  ])('is not read with %s', (_, fill) => {
    expect(v.safeParse(kalshiFill, fill).success).toBe(false);
  });

  test('of an order in a state that nobody has named is read as such', () => {
    expect(v.parse(kalshiOrder, { ...ORDER, status: 'of_tomorrow' })).toMatchObject({ status: 'unknown' });
  });
});
