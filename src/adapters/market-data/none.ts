import type { MarketId } from '../../core/ids.js';
import type { Slice } from '../../core/ledger/query.js';
import { type Market, unlistedMarket } from '../../core/market/market.js';
import type { Following, MarketData, MarketListener } from '../../ports/market-data.js';

/** Knows nothing of any market, and so takes every market id as good: no metadata, no book. */
export class NoMarketData implements MarketData {
  async find(id: MarketId): Promise<Market> {
    return unlistedMarket(id);
  }

  async search(): Promise<Slice<Market, string>> {
    return { items: [], next: null };
  }

  async book(): Promise<undefined> {}

  async follow(_market: Market, _listener: MarketListener): Promise<Following> {
    return { stop: () => {} };
  }
}

/** What such a server shows of markets: none at all. An order may name any market, but there is nothing of it to read. */
export const nothingToRead: Pick<MarketData, 'find' | 'search' | 'book'> = {
  find: async () => undefined,
  search: async () => ({ items: [], next: null }),
  book: async () => undefined,
};
