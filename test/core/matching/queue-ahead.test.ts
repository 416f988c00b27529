import { describe, expect, it } from 'vitest';
import type { AccountId } from '../../../src/core/ids.js';
import { Book } from '../../../src/core/market/book.js';
import type { BookSide, LevelChange, MarketEvent } from '../../../src/core/market/event.js';
import { Matcher } from '../../../src/core/matching/matcher.js';
import { Queue } from '../../../src/core/matching/queue.js';
import { WorkingOrder } from '../../../src/core/matching/working-order.js';
import { formatMicro, type Shares } from '../../../src/core/money.js';
import { ALICE, BOB, price, shares } from '../../support/builders.js';
import { anOpenMarket, anOrder, at } from './view.js';

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
  it('move a resting order up once within half a second', () => {
    const { working, shows, trades } = behind('100');
    shows('60', 1_000);
    expect(trades('40', 1_499)).toEqual([]);
    expect(working.ahead).toBe(shares('60'));
  });

  it('are two events when half a second lies between them', () => {
    const { working, shows, trades } = behind('100');
    shows('60', 1_000);
    shows('60', 1_400);
    trades('40', 1_500);
    expect(working.ahead).toBe(shares('20'));
  });

  it('received in parts within half a second count once', () => {
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

  it('take from a later trade only what the first left over', () => {
    const { working, shows, trades } = behind('100');
    shows('60', 1_000);
    trades('25', 1_100);
    expect(working.ahead).toBe(shares('60'));
    trades('25', 1_200);
    expect(working.ahead).toBe(shares('50'));
  });

  it('hold nothing back from a trade at a worse price', () => {
    const { shows, trades } = behind('100');
    shows('60', 1_000);
    expect(trades('10', 1_100, price('0.49'))).toEqual([shares('10')]);
  });
});

describe('A trade', () => {
  it('taken in full by the shares ahead fills no order behind', () => {
    expect(behind('100').trades('100', 0)).toEqual([]);
  });

  it('fills an order with the shares left by those ahead', () => {
    expect(behind('100').trades('103', 0)).toEqual([shares('3')]);
  });
});

describe('Two orders of an account at one price', () => {
  const PRICE = price('0.5');
  const seen = (market: readonly MarketEvent[]) => {
    const matcher = new Matcher(anOpenMarket(), 0, at(0));
    const draft = (id: string, account: AccountId) =>
      anOrder({ id, account, side: 'BUY', price: PRICE, shares: shares('30') }, anOpenMarket(), at(0));
    const shows = (total: string, ms: number): MarketEvent => ({
      type: 'levels',
      changes: [{ side: 'bids', price: PRICE, shares: shares(total) }],
      at: at(ms),
    });
    matcher.apply({ type: 'book', bids: [{ price: PRICE, shares: shares('100') }], asks: [], at: at(0) });
    matcher.enter(draft('a', ALICE));
    matcher.advance(at(1));
    matcher.apply(shows('150', 2));
    matcher.enter(draft('b', ALICE));
    matcher.enter(draft('other', BOB));
    matcher.advance(at(3));
    for (const event of market) matcher.apply(event);
    const won = { a: 0n, b: 0n, other: 0n };
    for (const { order, reports } of matcher.drain())
      for (const report of reports)
        if (report.type === 'fill') won[order.id as unknown as 'a' | 'b' | 'other'] += report.execution.shares;
    return {
      a: formatMicro(won.a as Shares),
      b: formatMicro(won.b as Shares),
      other: formatMicro(won.other as Shares),
    };
  };
  const level = (side: BookSide, total: string): LevelChange => ({ side, price: PRICE, shares: shares(total) });
  const traded = (total: string, ms: number): MarketEvent => ({
    type: 'trade',
    taker: 'SELL',
    price: PRICE,
    shares: shares(total),
    at: at(ms),
  });
  const levels = (ms: number, ...changes: LevelChange[]): MarketEvent => ({ type: 'levels', changes, at: at(ms) });
  /** 170 are sold: 150 match, and the 20 that are left are offered. */
  const sold = [level('bids', '0'), level('asks', '20')];

  it.each([
    ['the trade comes first', [traded('150', 10), levels(11, ...sold)]],
    ['the level comes first', [levels(10, ...sold), traded('150', 11)]],
  ])('share what a sale of 170 leaves, by queue position, when %s', (_, events) => {
    expect(seen(events)).toEqual({ a: '30', b: '0', other: '20' });
  });

  it('receive the rest after the shares displaced by the first are served', () => {
    const rest = [traded('150', 10), levels(11, ...sold), levels(1000, level('asks', '35'))];
    expect(seen(rest)).toMatchObject({ a: '30', b: '5' });
    const later = [...rest.slice(0, 2), levels(1000, level('asks', '0'), level('bids', '40')), traded('20', 2000)];
    expect(seen(later)).toMatchObject({ a: '30', b: '10' });
  });
});
