import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { BookSnapshot } from '../../../../src/adapters/polymarket/market-data/delivered-book.js';
import { Book } from '../../../../src/core/market/book.js';
import { price, shares } from '../../../support/builders.js';
import { eventually } from '../../../support/eventually.js';
import { runs } from '../../../support/runs.js';
import { deliveredBook, feedFixture, readBook } from './feed-fixture.js';
import { diary, listening } from './listening.js';
import { aGame, bookOf, changeOf } from './stream-messages.js';

let view: Awaited<ReturnType<typeof listening>> | undefined;
afterEach(() => view?.close());

/** What the venue sent, one after another. */
const SENT = ['0.40 900', '0.50 300', '0.40 0', '0.50 0', '0.60 1000'].map((word) => word.split(' '));

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

describe('messages that come out of order', () => {
  test('leave the venue’s book, in every order of arrival', async () => {
    const orders = permutations([0, 1, 2, 3, 4]);
    view = await listening({ readBook: async () => readBook('', '0.60x1000', 2004) });
    const followers = orders.map((order) => ({ order, token: `${order.join('')}-first`, ...diary() }));
    for (const { token } of followers) view.venue.dumps.set(token, bookOf(token, [], [['0.40', '500']]));
    for (const { order, listener } of followers) await view.stream.follow(aGame(order.join('')), listener);
    const frame = followers.flatMap(({ order, token }) =>
      order.map((at) => changeOf(token, 'SELL', [[SENT[at]?.[0] ?? '', SENT[at]?.[1] ?? '']], `${2000 + at}`)),
    );
    view.venue.send(frame);
    await eventually(() => {
      for (const { order, events } of followers) expect(deliveredBook(events).asks, order.join('')).toBe('0.6x1000');
    });
  });

  test('in reverse bring no level back to a book read earlier', async () => {
    const fixture = feedFixture(async () => readBook('', '0.40x900', 2000));
    fixture.tell(bookOf('game-first', [], [['0.40', '500']]));
    for (const at of [4, 3, 2, 1, 0]) {
      fixture.tell(changeOf('game-first', 'SELL', [[SENT[at]?.[0] ?? '', SENT[at]?.[1] ?? '']], `${2000 + at}`));
    }
    await eventually(() => expect(fixture.feed.fresh).toBe(true));
    expect(fixture.book()).toEqual({ bids: '', asks: '0.6x1000' });
  });

  test('a late book takes back nothing that was sent after it', async () => {
    const fixture = feedFixture();
    fixture.tell(bookOf('game-first', [], [['0.40', '500']]));
    fixture.tell(changeOf('game-first', 'SELL', [['0.40', '0']], '3000'));
    fixture.tell(changeOf('game-first', 'SELL', [['0.50', '9']], '2500'));
    expect(fixture.feed.fresh).toBe(false);
    fixture.tell(bookOf('game-first', [], [['0.40', '500']], '2000'));
    await fixture.lines();
    expect(fixture.book()).toEqual({ bids: '', asks: '0.5x9' });
  });

  test('end in the venue’s book, for any messages and reading times', async () => {
    const change = fc.record({ at: fc.constantFrom('0.40', '0.45', '0.50', '0.55'), total: fc.nat(3) });
    const course = fc.record({
      sent: fc.array(change, { minLength: 1, maxLength: 8 }),
      order: fc.infiniteStream(fc.nat(1_000_000)),
      seen: fc.infiniteStream(fc.nat(8)),
      turns: fc.infiniteStream(fc.nat(2)),
    });
    const arrived = fc.asyncProperty(course, async ({ sent, order, seen, turns }) => {
      const venue = venueBooks(sent);
      let read = 0;
      const fixture = feedFixture(async () => {
        read = Math.max(read, Math.min(seen.next().value ?? 0, sent.length));
        return venue[read] as BookSnapshot;
      });
      fixture.tell(bookOf('game-first', [], [['0.40', '500']]));
      const messages = sent.map(({ at, total }, index) => ({
        place: order.next().value ?? 0,
        message: changeOf('game-first', 'SELL', [[at, `${total}`]], `${2000 + index}`),
      }));
      for (const { message } of messages.toSorted((a, b) => a.place - b.place)) {
        fixture.tell(message);
        for (let turn = turns.next().value ?? 0; turn > 0; turn--) await setImmediate();
      }
      await eventually(() => expect(fixture.feed.fresh).toBe(true));
      await fixture.lines();
      expect(fixture.book()).toEqual(deliveredBook([{ type: 'book', ...(venue[sent.length] as BookSnapshot) }]));
    });
    await fc.assert(arrived, { numRuns: runs(150) });
  });
});

/** What REST shows before anything was sent, and after each change. */
function venueBooks(sent: readonly { readonly at: string; readonly total: number }[]): BookSnapshot[] {
  const book = new Book();
  book.set('asks', price('0.40'), shares('500'));
  const shown = (sentAt: number): BookSnapshot => ({ bids: [], asks: book.side('asks'), sentAt });
  return [
    shown(1000),
    ...sent.map(({ at, total }, index) => {
      book.set('asks', price(at), shares(`${total}`));
      return shown(2000 + index);
    }),
  ];
}
