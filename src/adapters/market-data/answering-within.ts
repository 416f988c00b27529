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
  const inTime = deadline(ms);
  return {
    find: (asked, asker) => inTime(source.find(asked, asker)),
    book: (market, asker) => inTime(source.book(market, asker)),
  };
}

/**
 * What is asked for in one turn of the event loop has one timer: a timer for each answer took more time than the answers, 21 ms of 49
 * for the markets of 4,000 positions.
 */
function deadline(ms: number): <T>(answer: Promise<T>) => Promise<T> {
  let late: Promise<never> | null = null;
  const begin = () => {
    const begun = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new MarketDataUnavailable()), ms).unref();
    });
    // Nobody may be waiting by then.
    begun.catch(() => {});
    setImmediate(() => {
      late = null;
    });
    return begun;
  };
  return (answer) => {
    late ??= begin();
    return Promise.race([answer, late]);
  };
}
