import type { MarketId } from '../../core/ids.js';
import type { Slice } from '../../core/ledger/query.js';
import { type Market, NO_VENUE, unlistedMarket } from '../../core/market/market.js';
import type { Following, MarketData, MarketListener } from '../../ports/market-data.js';

/** Knows no market, and so accepts every market id: no metadata, no book. */
export class NoMarketData implements MarketData {
  /** Every market is at this venue. */
  constructor(readonly venue = NO_VENUE) {}

  async find(id: MarketId): Promise<Market> {
    return unlistedMarket(id, this.venue);
  }

  async search(): Promise<Slice<Market, string>> {
    return { items: [], next: null };
  }

  async book(): Promise<undefined> {}

  async follow(_market: Market, _listener: MarketListener): Promise<Following> {
    return { stop: () => {} };
  }
}
