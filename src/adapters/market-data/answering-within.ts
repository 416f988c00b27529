import { MarketDataUnavailable } from '../../core/errors.js';
import type { Market } from '../../core/market/market.js';
import type { Asker, MarketData } from '../../ports/market-data.js';

/** A source that finds markets, by the market names of its caller, and reads their books. */
export interface NamedMarkets<Name> {
  find(name: Name, asker?: Asker): Promise<Market | undefined>;
  book: MarketData['book'];
}

/**
 * Finds markets and reads books as `source` does, but an answer that takes longer than `ms` counts as none
 * (MarketDataUnavailable). The source may go on and keep what it then finds; nothing here waits for it.
 */
export function answeringWithin<Name>(ms: number, source: NamedMarkets<Name>): NamedMarkets<Name> {
  return {
    find: (asked, asker) => inTime(source.find(asked, asker), ms),
    book: (market, asker) => inTime(source.book(market, asker), ms),
  };
}

async function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new MarketDataUnavailable()), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
