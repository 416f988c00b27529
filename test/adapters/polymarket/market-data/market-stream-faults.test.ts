import { afterEach, describe, expect, test } from 'vitest';
import type { MarketStreamOptions } from '../../../../src/adapters/polymarket/market-data/market-stream.js';
import type { BookSides } from '../../../../src/core/market/book.js';
import { price, shares } from '../../../support/builders.js';
import { eventually } from '../../../support/eventually.js';
import { diary, listening } from './listening.js';
import { aGame, bookOf, changeOf, tickOf, tradeOf } from './stream-messages.js';

const GAME = aGame('game');
const OTHER = aGame('other');
const BOOK = bookOf('game-first', [['0.4', '10']], [['0.5', '3']]);
const BOOK_LINE = 'book 0.4x10 / 0.5x3';
const READ: BookSides = { bids: [{ price: price('0.3'), shares: shares('1') }], asks: [] };
const READ_LINE = 'book 0.3x1 / ';

let fixture: Awaited<ReturnType<typeof listening>>;
const open = async (changes: Partial<MarketStreamOptions> = {}) => {
  fixture = await listening(changes);
  fixture.venue.dumps.set('game-first', BOOK);
  fixture.venue.dumps.set('other-first', bookOf('other-first', [], []));
  return fixture;
};

/** Follows both games over one connection; gives the diary of each. */
async function following() {
  const [game, other] = [diary(), diary()];
  await fixture.stream.follow(GAME, game.listener);
  await fixture.stream.follow(OTHER, other.listener);
  return { game, other };
}

afterEach(() => fixture.close());

describe('a gap for every market of the connection, ended by the books of the next one, follows', () => {
  test.each([
    ['a connection that is cut', 'the connection was closed', () => fixture.venue.drop()],
    ['a frame that is not JSON', 'a frame is not JSON', () => fixture.venue.sendRaw('<html>')],
    ['a frame cut short', 'a frame is not JSON', () => fixture.venue.sendRaw(JSON.stringify(BOOK).slice(0, -9))],
    ['a binary frame', 'a frame is not text', () => fixture.venue.sendRaw(new Uint8Array([1, 2, 3]))],
    ['a frame that is too large', 'the connection failed', () => fixture.venue.sendRaw(`"${'x'.repeat(5000)}"`)],
    [
      'a message of no known market',
      'a message does not name its market',
      () => fixture.venue.send({ event_type: 'book' }),
    ],
  ])('%s', async (_what, reason, strike) => {
    const { venue } = await open({ maxPayload: 4096 });
    const { game, other } = await following();
    strike();
    await game.reads([BOOK_LINE, `gap: ${reason}`, BOOK_LINE]);
    await other.reads(['book  / ', `gap: ${reason}`, 'book  / ']);
    expect(venue.requests).toMatchObject([{ type: 'market', assets_ids: { length: 4 } }]);
    venue.client.socket.send(JSON.stringify(changeOf('game-first', 'BUY', [['0.41', '2']])));
    await game.reads(['levels bids 0.41x2'], 3);
  });

  test('silence, in which not even a ping is answered', async () => {
    const { venue } = await open({ pingMs: 20, silenceMs: 300 });
    const { game } = await following();
    venue.answersPings = false;
    await eventually(() => expect(game.lines()[1]).toBe('gap: the connection fell silent'));
    venue.answersPings = true;
    await eventually(() => expect(game.lines().at(-1)).toBe(BOOK_LINE));
  });

  test('pings that are answered, but nothing else, for too long', async () => {
    const { venue } = await open({ pingMs: 20, silenceMs: 5000, idleMs: 300 });
    const { game } = await following();
    await eventually(() => expect(game.lines()[1]).toBe('gap: the connection delivered nothing for too long'));
    expect(venue.clients[0]?.pings).toBeGreaterThan(2);
  });
});

describe('a connection that is quiet', () => {
  test('stays, as long as its pings are answered', async () => {
    const { venue } = await open({ pingMs: 20, silenceMs: 300 });
    const { game } = await following();
    await eventually(() => expect(venue.client.pings).toBeGreaterThan(25));
    expect(game.lines()).toEqual([BOOK_LINE]);
    expect(venue.upgrades).toBe(1);
  });
});

describe('a connection with a message now and then', () => {
  test('is kept open', async () => {
    const { venue } = await open({ pingMs: 20, idleMs: 300 });
    const { game } = await following();
    for (let pings = 1; pings <= 25; pings++) {
      venue.send(tradeOf('game-first', 'BUY', '0.5', '1'));
      await eventually(() => expect(venue.client.pings).toBeGreaterThanOrEqual(pings));
    }
    expect(game.lines()).not.toContain('gap: the connection delivered nothing for too long');
    expect(venue.upgrades).toBe(1);
  });
});

describe('a venue that refuses to connect', () => {
  test.each(['html', 'redirect'] as const)('by %s: a gap, and new attempts until one succeeds', async (upgrade) => {
    const { venue, stream } = await open();
    venue.upgrade = upgrade;
    const { lines, listener, reads } = diary();
    await stream.follow(GAME, listener);
    expect(lines()).toEqual(['gap: the connection failed']);
    await eventually(() => expect(venue.upgrades).toBeGreaterThan(3));
    expect(fixture.reports).toEqual([`${new URL(venue.url).host}: the connection failed`]);
    venue.upgrade = 'accept';
    await reads(['gap: the connection failed', BOOK_LINE]);
  });
});

