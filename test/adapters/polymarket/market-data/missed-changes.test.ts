import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BookSnapshot } from '../../../../src/adapters/polymarket/market-data/delivered-book.js';
import { Book } from '../../../../src/core/market/book.js';
import { formatMicro } from '../../../../src/core/money.js';
import { price, shares } from '../../../support/builders.js';
import { eventually } from '../../../support/eventually.js';
import { runs } from '../../../support/runs.js';
import { feedFixture, readBook } from './feed-fixture.js';
import { bestOf, bookOf, changeOf, type Rows } from './stream-messages.js';

const BEGIN = bookOf('game-first', [['0.30', '10']], [['0.40', '900']]);
const BOOK_LINE = 'book 0.3x10 / 0.4x900';
const READ = readBook('0.31x10', '0.60x1000');
const MISSED = 'gap: a change was missed: the best prices differ from those of the book';
const HEALED = [MISSED, 'book 0.31x10 / 0.6x1000'];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const offers = (rows: Rows, best: object = {}) => changeOf('game-first', 'SELL', rows, '2000', best);

async function begun(read: () => Promise<BookSnapshot> = async () => READ) {
  const fixture = feedFixture(read);
  fixture.tell(BEGIN);
  expect(await fixture.lines()).toEqual([BOOK_LINE]);
  /** The events after the first book, without changes of levels. */
  const later = async () => {
    for (let turn = 0; turn < 5; turn++) await fixture.lines();
    return (await fixture.lines()).slice(1).filter((line) => !line.startsWith('levels'));
  };
  return { ...fixture, later };
}

describe('a change that never came', () => {
  test('is noticed after a second of contradicting prices, and the book reread', async () => {
    const { tell, later, reports } = await begun();
    for (let count = 1; count <= 9; count++) {
      tell(changeOf('game-first', 'BUY', [['0.31', `${count}`]], '2000', { best_bid: '0.31', best_ask: '0.60' }));
      vi.advanceTimersByTime(111);
    }
    expect(await later()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await later()).toEqual(HEALED);
    expect(reports).toEqual(['a change was missed: the best prices differ from those of the book']);
  });

  test.each([
    ['a better level, reported once', [bestOf('game-first', '0.30', '0.35')]],
    ['the last of a side', [bestOf('game-first', '0.30', '1')]],
    ['a level, reported for the second outcome', [bestOf('game-second', '0.45', '0.70')]],
    ['a level of the other side', [bestOf('game-first', '0.2', '0.4')]],
    [
      'a level, reported with a change of the second outcome',
      [
        {
          ...changeOf('game-second', 'SELL', [['0.8', '1']]),
          price_changes: [
            { asset_id: 'game-second', price: '0.8', size: '1', side: 'SELL', best_bid: '0.4', best_ask: '0.7' },
          ],
        },
      ],
    ],
    ['what would uncross the book', [changeOf('game-first', 'BUY', [['0.41', '5']])]],
  ])('is noticed when it is %s', async (_what, messages) => {
    const { tell, later } = await begun();
    for (const message of messages) tell(message);
    vi.advanceTimersByTime(999);
    expect(await later()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await later()).toEqual(HEALED);
  });

  test('that emptied both sides is an empty book, and then a gap', async () => {
    const { tell, later } = await begun();
    tell(bestOf('game-first', '0', '1'));
    vi.advanceTimersByTime(1000);
    expect(await later()).toEqual(['book  / ', ...HEALED]);
  });

  test('is requested again while the book that is read lacks it', async () => {
    const answers = [readBook('0.30x10', '0.40x900', 1500), readBook('0.31x10', '0.60x1000', 2500)];
    const { tell, later, asked } = await begun(async () => answers.shift() as BookSnapshot);
    tell(bestOf('game-first', '0.31', '0.60'));
    vi.advanceTimersByTime(1000);
    await eventually(async () => expect(await later()).toEqual(HEALED));
    expect(asked()).toBe(2);
  });
});

