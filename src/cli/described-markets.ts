import { DomainError } from '../core/errors.js';
import { type Market, type MarketRef, marketName, unlistedMarket } from '../core/market/market.js';
import { marketsAt } from '../core/venues/venues.js';
import type { MarketDirectory } from '../ports/venue.js';
import { configuredMarketData } from '../server/settings/configured.js';
import { adapterNamed } from '../server/venues.js';
import { openMarketSource } from '../server/wiring/market-source.js';

/** Markets by the names of venue and market. */
export type MarketsByName = ReadonlyMap<string, Market>;

/** Each as its venue describes it, where MARKET_DATA is on; without that a market is known by its venue and id alone. */
export async function describedMarkets(refs: readonly MarketRef[]): Promise<MarketsByName> {
  const venues = [...new Set(refs.map(({ venue }) => venue))];
  const configs = configuredMarketData(venues.filter((venue) => adapterNamed(venue) !== undefined));
  const sources = await Promise.all(configs.map((config) => openMarketSource(config, () => {})));
  try {
    return await described(refs, marketsAt(...sources.map(({ data }) => data)));
  } finally {
    for (const source of sources) await source.close();
  }
}

async function described(refs: readonly MarketRef[], source: Pick<MarketDirectory, 'find'>): Promise<MarketsByName> {
  const markets = new Map<string, Market>();
  for (const ref of refs) {
    const name = marketName(ref);
    if (markets.has(name)) continue;
    const found = await source.find(ref).catch((error: unknown) => {
      if (error instanceof DomainError) return undefined;
      throw error;
    });
    markets.set(name, found ?? unlistedMarket(ref.marketId, ref.venue));
  }
  return markets;
}

/** The game of a market and its question, or as much as is known. */
export function marketTitle({ event, question, id }: Market): string {
  const parts = [...new Set([event?.title, question])].filter((part) => typeof part === 'string');
  return parts.length === 0 ? id : parts.join(': ');
}
