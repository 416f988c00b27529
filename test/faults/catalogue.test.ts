import { describe, expect, it } from 'vitest';
import { type Entry, flaw, missing, PLACING, read, testsIn } from './catalogue.js';

/** Fills, cancellations and the life of a market: those of rows 50 to 82 that are proved elsewhere. */
const LIFE: readonly Entry[] = [
  {
    row: 53,
    title:
      'a gap of the stream is followed by a sweep at once, which looks ten minutes further back than the last whole one',
    provedBy:
      'test/server/background/live-work.test.ts › a stream gap triggers a sweep, and more gaps during it another',
  },
  {
    row: 54,
    title: 'a stream that falls silent without an end is noticed by its pings, and made again',
    provedBy:
      'test/adapters/polymarket/websocket/user-stream.test.ts › when the connection falls silent without an end',
  },
  {
    row: 54,
    title: 'a stream that answers pings and sends nothing for too long is reopened',
    provedBy:
      'test/adapters/polymarket/websocket/user-stream.test.ts › when it answers pings and sends nothing for too long',
  },
  {
    row: 63,
    title: 'what the venue rounds of the shares that dollars buy never costs more than those dollars',
    provedBy:
      'test/core/usecases/orders/spending-dollars.test.ts › never spends more than its dollars because the venue rounded the shares',
  },
  {
    row: 67,
    title: 'what is known of a market is read again after 30 seconds',
    provedBy:
      'test/adapters/polymarket/market-data/rest.test.ts › once for simultaneous callers, and again after 30 seconds',
  },
  {
    row: 67,
    title: 'a tick from the stream is not undone by older metadata',
    provedBy:
      'test/adapters/polymarket/market-data/market-watch.test.ts › does not undo a newer tick, but replaces an older one',
  },
  {
    row: 73,
    title: 'no paper order meets a book that may be out of date',
    provedBy: 'test/adapters/paper/book-exchange.test.ts › denies an order while the book may be stale',
  },
  {
    row: 73,
    title: 'the book of another token is refused',
    provedBy: 'test/adapters/polymarket/market-data/rest-book.test.ts › of another token is refused',
  },
  {
    row: 74,
    title: 'a book that no longer matches the venue is sent whole again',
    provedBy:
      'test/adapters/polymarket/market-data/idle-markets.test.ts › is delivered whole when its book differs, and subscribed to again',
  },
  {
    row: 74,
    title: 'a connection that was lost is a gap, and is followed by a whole book',
    provedBy:
      'test/adapters/polymarket/market-data/market-data.test.ts › has a gap and a new whole book after a lost connection',
  },
  {
    row: 77,
    title: 'what is only proposed pays nothing',
    provedBy:
      'test/core/market/resolution.test.ts › is not confirmed by proposals, or by missing or impossible payouts',
  },
  {
    row: 77,
    title: 'a disputed result pays nothing',
    provedBy: 'test/core/market/resolution.test.ts › is not confirmed while a source disputes it',
  },
  {
    row: 78,
    title: 'a result that is reported twice pays once',
    provedBy:
      'test/core/usecases/markets/background/settle-market.test.ts › pays once, however often the result is reported',
  },
  {
    row: 78,
    title: 'sources that contradict each other pay nothing',
    provedBy: 'test/core/market/resolution.test.ts › is not confirmed while two sources disagree, even if others agree',
  },
  {
    row: 78,
    title: 'another result, once confirmed, reverses the first by entries of its own, for seven days',
    provedBy:
      'test/core/usecases/markets/background/settle-results.test.ts › books an amended result within seven days, and no longer',
  },
  {
    row: 81,
    title: 'tokens in another order than the one that is known make a market unusable',
    provedBy:
      'test/adapters/polymarket/market-data/rest.test.ts › a market is refused when the CLOB orders its tokens differently',
  },
  {
    row: 81,
    title: 'no label changes which token is which',
    provedBy:
      'test/adapters/polymarket/market-data/listing.test.ts › no label, title or question changes which token is which',
  },
];

const [FIRST, LAST] = [15, 82];
const ROWS = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index);
const TITLE = /['"`]row (\d+): /g;

/** The rows that a test of this folder is named after. */
const tested = (): Set<number> =>
  new Set(testsIn('test/faults').flatMap((text) => [...text.matchAll(TITLE)].map(([, row]) => Number(row))));

describe('The catalogue of faults', () => {
  it('has a test, or says where the proof is, for every row', () => {
    expect(missing(ROWS, tested(), [...PLACING, ...LIFE])).toEqual([]);
  });

  it.each([...PLACING, ...LIFE])('is true for row $row: $title', (entry) => {
    expect(flaw(entry, tested())).toBeNull();
    expect(entry.row).toSatisfy((row: number) => row >= FIRST && row <= LAST);
  });

  it('is written down for people, each row once', () => {
    const lines = [...read('src/adapters/polymarket/reliability.md').matchAll(/^\| (\d+(?:, \d+)*) \|/gm)];
    const rows = lines.flatMap(([, numbers = '']) => numbers.split(', ').map(Number));
    expect(rows).toEqual(ROWS);
  });

  it('would report unproven rows, missing tests and wrongly excluded rows', () => {
    expect(missing(ROWS, new Set([15, 82]), [])).toHaveLength(LAST - FIRST - 1);
    const provedBy = 'test/faults/catalogue.test.ts › no such ';
    expect(flaw({ row: 15, title: 'none', provedBy: `${provedBy}${'test'}` }, new Set())).toMatch(/has no test/);
    expect(flaw({ row: 15, title: 'none', provedBy: 'test/none.test.ts › one' }, new Set())).toMatch(/there is no/);
    expect(flaw({ row: 15, title: 'none', notApplicable: 'so' }, new Set([15]))).toMatch(/does apply/);
  });
});
