import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Book, isCrossed, mirrored, seenFrom } from '../../../src/core/market/book.js';
import type { Level } from '../../../src/core/market/event.js';
import type { Shares } from '../../../src/core/money.js';
import { price, shares } from '../../support/builders.js';
import { levels } from '../../support/scripted-market.js';
import { at } from '../matching/view.js';

const level = (at: string, size: string): Level => ({ price: price(at), shares: shares(size) });

describe('A book', () => {
  it('returns both sides best first, in whatever order they came', () => {
    const book = new Book();
    book.replace(
      [level('0.47', '1'), level('0.49', '2'), level('0.48', '3')],
      [level('0.53', '4'), level('0.51', '5'), level('0.52', '6')],
    );
    expect(book.side('bids')).toEqual([level('0.49', '2'), level('0.48', '3'), level('0.47', '1')]);
    expect(book.side('asks')).toEqual([level('0.51', '5'), level('0.52', '6'), level('0.53', '4')]);
    expect([book.best('bids'), book.best('asks')]).toEqual([level('0.49', '2'), level('0.51', '5')]);
    expect([0, 1, 2, 3].map((index) => book.at('asks', index))).toEqual([...book.side('asks'), undefined]);
  });

  it('replaced, lists each level once with its last total, none empty', () => {
    const book = new Book();
    book.replace([level('0.4', '9')], [level('0.6', '9')]);
    book.replace([level('0.48', '1'), level('0.49', '0'), level('0.48', '7')], []);
    expect(book.side('bids')).toEqual([level('0.48', '7')]);
    expect(book.side('asks')).toEqual([]);
    expect(book.best('asks')).toBeUndefined();
  });

  it('is crossed only when its best bid reaches its best offer', () => {
    const crossed = (bids: string, asks: string) => isCrossed({ bids: levels(bids), asks: levels(asks) });
    expect([crossed('0.30x1 0.51x1', '0.60x1 0.50x1'), crossed('0.50x1', '0.50x1')]).toEqual([true, true]);
    expect([crossed('0.49x1', '0.50x1'), crossed('0.50x1', ''), crossed('', '')]).toEqual([false, false, false]);
    expect(crossed('0.51x0 0.49x1', '0.50x1')).toBe(false);
  });

  it('sets, replaces and removes one level and leaves the others alone', () => {
    const book = new Book();
    book.replace([level('0.47', '1'), level('0.49', '2')], []);
    book.set('bids', price('0.48'), shares('3'));
    expect(book.side('bids')).toEqual([level('0.49', '2'), level('0.48', '3'), level('0.47', '1')]);
    book.set('bids', price('0.48'), shares('4'));
    expect(book.level('bids', price('0.48'))).toEqual(level('0.48', '4'));
    book.set('bids', price('0.48'), shares('0'));
    book.set('bids', price('0.46'), shares('0'));
    expect(book.side('bids')).toEqual([level('0.49', '2'), level('0.47', '1')]);
    expect(book.level('bids', price('0.48'))).toBeUndefined();
    expect(book.level('asks', price('0.49'))).toBeUndefined();
  });

  it('makes a new level of every update, even one that changes nothing', () => {
    const book = new Book();
    book.set('asks', price('0.5'), shares('10'));
    const before = book.best('asks');
    book.set('asks', price('0.6'), shares('1'));
    expect(book.best('asks')).toBe(before);
    book.set('asks', price('0.5'), shares('10'));
    expect(book.best('asks')).toEqual(before);
    expect(book.best('asks')).not.toBe(before);
  });

  it('has the last total of each price, in order, after any updates', () => {
    const side = fc.constantFrom('bids' as const, 'asks' as const);
    const update = fc.record({ side, cents: fc.integer({ min: 1, max: 99 }), size: fc.nat(3) });
    const updates = fc.property(fc.array(update, { maxLength: 200 }), (received) => {
      const book = new Book();
      const last = { bids: new Map<bigint, bigint>(), asks: new Map<bigint, bigint>() };
      for (const { side, cents, size } of received) {
        const [price, total] = [BigInt(cents) * 10_000n, BigInt(size)];
        book.set(side, price as Level['price'], total as Shares);
        last[side].set(price, total);
      }
      for (const side of ['bids', 'asks'] as const) {
        const left = [...last[side]].filter(([, size]) => size > 0n).sort(([a], [b]) => (a < b ? -1 : 1));
        const expected = left.map(([price, shares]) => ({ price, shares }));
        expect(book.side(side)).toEqual(side === 'asks' ? expected : expected.reverse());
      }
    });
    fc.assert(updates);
  });
});

describe('Seen from the second outcome', () => {
  const view = {
    bids: [level('0.49', '2'), level('0.4', '1')],
    asks: [level('0.51', '5'), level('0.6', '6')],
    at: at(0),
    fresh: true,
  };

  it('bids at p are offers at 1 − p, best first', () => {
    const seen = seenFrom('NO', view);
    expect(seen.bids).toEqual([level('0.49', '5'), level('0.4', '6')]);
    expect(seen.asks).toEqual([level('0.51', '2'), level('0.6', '1')]);
    expect(seen).toMatchObject({ at: at(0), fresh: true });
  });

  it('the first outcome keeps the book, and mirroring twice restores it', () => {
    expect(seenFrom('YES', view)).toBe(view);
    expect(seenFrom('NO', seenFrom('NO', view))).toEqual(view);
    expect(mirrored(price('0.43'))).toBe(price('0.57'));
  });
});
