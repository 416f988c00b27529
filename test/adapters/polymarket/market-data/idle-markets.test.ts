import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type MarketStreamOptions,
  MOST_CONFIRMED_PER_SECOND,
} from '../../../../src/adapters/polymarket/market-data/market-stream.js';
import { PacedRounds } from '../../../../src/adapters/transport/paced-rounds.js';
import type { MarketId } from '../../../../src/core/ids.js';
import type { BookSides } from '../../../../src/core/market/book.js';
import type { Market } from '../../../../src/core/market/market.js';
import { price, shares } from '../../../support/builders.js';
import { eventually } from '../../../support/eventually.js';
import { diary, listening } from './listening.js';
import { aGame, bookOf, changeOf, tradeOf } from './stream-messages.js';

const GAME = aGame('game');
const TALKER = aGame('talker');
const BOOK_LINE = 'book 0.4x10 / 0.5x3';
const SAME: BookSides = {
  bids: [{ price: price('0.4'), shares: shares('10') }],
  asks: [{ price: price('0.5'), shares: shares('3') }],
};
const SECONDS = 30;

let fixture: Awaited<ReturnType<typeof listening>>;
let asked: Market[];
let reading: () => Promise<BookSides>;

/** Follows a game, and another one over the same connection; books are read from `read`. */
async function following(read: () => Promise<BookSides>, changes: Partial<MarketStreamOptions> = {}) {
  asked = [];
  reading = read;
  const readBook = (market: Market) => {
    asked.push(market);
    return reading();
  };
  fixture = await listening({ readBook, silenceMs: SECONDS * 1000, ...changes });
  fixture.venue.dumps.set('game-first', bookOf('game-first', [['0.4', '10']], [['0.5', '3']]));
  fixture.venue.dumps.set('talker-first', bookOf('talker-first', [], []));
  const [game, talker] = [diary(), diary()];
  const { stop } = await fixture.stream.follow(GAME, game.listener);
  const { stop: end } = await fixture.stream.follow(TALKER, talker.listener);
  let talks = 0;
  /** Passes this many seconds, each with a message of the other market. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      vi.advanceTimersByTime(1000);
      fixture.venue.send(tradeOf('talker-first', 'BUY', '0.5', '1'));
      talks += 1;
      const heard = talks;
      await eventually(() => expect(talker.lines()).toHaveLength(heard + 1));
    }
  };
  return { game, pass, stop, end };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

afterEach(async () => {
  vi.useRealTimers();
  await fixture?.close();
});

describe('a market that is still while others talk', () => {
  test('has its book reread, and an unchanged book is not delivered', async () => {
    const { game, pass } = await following(async () => SAME);
    await pass(SECONDS - 1);
    expect(asked).toEqual([]);
    await pass(1);
    expect(asked.map(({ id }) => id)).toEqual([GAME.id]);
    await pass(SECONDS);
    expect(asked.map(({ id }) => id)).toEqual([GAME.id, GAME.id]);
    expect(game.lines()).toEqual([BOOK_LINE]);
    expect(fixture.venue.requests).toHaveLength(2);
  });

  test('is delivered whole when its book differs, and subscribed to again', async () => {
    const { game, pass } = await following(async () => ({ ...SAME, asks: [] }));
    fixture.venue.dumps.delete('game-first');
    await pass(SECONDS);
    await game.reads([BOOK_LINE, 'book 0.4x10 / ']);
    const tokens = ['game-first', 'game-second'];
    await eventually(() =>
      expect(fixture.venue.requests.slice(2)).toEqual([
        { operation: 'unsubscribe', assets_ids: tokens },
        { operation: 'subscribe', assets_ids: tokens },
      ]),
    );
    expect(fixture.reports).toEqual(['a market changed without a message']);
    await pass(SECONDS);
    expect(asked).toHaveLength(2);
    expect(game.lines()).toHaveLength(2);
  });

  test('has a gap when its book cannot be read, until it can', async () => {
    const { game, pass } = await following(() => Promise.reject(new Error('not now')));
    const answers = [() => Promise.reject(new Error('not now')), async () => SAME];
    reading = () => (answers.shift() ?? (async () => SAME))();
    await pass(SECONDS);
    await game.reads([BOOK_LINE, 'gap: the book could not be read', BOOK_LINE]);
  });

  test('does not deliver a book read before its next message', async () => {
    let answer = (_book: BookSides) => {};
    const { game, pass } = await following(() => new Promise((resolve) => (answer = resolve)));
    await pass(SECONDS);
    fixture.venue.send(changeOf('game-first', 'BUY', [['0.41', '2']]));
    await game.reads([BOOK_LINE, 'levels bids 0.41x2']);
    answer(SAME);
    await pass(1);
    expect(game.lines()).toEqual([BOOK_LINE, 'levels bids 0.41x2']);
  });

  test('is not read without followers, and leaves no timer behind', async () => {
    const { pass, stop, end } = await following(async () => SAME);
    stop();
    await pass(SECONDS + 1);
    expect(asked).toEqual([]);
    end();
    await eventually(() => expect(vi.getTimerCount()).toBe(0));
  });
});

describe('a thousand markets that are still', () => {
  test('are reread in rotation, within a quarter of the venue’s allowance', () => {
    const looked: MarketId[] = [];
    const rounds = { everyMs: SECONDS * 1000, mostPerSecond: MOST_CONFIRMED_PER_SECOND };
    const idle = new PacedRounds<MarketId>(rounds, (id) => looked.push(id));
    const ids = [...Array(1000).keys()].map((number) => `0x${number}` as MarketId);
    for (const id of ids) idle.touch(id);
    vi.advanceTimersByTime((SECONDS - 1) * 1000);
    expect(looked).toEqual([]);
    for (let second = 0; second < 28; second++) {
      const before = looked.length;
      vi.advanceTimersByTime(1000);
      expect(looked.length - before).toBeLessThanOrEqual(37);
    }
    expect(looked).toEqual(ids);
    idle.close();
  });
});
