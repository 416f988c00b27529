import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MarketStream } from '../../../../src/adapters/polymarket/market-data/market-stream.js';
import { unlistedMarket } from '../../../../src/core/market/market.js';
import { clockAt, MARKET, NOON } from '../../../support/builders.js';
import { eventually } from '../../../support/eventually.js';
import { diary, listening } from './listening.js';
import { aGame, bookOf, changeOf, resolvedOf, tickOf, tradeOf } from './stream-messages.js';

const GAME = aGame('game');
const OTHER = aGame('other');
const BOOK = bookOf('game-first', [['0.4', '10']], [['0.5', '3']]);
const BOOK_LINE = 'book 0.4x10 / 0.5x3';

const clock = clockAt(NOON);
const hints: string[] = [];
let fixture: Awaited<ReturnType<typeof listening>>;

beforeEach(async () => {
  hints.length = 0;
  fixture = await listening({ clock, marketsPerConnection: 2, onResolvedHint: (id) => hints.push(id) });
  for (const name of ['game', 'other', 'third'])
    fixture.venue.dumps.set(`${name}-first`, bookOf(`${name}-first`, [], []));
  fixture.venue.dumps.set('game-first', BOOK);
});

afterEach(async () => {
  vi.useRealTimers();
  await fixture.close();
});

