import { describe, expect, it } from 'vitest';
import { Book } from '../../../src/core/market/book.js';
import { Queue } from '../../../src/core/matching/queue.js';
import { WorkingOrder } from '../../../src/core/matching/working-order.js';
import { price, shares } from '../../support/builders.js';
import { anOpenMarket, anOrder, at } from './scene.js';

const LIMIT = price('0.5');

/** A bid for 10 at 0.50 that came to rest behind `shown` shares of others. */
function behind(shown: string) {
  const book = new Book();
  book.set('bids', LIMIT, shares(shown));
  const queue = new Queue();
  const ask = { id: 'a', side: 'BUY', price: LIMIT, shares: shares('10') } as const;
  const working = new WorkingOrder(anOrder(ask, anOpenMarket(), at(0)));
  queue.join(working, book);
  return {
    working,
    /** The venue reports this total of the level. */
    shows(total: string, when: number) {
      book.set('bids', LIMIT, shares(total));
      queue.recount(book, when);
    },
    /** What of a trade the bid wins, in shares; the trade is a sale at this price. */
    trades(size: string, when: number, at = LIMIT) {
      const reached = queue.reached({ taker: 'SELL', price: at, shares: shares(size), at: when }, () => true);
      return reached.map((share) => share.shares);
    },
  };
}

describe('A level that shrank, and the trade that did it', () => {
  it('move a resting order up once, when the trade is received within half a second', () => {
    const { working, shows, trades } = behind('100');
    shows('60', 1_000);
    expect(trades('40', 1_499)).toEqual([]);
    expect(working.ahead).toBe(shares('60'));
  });

  it('are two events when half a second lies between them, even if others were received meanwhile', () => {
    const { working, shows, trades } = behind('100');
    shows('60', 1_000);
    shows('60', 1_400);
    trades('40', 1_500);
    expect(working.ahead).toBe(shares('20'));
  });

  it('received in parts are one match: all that went within half a second counts once', () => {
    const { working, shows, trades } = behind('100');
    shows('80', 1_000);
    shows('60', 1_300);
    trades('40', 1_400);
    expect(working.ahead).toBe(shares('60'));
  });

  it('leave out what had gone half a second before', () => {
    const { working, shows, trades } = behind('100');
    shows('80', 1_000);
    shows('60', 1_500);
    trades('40', 1_600);
    expect(working.ahead).toBe(shares('40'));
  });

  it('take no more from a later trade than what the first left of the shrink', () => {
    const { working, shows, trades } = behind('100');
    shows('60', 1_000);
    trades('25', 1_100);
    expect(working.ahead).toBe(shares('60'));
    trades('25', 1_200);
    expect(working.ahead).toBe(shares('50'));
  });

  it('hold nothing back from a trade at a worse price, which went past all shares ahead', () => {
    const { shows, trades } = behind('100');
    shows('60', 1_000);
    expect(trades('10', 1_100, price('0.49'))).toEqual([shares('10')]);
  });
});

describe('A trade', () => {
  it('that the shares ahead took in full does not fill the order behind', () => {
    expect(behind('100').trades('100', 0)).toEqual([]);
  });

  it('fills what is left of it once those ahead were served', () => {
    expect(behind('100').trades('103', 0)).toEqual([shares('3')]);
  });
});
