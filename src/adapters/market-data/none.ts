import type { MarketId } from '../../core/ids.js';
import { CENTI_SHARE, type Market } from '../../core/market/market.js';
import type { MarketData } from '../../ports/market-data.js';

/** Knows nothing of any market, and so takes every market id as good: no metadata, no book. */
export class NoMarketData implements MarketData {
  async find(id: MarketId): Promise<Market> {
    return { id, slug: null, conditionId: null, question: null, outcomeLabels: null, lot: CENTI_SHARE };
  }
}