describe('no change counts as missed', () => {
  test.each([
    [
      'that comes within a second after the best price that it makes',
      [
        bestOf('game-first', '0.30', '0.60'),
        offers(
          [
            ['0.40', '0'],
            ['0.60', '5'],
          ],
          { best_bid: '0.30', best_ask: '0.60' },
        ),
      ],
    ],
    [
      'of a batch whose parts each report the best prices after all of it',
      [
        offers(
          [
            ['0.35', '5'],
            ['0.40', '0'],
            ['0.34', '2'],
          ],
          { best_bid: '0.30', best_ask: '0.34' },
        ),
      ],
    ],
    [
      'whose two outcomes are reported at once',
      [
        {
          ...changeOf('game-first', 'BUY', []),
          price_changes: [
            { asset_id: 'game-first', price: '0.32', size: '5', side: 'BUY', best_bid: '0.32', best_ask: '0.4' },
            { asset_id: 'game-second', price: '0.68', size: '5', side: 'SELL', best_bid: '0.6', best_ask: '0.68' },
          ],
        },
      ],
    ],
    [
      'that crosses the book until the next message',
      [
        changeOf('game-first', 'BUY', [['0.31', '0']]),
        changeOf('game-first', 'BUY', [['0.40', '5']]),
        offers([['0.40', '0']], {}),
      ],
    ],
    [
      'by an older report of the best prices',
      [
        offers([['0.35', '5']], {}),
        { ...bestOf('game-first', '0.30', '0.40'), timestamp: '1999' },
        { ...bestOf('game-first', '0.30', '0.40'), timestamp: '999' },
      ],
    ],
    [
      'by a report that cannot be read, or says nothing',
      [bestOf('game-first', '', ''), bestOf('game-first', 'x', '2'), { event_type: 'best_bid_ask' }],
    ],
    ['that came and went', [bestOf('game-first', '0.30', '0.35'), offers([['0.35', '0']], {})]],
  ])('%s', async (_what, messages) => {
    const { tell, later } = await begun();
    for (const message of messages) {
      vi.advanceTimersByTime(900);
      tell(message);
    }
    vi.advanceTimersByTime(5000);
    expect(await later()).toEqual([]);
  });

  test('in traffic whose best prices run up to 0.9 seconds ahead', async () => {
    const traffic = fc.asyncProperty(fc.array(aChange, { minLength: 1, maxLength: 60 }), async (changes) => {
      const bests = bestAfter(changes);
      const { tell, later } = await begun();
      for (const [index, { side, at, total, ahead }] of changes.entries()) {
        const best = bests[Math.min(index + ahead, bests.length - 1)] ?? {};
        tell(changeOf('game-first', side, [[at, `${total}`]], `${2000 + index}`, best));
        vi.advanceTimersByTime(300);
      }
      vi.advanceTimersByTime(5000);
      expect(await later()).toEqual([]);
    });
    await fc.assert(traffic, { numRuns: runs(100) });
  });
});

const aChange = fc
  .record({ buys: fc.boolean(), cents: fc.nat(5), total: fc.nat(2), ahead: fc.nat(3) })
  .map(({ buys, cents, ...rest }) => ({
    ...rest,
    side: buys ? ('BUY' as const) : ('SELL' as const),
    at: `0.${buys ? 3 : 4}${cents}`,
  }));

type Change = typeof aChange extends fc.Arbitrary<infer One> ? One : never;

/** The venue's best prices after each of the changes of its book. */
function bestAfter(changes: readonly Change[]): object[] {
  const venue = new Book();
  venue.set('bids', price('0.30'), shares('10'));
  venue.set('asks', price('0.40'), shares('900'));
  return changes.map(({ side, at, total }) => {
    venue.set(side === 'BUY' ? 'bids' : 'asks', price(at), shares(`${total}`));
    const [bid, ask] = [venue.best('bids')?.price, venue.best('asks')?.price];
    return {
      best_bid: bid === undefined ? '0' : formatMicro(bid),
      best_ask: ask === undefined ? '1' : formatMicro(ask),
    };
  });
}
