import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PolymarketMarketData } from '../../../../src/adapters/polymarket/market-data/polymarket-market-data.js';
import type { MarketId } from '../../../../src/core/ids.js';
import { Book } from '../../../../src/core/market/book.js';
import { YES_WON } from '../../../../src/core/market/lifecycle.js';
import { unlistedMarket } from '../../../../src/core/market/market.js';
import { eventually } from '../../../support/eventually.js';
import { levels } from '../../../support/scripted-market.js';
import { diary } from './listening.js';
import { changeOf, resolvedOf, tickOf, tradeOf } from './stream-messages.js';
import { Venue } from './venue.js';

const BOOK_LINE = 'book 0.39x4 0.4x10 / 0.6x7 0.5x3';
const LOST = 'gap: the connection was closed';
const WON = { closed: true, acceptingOrders: false, umaResolutionStatus: 'resolved', outcomePrices: '["1", "0"]' };

let venue: Venue;
const [yes, no] = [() => venue.tokens[0], () => venue.tokens[1]];

beforeEach(async () => {
  venue = await Venue.open();
  venue.shows(
    [
      ['0.39', '4'],
      ['0.4', '10'],
    ],
    [
      ['0.6', '7'],
      ['0.5', '3'],
    ],
  );
});

afterEach(async () => {
  vi.useRealTimers();
  await venue.close();
});

/** The records of the game after the first outcome won, at the CLOB. */
const wonAtClob = () => {
  const [first, second] = venue.game.clob['tokens'] as readonly object[];
  return { closed: true, accepting_orders: false, tokens: [{ ...first, winner: true }, second] };
};

describe('a market of Polymarket', () => {
  test('is one and the same by condition id, slug and number', async () => {
    const names = ['conditionId', 'slug', 'id'].map((member) => venue.game.gamma[member] as MarketId);
    const [first, ...others] = await Promise.all(names.map((name) => venue.data.find(name)));
    expect(first).toMatchObject({ id: venue.id, status: 'open', outcomes: [{ tokenId: yes() }, { tokenId: no() }] });
    expect(others).toEqual([first, first]);
  });

  test('is found by its words, and is not by others', async () => {
    const { items, next } = await venue.data.search({ text: 'otters' }, { limit: 5 });
    expect([items.map(({ id }) => id), next]).toEqual([[venue.id], null]);
    expect((await venue.data.search({ text: 'badgers' }, { limit: 5 })).items).toEqual([]);
  });

  test('has its book, best level first, unless the venue has none', async () => {
    const market = await venue.found();
    const book = { bids: levels('0.40x10 0.39x4'), asks: levels('0.50x3 0.60x7') };
    expect(await venue.data.book(market)).toEqual({ ...book, at: venue.clock.now(), fresh: true });
    expect(await venue.data.book(unlistedMarket(venue.id))).toBeUndefined();
    venue.rest.books.clear();
    expect(await venue.data.book(market)).toBeUndefined();
  });
});

describe('a crossed book by REST', () => {
  const CROSSED = { bids: [['0.6', '4']], asks: [['0.5', '3']] } as const;

  test('is shown as one that is not to be trusted', async () => {
    venue.shows(CROSSED.bids, CROSSED.asks);
    expect(await venue.data.book(await venue.found())).toMatchObject({ fresh: false });
  });

  test('is a gap for followers, which the next good one ends', async () => {
    const { listener, lines, reads } = diary();
    const market = await venue.found();
    const watching = diary();
    await venue.data.follow(market, watching.listener);
    venue.shows(CROSSED.bids, CROSSED.asks);
    await venue.data.follow(market, listener);
    expect(lines()).toEqual(['gap: the book could not be read']);
    venue.shows([['0.3', '1']], []);
    await reads(['gap: the book could not be read', 'book 0.3x1 / ']);
    expect(watching.lines()).toEqual([BOOK_LINE]);
  });
});

