import { expect, test } from 'vitest';
import { NoMarketData } from '../../../src/adapters/market-data/no-market-data.js';
import { TimedMarketData } from '../../../src/adapters/market-data/timed-market-data.js';
import type { MarketEvent } from '../../../src/core/market/event.js';
import type { Market } from '../../../src/core/market/market.js';
import type { Following, MarketListener } from '../../../src/ports/market-data.js';
import { aMarket } from '../../support/scripted-market.js';

/** A source whose markets say what the test says. */
class Spoken extends NoMarketData {
  readonly listeners: MarketListener[] = [];
  stopped = 0;

  override async follow(_: Market, listener: MarketListener): Promise<Following> {
    this.listeners.push(listener);
    const stop = () => {
      this.stopped += 1;
    };
    return { stop };
  }
}

const at = new Date(0);
const BOOK: MarketEvent = { type: 'book', at, bids: [], asks: [] };

test('a feed is as old as its newest event other than gaps', async () => {
  let now = 1000;
  const source = new Spoken();
  const heard = new TimedMarketData(source, () => now);
  expect([heard.silentMs, heard.followed]).toEqual([null, 0]);
  now = 5000;
  const told: MarketEvent[] = [];
  const first = await heard.follow(aMarket(), (event) => void told.push(event));
  const second = await heard.follow(aMarket(), () => {});
  expect([heard.silentMs, heard.followed]).toEqual([0, 2]);
  now = 8000;
  source.listeners[1]?.({ type: 'gap', at, reason: 'the connection broke' });
  expect(heard.silentMs).toBe(3000);
  source.listeners[0]?.(BOOK);
  expect([heard.silentMs, told]).toEqual([0, [BOOK]]);
  second.stop();
  second.stop();
  expect([heard.followed, source.stopped]).toEqual([1, 2]);
  first.stop();
  expect([heard.silentMs, heard.followed]).toEqual([null, 0]);
});

test('a timed feed waits for its listener, as any feed does', async () => {
  const source = new Spoken();
  const heard = new TimedMarketData(source, () => 0);
  const taken = Promise.resolve();
  await heard.follow(aMarket(), () => taken);
  expect(source.listeners[0]?.(BOOK)).toBe(taken);
});