describe('a market that is followed', () => {
  test('is subscribed to by both tokens, and begins with the whole book', async () => {
    const { lines, listener } = diary();
    await fixture.stream.follow(GAME, listener);
    expect(lines()).toEqual([BOOK_LINE]);
    const subscription = { type: 'market', custom_feature_enabled: true, initial_dump: true, level: 2 };
    expect(fixture.venue.requests).toEqual([{ assets_ids: ['game-first', 'game-second'], ...subscription }]);
  });

  test('delivers changes, trades and ticks once, from single messages and arrays', async () => {
    const { listener, reads } = diary();
    await fixture.stream.follow(GAME, listener);
    fixture.venue.send([
      changeOf('game-first', 'BUY', [['0.41', '2']]),
      changeOf('game-second', 'SELL', [['0.59', '2']]),
    ]);
    fixture.venue.send([]);
    fixture.venue.send(tradeOf('game-second', 'BUY', '0.5', '3'));
    fixture.venue.send([tickOf('game-first', '0.001'), tickOf('game-second', '0.001')]);
    fixture.venue.send(bookOf('game-first', [['0.41', '2']], []));
    await reads([BOOK_LINE, 'levels bids 0.41x2', 'trade SELL 0.5x3', 'tick 0.001']);
    fixture.venue.send(bookOf('game-first', [['0.42', '2']], [], '3000'));
    await reads(['tick 0.001', 'book 0.42x2 / '], 3);
  });

  test('delivers no change that is older than its book', async () => {
    const { listener, reads } = diary();
    await fixture.stream.follow(GAME, listener);
    fixture.venue.send(changeOf('game-first', 'BUY', [['0.41', '2']], '999'));
    fixture.venue.send(changeOf('game-first', 'BUY', [['0.42', '2']], '1000'));
    await reads([BOOK_LINE, 'levels bids 0.42x2']);
  });

  test('passes on the hint that it is resolved', async () => {
    await fixture.stream.follow(GAME, diary().listener);
    fixture.venue.send(resolvedOf('game'));
    await eventually(() => expect(hints).toEqual(['0xgame']));
  });

  test('hands over one event after another, in time that never runs backwards', async () => {
    const { listener, lines, events } = diary();
    let handing = 0;
    let release = () => {};
    const { stop } = await fixture.stream.follow(GAME, async (event) => {
      handing += 1;
      expect(handing).toBe(1);
      listener(event);
      if (event.type === 'levels') await new Promise<void>((resolve) => (release = resolve));
      handing -= 1;
    });
    fixture.venue.send(changeOf('game-first', 'BUY', [['0.41', '2']]));
    await eventually(() => expect(lines()).toHaveLength(2));
    clock.tick(-60_000);
    fixture.venue.send(tradeOf('game-first', 'BUY', '0.5', '3'));
    // Sent after the trade: once the hint is here, the trade is too.
    fixture.venue.send(resolvedOf('game'));
    await eventually(() => expect(hints).toHaveLength(1));
    expect(lines()).toHaveLength(2);
    release();
    await eventually(() => expect(lines().slice(2)).toEqual(['trade BUY 0.5x3']));
    const times = events.map(({ at }) => at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    stop();
  });

  test('goes on after its listener threw', async () => {
    const { listener, reads } = diary();
    await fixture.stream.follow(GAME, (event) => {
      listener(event);
      throw new Error('a fault of the listener');
    });
    fixture.venue.send(tradeOf('game-first', 'BUY', '0.5', '3'));
    await reads([BOOK_LINE, 'trade BUY 0.5x3']);
    expect(fixture.reports).toContain('a listener failed');
  });

  test('is unsubscribed from when it is stopped, and delivers nothing more', async () => {
    const [stopped, going] = [diary(), diary()];
    const { stop } = await fixture.stream.follow(GAME, stopped.listener);
    await fixture.stream.follow(OTHER, going.listener);
    stop();
    stop();
    const assets_ids = ['game-first', 'game-second'];
    await eventually(() => expect(fixture.venue.requests.slice(2)).toEqual([{ operation: 'unsubscribe', assets_ids }]));
    fixture.venue.send([tradeOf('game-first', 'BUY', '0.5', '3'), tradeOf('other-first', 'BUY', '0.6', '1')]);
    await going.reads(['book  / ', 'trade BUY 0.6x1']);
    expect(stopped.lines()).toEqual([BOOK_LINE]);
  });
});

describe('the markets of a stream', () => {
  test('share a connection up to its limit, and the last closes it', async () => {
    const followed = [];
    for (const market of [GAME, OTHER, aGame('third')]) {
      followed.push(await fixture.stream.follow(market, diary().listener));
    }
    expect(fixture.venue.clients.map(({ requests }) => requests.length)).toEqual([2, 1]);
    expect(fixture.venue.clients[0]?.requests[1]).toEqual({
      operation: 'subscribe',
      assets_ids: ['other-first', 'other-second'],
    });
    followed[2]?.stop();
    await eventually(() => expect(fixture.venue.standing).toBe(1));
  });

  test('must have tokens, and the stream a WebSocket address', async () => {
    await expect(fixture.stream.follow(unlistedMarket(MARKET), () => {})).rejects.toMatchObject({
      code: 'market_unusable',
    });
    const readBook = async () => ({ bids: [], asks: [] });
    expect(() => new MarketStream({ url: 'http://127.0.0.1', readBook, clock })).toThrow(TypeError);
  });
});

describe('a stream that is closed', () => {
  test('leaves no connection and no timer, and follows nothing any more', async () => {
    // Timers of the test runner are not counted: they may end at any moment.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    await fixture.stream.follow(GAME, diary().listener);
    await fixture.stream.follow(OTHER, diary().listener);
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await fixture.stream.close();
    expect(vi.getTimerCount()).toBe(0);
    await eventually(() => expect(fixture.venue.standing).toBe(0));
    await expect(fixture.stream.follow(GAME, () => {})).rejects.toMatchObject({ code: 'market_data_unavailable' });
    expect(fixture.venue.upgrades).toBe(1);
  });

  test('answers those who still wait for their first event', async () => {
    fixture.venue.dumps.clear();
    const following = fixture.stream.follow(GAME, diary().listener);
    await eventually(() => expect(fixture.venue.requests).toHaveLength(1));
    await fixture.stream.close();
    expect(await following).toMatchObject({ stop: expect.any(Function) });
  });
});
