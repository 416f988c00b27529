import { recordTape } from '../../../../src/adapters/tape/tape-recorder.js';
import type { MarketId } from '../../../../src/core/ids.js';
import { NO_VENUE, unlistedMarket } from '../../../../src/core/market/market.js';
import { price, shares } from '../../../../src/core/money.js';
import type { MarketData, MarketListener } from '../../../../src/ports/market-data.js';

const [, , out = ''] = process.argv;

/** Trades without end, of one share more each time, after a book. */
async function trades(listener: MarketListener): Promise<void> {
  await listener({ type: 'book', bids: [], asks: [], at: new Date() });
  for (let count = 1; count < 1_000_000; count += 1) {
    await listener({ type: 'trade', price: price('0.5'), shares: shares(`${count}`), taker: 'BUY', at: new Date() });
    if (count % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const source: MarketData = {
  venue: NO_VENUE,
  find: async () => undefined,
  search: async () => ({ items: [], next: null }),
  book: async () => undefined,
  follow: async (_market, listener) => {
    void trades(listener);
    return { stop: () => {} };
  },
};

await recordTape({
  markets: [unlistedMarket('0xrain' as MarketId)],
  source,
  clock: { now: () => new Date() },
  out,
  progress: ({ events, bytes }) => process.stdout.write(`${events} events in ${bytes} bytes are written\n`),
  signal: new AbortController().signal,
});
