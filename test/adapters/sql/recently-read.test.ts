import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { byKey, RecentlyRead } from '../../../src/adapters/sql/recently-read.js';
import { ALICE, BOB } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';
import { Trading } from '../../support/trading.js';
import { openFresh } from './rows-read.js';

const decoding = () => {
  const decoded: string[] = [];
  const rows = new RecentlyRead((texts) => {
    decoded.push(...texts);
    return texts.map((text) => ({ text }));
  });
  return { decoded, read: (...lines: string[]) => rows.records(byKey(lines.join('\n'))) };
};

describe('Rows that were read before', () => {
  it('are decoded again only where they read differently', () => {
    const { decoded, read } = decoding();
    const [one] = read('["a",1]', '["b",1]');
    const [same, other] = read('["a",1]', '["b",2]').toSorted((a, b) => (a.text < b.text ? -1 : 1));
    expect([same, other]).toEqual([one, { text: '["b",2]' }]);
    expect(same).toBe(one);
    expect(decoded).toEqual(['["a",1]', '["b",1]', '["b",2]']);
  });

  it('are told apart by the whole key, and joined by it', () => {
    const { read } = decoding();
    expect(read('["a\\"b",1]', '["a\\"c",1]', '["a\\"b",2]')).toEqual([
      { text: '["a\\"b",1],["a\\"b",2]' },
      { text: '["a\\"c",1]' },
    ]);
    expect(read()).toEqual([]);
  });

  it('are remembered up to a bound', () => {
    const { decoded, read } = decoding();
    for (let at = 0; at < 2100; at++) read(`["${at}"]`);
    read('["0"]', '["2099"]');
    expect(decoded.slice(2100)).toEqual(['["0"]']);
  });
});

describe.each(EACH_DATABASE)('a page of orders on %s', (_, fresh) => {
  it('shows what an operator changed by hand', async () => {
    const { url, remove } = await fresh();
    const [ledger, operator] = [await openSqlLedger(url), await openDatabase(url)];
    try {
      const order = await new Trading(ledger).place();
      const page = () => ledger.listOrders(ALICE, {}, { limit: 5 });
      expect(await page()).toEqual([order]);
      const [known] = await page();
      const [again] = await page();
      expect(again).toBe(known);
      await operator.writer('orders').where({ id: order.id }).update({ question: 'Asked anew?' });
      expect(await page()).toEqual([{ ...order, intent: { ...order.intent, question: 'Asked anew?' } }]);
      await operator.writer('fills').where({ order_id: order.id }).update({ model: 'changed' });
      const [changed] = await page();
      expect(changed?.fills.map(({ model }) => model)).toEqual(order.fills.map(() => 'changed'));
      expect(await ledger.listOrders(BOB, {}, { limit: 5 })).toEqual([]);
    } finally {
      await Promise.all([ledger.close(), operator.close()]);
      await remove();
    }
  });
});

describe('a page of orders from a file', () => {
  it('is the same one until anybody commits', async () => {
    const { store, ledger, close } = await openFresh(EACH_DATABASE[0][1]);
    try {
      const trading = new Trading(ledger);
      await trading.place();
      const page = () => ledger.listOrders(ALICE, {}, { limit: 5 });
      // One connection of two reads twice.
      const same = new Set([await page(), await page(), await page()]);
      expect(same.size).toBeLessThan(3);
      await trading.place();
      expect(await page()).toHaveLength(2);
      await store.writer('orders').update({ question: 'Asked anew?' });
      expect((await page()).map(({ intent }) => intent.question)).toEqual(['Asked anew?', 'Asked anew?']);
    } finally {
      await close();
    }
  });
});
