import { expect } from 'vitest';
import {
  MarketStream,
  type MarketStreamOptions,
} from '../../../../src/adapters/polymarket/market-data/market-stream.js';
import type { MarketChange, MarketEvent } from '../../../../src/core/market/event.js';
import { formatMicro } from '../../../../src/core/money.js';
import { clockAt, NOON } from '../../../support/builders.js';
import { eventually } from '../../../support/eventually.js';
import { FakeMarketSocket } from '../../../support/fake-polymarket/socket.js';

/** Waits until this holds, and fails with what does not. */

/** A stream that listens to a venue of its own on loopback, with short times, and no other source of books. */
export async function listening(changes: Partial<MarketStreamOptions> = {}) {
  const venue = await FakeMarketSocket.start();
  const reports: string[] = [];
  const stream = new MarketStream({
    url: venue.url,
    readBook: () => Promise.reject(new Error('no book is read here')),
    clock: clockAt(NOON),
    retry: { initialDelay: 5, maxDelay: 20 },
    report: (reason) => reports.push(reason),
    ...changes,
  });
  const close = async () => {
    await stream.close();
    await venue.stop();
  };
  return { venue, stream, reports, close };
}

/** A listener that writes down each event as a short text, such as `book 0.4x10 / 0.5x3`. */
export function diary() {
  const events: MarketEvent[] = [];
  const lines = () => events.map(inShort);
  const listener = (event: MarketEvent) => {
    events.push(event);
  };
  /** Waits until these are all the lines from `start` on. */
  const reads = (expected: readonly string[], start = 0) =>
    eventually(() => expect(lines().slice(start)).toEqual(expected));
  return { events, lines, listener, reads };
}

function inShort(event: MarketChange): string {
  const level = ({ price, shares }: { price: bigint; shares: bigint }) =>
    `${formatMicro(price)}x${formatMicro(shares)}`;
  switch (event.type) {
    case 'book':
      return `book ${event.bids.map(level).join(' ')} / ${event.asks.map(level).join(' ')}`;
    case 'levels':
      return `levels ${event.changes.map((change) => `${change.side} ${level(change)}`).join(' ')}`;
    case 'trade':
      return `trade ${event.taker} ${level(event)}`;
    case 'mid':
      return `mid ${formatMicro(event.price)}`;
    case 'tick':
      return `tick ${formatMicro(event.tick)}`;
    case 'market':
      return 'market';
    case 'gap':
      return `gap: ${event.reason}`;
  }
}