describe('a market of Polymarket that is followed', () => {
  test('begins with the whole book, followed by its changes', async () => {
    const { listener, lines, events, reads } = diary();
    const market = await venue.found();
    await venue.data.follow(market, listener);
    expect(lines()).toEqual([BOOK_LINE]);
    const [first] = events;
    const book = new Book();
    if (first?.type === 'book') book.replace(first.bids, first.asks);
    const { bids, asks } = (await venue.data.book(market)) ?? {};
    expect([book.side('bids'), book.side('asks')]).toEqual([bids, asks]);
    venue.socket.send(changeOf(yes(), 'BUY', [['0.41', '2']]));
    venue.socket.send(tradeOf(no(), 'SELL', '0.59', '2'));
    venue.socket.send([tickOf(yes(), '0.001'), tickOf(no(), '0.001')]);
    await reads([BOOK_LINE, 'levels bids 0.41x2', 'trade BUY 0.41x2', 'tick 0.001']);
  });

  test('has the book of its events, reread after seconds of silence', async () => {
    const { listener, reads } = diary();
    const market = await venue.found();
    await venue.data.follow(market, listener);
    venue.shows([['0.3', '1']], []);
    venue.socket.send(changeOf(yes(), 'BUY', [['0.41', '2']]));
    await reads([BOOK_LINE, 'levels bids 0.41x2']);
    const told = { bids: levels('0.41x2 0.40x10 0.39x4'), asks: levels('0.50x3 0.60x7') };
    expect(await venue.data.book(market)).toEqual({ ...told, at: venue.clock.now(), fresh: true });
    venue.clock.tick(5001);
    expect(await venue.data.book(market)).toMatchObject({ bids: levels('0.3x1'), asks: [], fresh: true });
  });

  test('is reread while its connection is lost, despite recent events', async () => {
    const { listener, reads } = diary();
    const market = await venue.found();
    await venue.data.follow(market, listener);
    venue.rest.books.clear();
    venue.socket.drop();
    await reads([BOOK_LINE, LOST]);
    expect(await venue.data.book(market)).toBeUndefined();
  });

  test('has one subscription for all followers, ended with the last one', async () => {
    const [first, second] = [diary(), diary()];
    const market = await venue.found();
    const followings = [
      await venue.data.follow(market, first.listener),
      await venue.data.follow(market, second.listener),
    ];
    // The book was sent to the first; for the second it is read.
    expect(second.lines()).toEqual(['book 0.4x10 0.39x4 / 0.5x3 0.6x7']);
    expect(venue.socket.requests).toMatchObject([{ type: 'market', assets_ids: [yes(), no()] }]);
    followings[0]?.stop();
    venue.socket.send(tradeOf(yes(), 'BUY', '0.5', '1'));
    await second.reads(['trade BUY 0.5x1'], 1);
    expect(first.lines()).toEqual([BOOK_LINE]);
    expect(venue.socket.standing).toBe(1);
    followings[1]?.stop();
    await eventually(() => expect(venue.socket.standing).toBe(0));
    expect(venue.socket.upgrades).toBe(1);
  });

  test('has a gap and a new whole book after a lost connection', async () => {
    const { listener, reads } = diary();
    await venue.data.follow(await venue.found(), listener);
    venue.shows([['0.3', '1']], []);
    venue.socket.drop();
    await reads([BOOK_LINE, LOST, 'book 0.3x1 / ']);
    expect(venue.socket.upgrades).toBe(2);
    expect(venue.reports).toEqual([`${new URL(venue.socket.url).host}: the connection was closed`]);
  });

  test('has them too after half a minute of silence', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const { listener, lines } = diary();
    await venue.data.follow(await venue.found(), listener);
    venue.socket.answersPings = false;
    vi.advanceTimersByTime(29_000);
    expect(venue.socket.standing).toBe(1);
    vi.advanceTimersByTime(1000);
    venue.socket.answersPings = true;
    vi.useRealTimers();
    // The metadata is due to be read again at that moment too.
    const delivered = () => lines().filter((line) => line !== 'market');
    await eventually(() => expect(delivered()).toEqual([BOOK_LINE, 'gap: the connection fell silent', BOOK_LINE]));
  });

  test('is resolved only once both sources confirm it', async () => {
    const { listener, events, reads } = diary();
    await venue.data.follow(await venue.found(), listener);
    const delivered = () => events.flatMap((event) => (event.type === 'market' ? [event.market] : []));
    venue.relists(WON);
    venue.socket.send(resolvedOf(venue.id.slice(2)));
    await reads([BOOK_LINE, 'market']);
    expect(delivered()[0]).toMatchObject({ status: 'resolving', payout: null });
    venue.relists(WON, wonAtClob());
    venue.socket.send(resolvedOf(venue.id.slice(2)));
    await reads([BOOK_LINE, 'market', 'market']);
    expect(delivered()[1]).toMatchObject({ status: 'resolved', payout: YES_WON });
  });
});

describe('a venue that cannot be reached', () => {
  test('is unavailable to requests, and a gap for followers', async () => {
    const market = await venue.found();
    const { gamma, clob } = venue.rest;
    const stream = new URL(venue.socket.url);
    await venue.rest.close();
    await venue.socket.stop();
    const reports: string[] = [];
    const report = (reason: string) => reports.push(reason);
    const data = new PolymarketMarketData({ gamma, clob, stream, clock: venue.clock, report });
    const unavailable = { code: 'market_data_unavailable' };
    await Promise.all([
      expect(data.find(venue.id)).rejects.toMatchObject(unavailable),
      expect(data.search({}, { limit: 5 })).rejects.toMatchObject(unavailable),
      expect(data.book(market)).rejects.toMatchObject(unavailable),
    ]);
    const { listener, lines } = diary();
    await data.follow(market, listener);
    expect(lines()).toEqual(['gap: the connection failed (ECONNREFUSED)']);
    await expect(data.book(market)).rejects.toMatchObject(unavailable);
    const rest = `${gamma.host} cannot be reached (ECONNREFUSED)`;
    expect(reports).toEqual([rest, rest, `${stream.host}: the connection failed (ECONNREFUSED)`]);
    await data.close();
    await venue.data.close();
    venue = await Venue.open();
  });
});

describe('a source of Polymarket that is closed', () => {
  test('leaves no connection and no timer, and delivers nothing more', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { listener, lines } = diary();
    await venue.data.follow(await venue.found(), listener);
    expect(vi.getTimerCount()).toBe(3);
    await venue.data.close();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
    await eventually(() => expect(venue.socket.standing).toBe(0));
    expect(lines()).toEqual([BOOK_LINE]);
    await expect(venue.data.find('another' as MarketId)).rejects.toMatchObject({ code: 'market_data_unavailable' });
  });

  test('leaves no timer of what cannot be followed, or was not yet', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const market = await venue.found();
    await expect(venue.data.follow(unlistedMarket(venue.id), () => {})).rejects.toMatchObject({
      code: 'market_unusable',
    });
    expect(vi.getTimerCount()).toBe(0);
    venue.socket.dumps.clear();
    const waiting = venue.data.follow(market, () => {});
    await venue.data.close();
    await waiting;
    await expect(venue.data.follow(market, () => {})).rejects.toMatchObject({ code: 'market_data_unavailable' });
    expect(vi.getTimerCount()).toBe(0);
  });
});
