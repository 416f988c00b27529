import { NoMarketData } from '../../src/adapters/market-data/none.js';
import type { BookView } from '../../src/core/market/book.js';
import type { MarketData } from '../../src/ports/market-data.js';
import { NOON } from './builders.js';
import { levels } from './scripted-market.js';

const BOOK: BookView = { bids: levels('0.49x100'), asks: levels('0.51x100'), at: new Date(NOON), fresh: true };

/** Takes every market id as good, and shows the same book for each. */
export function quotedMarkets(): MarketData {
  return Object.assign(new NoMarketData(), { book: async () => BOOK });
}
