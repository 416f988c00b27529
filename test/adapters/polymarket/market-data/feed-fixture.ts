import { setImmediate } from 'node:timers/promises';
import type { BookSnapshot } from '../../../../src/adapters/polymarket/market-data/delivered-book.js';
import { MarketFeed } from '../../../../src/adapters/polymarket/market-data/market-feed.js';
import { readFrame, type TokenRoute } from '../../../../src/adapters/polymarket/websocket/market-wire.js';
import { Book } from '../../../../src/core/market/book.js';
import type { BookSide, MarketChange } from '../../../../src/core/market/event.js';
import { formatMicro } from '../../../../src/core/money.js';
import { clockAt, NOON } from '../../../support/builders.js';
import { levels } from '../../../support/scripted-market.js';
import { diary } from './listening.js';
import { aGame } from './stream-messages.js';

const GAME = aGame('game');
const OUTCOME_SIDES = new Map<string, TokenRoute>([
  ['game-first', { market: GAME.id, outcome: 'YES' }],
  ['game-second', { market: GAME.id, outcome: 'NO' }],
]);
const ROUTES = { route: (token: string) => OUTCOME_SIDES.get(token), follows: (id: string) => id === GAME.id };

/** A whole book as REST returns it, levels written as `0.40x10 0.39x4`. */
export const readBook = (bids: string, asks: string, sentAt: number | null = null): BookSnapshot => ({
  bids: levels(bids),
  asks: levels(asks),
  sentAt,
});

/** The book after these events, best level first. */
export function deliveredBook(events: readonly MarketChange[]) {
  const held = new Book();
  for (const event of events) {
    if (event.type === 'book') held.replace(event.bids, event.asks);
    if (event.type === 'levels') for (const { side, price, shares } of event.changes) held.set(side, price, shares);
  }
  const side = (name: BookSide) =>
    held.side(name).map((level) => `${formatMicro(level.price)}x${formatMicro(level.shares)}`);
  return { bids: side('bids').join(' '), asks: side('asks').join(' ') };
}

/** A feed of one game without a connection: the test gives it the venue's messages and the books that it reads. */
export function feedFixture(read: () => Promise<BookSnapshot> = () => new Promise(() => {})) {
  const received = diary();
  const reports: string[] = [];
  let asked = 0;
  const feed = new MarketFeed(GAME, received.listener, {
    readBook: () => {
      asked += 1;
      return read();
    },
    clock: clockAt(NOON),
    backlog: 1000,
    snapshotMs: 60_000,
    doubtMs: 1000,
    retry: { initialDelay: 1, maxDelay: 1 },
    report: (reason) => reports.push(reason),
  });
  feed.connected();
  const tell = (message: object) => {
    for (const news of readFrame(JSON.stringify(message), ROUTES)) feed.take(news);
  };
  /** Lets the listener receive everything so far. */
  const lines = async () => {
    await setImmediate();
    return received.lines();
  };
  return { feed, tell, book: () => deliveredBook(received.events), lines, reports, asked: () => asked };
}