describe('before the whole book', () => {
  test('changes and trades are not delivered, and a tick only after it', async () => {
    const { venue, stream } = await open();
    venue.dumps.clear();
    const { listener, reads } = diary();
    const followed = stream.follow(GAME, listener);
    await eventually(() => expect(venue.requests).toHaveLength(1));
    venue.send([changeOf('game-first', 'BUY', [['0.41', '2']], '999'), tradeOf('game-first', 'BUY', '0.5', '1')]);
    venue.send([tickOf('game-first', '0.001'), BOOK]);
    await followed;
    await reads([BOOK_LINE, 'tick 0.001']);
  });

  test('the book is read if none is sent, with changes since', async () => {
    let answer = (_book: BookSides) => {};
    const readBook = () => new Promise<BookSides>((resolve) => (answer = resolve));
    let asked = 0;
    const counted = () => {
      asked += 1;
      return readBook();
    };
    const { venue, stream } = await open({ readBook: counted, snapshotMs: 10 });
    venue.dumps.clear();
    const { listener, reads } = diary();
    const followed = stream.follow(GAME, listener);
    await eventually(() => expect(asked).toBe(1));
    const hint = diary();
    const other = stream.follow(OTHER, hint.listener);
    venue.send([changeOf('game-first', 'BUY', [['0.41', '2']]), bookOf('other-first', [], [])]);
    await other;
    answer(READ);
    await followed;
    await reads(['book 0.41x2 0.3x1 / ']);
  });

  test('a gap is delivered when no book arrives, and reading continues', async () => {
    let failures = 3;
    const readBook = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error('not now');
      return READ;
    };
    const { venue, stream } = await open({ readBook, snapshotMs: 10 });
    venue.dumps.clear();
    const { listener, reads } = diary();
    await stream.follow(GAME, listener);
    await reads(['gap: the book could not be read', READ_LINE]);
  });
});

describe('a gap for one market alone, ended by a book that is read, follows', () => {
  test.each([
    ['an amount that cannot be', [changeOf('game-first', 'BUY', [['1.2', '2']])], 'a message has an impossible amount'],
    [
      'a message without its levels',
      [{ event_type: 'price_change', market: '0xgame' }],
      'a message lacks a required member',
    ],
    [
      'a message that does not name its type',
      [{ ...changeOf('game-first', 'BUY', [['0.41', '2']]), event_type: undefined }],
      'a message does not name its type',
    ],
    [
      'changes out of order',
      [changeOf('game-first', 'BUY', [['0.4', '1']], '3000'), changeOf('game-first', 'BUY', [['0.4', '2']], '2999')],
      'changes came out of order',
    ],
  ])('%s', async (_what, messages, reason) => {
    const { venue } = await open({ readBook: async () => READ });
    const { game, other } = await following();
    venue.send(messages);
    await eventually(() => expect(game.lines().slice(-2)).toEqual([`gap: ${reason}`, READ_LINE]));
    expect(other.lines()).toEqual(['book  / ']);
    expect(venue.upgrades).toBe(1);
  });
});

describe('a book that is being read', () => {
  test('is read again when what came meanwhile could not be understood', async () => {
    const answers: ((book: BookSides) => void)[] = [];
    const readBook = () => new Promise<BookSides>((resolve) => answers.push(resolve));
    const { venue } = await open({ readBook });
    const { game, other } = await following();
    const wrong = changeOf('game-first', 'BUY', [['1.2', '2']]);
    venue.send(wrong);
    await eventually(() => expect(answers).toHaveLength(1));
    venue.send([wrong, tradeOf('other-first', 'BUY', '0.5', '1')]);
    await other.reads(['book  / ', 'trade BUY 0.5x1']);
    answers[0]?.({ bids: [], asks: [] });
    await eventually(() => expect(answers).toHaveLength(2));
    answers[1]?.(READ);
    await game.reads([BOOK_LINE, 'gap: a message has an impossible amount', READ_LINE]);
  });
});

describe('a listener that is too slow', () => {
  test('gets a gap and a fresh book in place of its backlog', async () => {
    const { venue, stream } = await open({ backlog: 5, readBook: async () => READ });
    const { listener, reads } = diary();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await stream.follow(GAME, (event) => {
      listener(event);
      return event.type === 'levels' ? held : undefined;
    });
    const quick = diary();
    await stream.follow(OTHER, quick.listener);
    venue.send(tickOf('game-first', '0.001'));
    const size = (count: number) => changeOf('game-first', 'BUY', [['0.41', `${count}`]]);
    venue.send(size(1));
    await reads([BOOK_LINE, 'tick 0.001', 'levels bids 0.41x1']);
    venue.send(tickOf('game-first', '0.1'));
    venue.send([...Array(100).keys()].map((count) => size(count + 2)));
    venue.send(tradeOf('other-first', 'BUY', '0.5', '1'));
    await quick.reads(['book  / ', 'trade BUY 0.5x1']);
    release();
    const gap = 'gap: the listener fell behind';
    await reads([BOOK_LINE, 'tick 0.001', 'levels bids 0.41x1', gap, READ_LINE, 'tick 0.1']);
  });
});

describe('a second listener of a market', () => {
  test('begins with a freshly read book, unnoticed by the first', async () => {
    const { venue, stream } = await open({ readBook: async () => READ });
    const [first, second] = [diary(), diary()];
    const { stop } = await stream.follow(GAME, first.listener);
    await stream.follow(GAME, second.listener);
    stop();
    venue.send(tradeOf('game-first', 'BUY', '0.5', '1'));
    await second.reads([READ_LINE, 'trade BUY 0.5x1']);
    expect(first.lines()).toEqual([BOOK_LINE]);
    expect(venue.requests).toHaveLength(1);
  });
});
