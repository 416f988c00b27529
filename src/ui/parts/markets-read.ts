import { useEffect, useState } from 'preact/hooks';
import type { WireBook, WireHolding, WireMarket } from '../../adapters/http/answers.js';
import { api } from '../net/api.js';
import { useReading } from './use-store.js';

/** A market, as rows name theirs. */
type NamedMarket = Pick<WireHolding, 'market_id' | 'venue'>;

const pathOf = ({ market_id: id, venue }: NamedMarket, below = ''): string =>
  `/v1/exchange/markets/${encodeURIComponent(id)}${below}?venue=${encodeURIComponent(venue)}`;

const AT_ONCE = 4;
const known = new Map<string, WireMarket>();

/** The markets of the first rows by their ids, read once each. */
export function useMarkets(rows: readonly NamedMarket[], most: number): ReadonlyMap<string, WireMarket> {
  const [, redraw] = useState(0);
  const first = new Map(rows.slice(0, most).map((row) => [row.market_id, row]));
  const wanted = [...first.values()].filter(({ market_id }) => !known.has(market_id));
  const names = wanted.map(({ market_id }) => market_id).join();
  useEffect(() => {
    let isOver = false;
    const queue = [...wanted];
    const work = async () => {
      for (let next = queue.pop(); next !== undefined && !isOver; next = queue.pop()) {
        const market = await api<WireMarket>(pathOf(next)).catch(() => null);
        if (market !== null) known.set(next.market_id, market);
      }
    };
    void Promise.all(Array.from({ length: AT_ONCE }, work)).then(() => isOver || redraw((count) => count + 1));
    return () => {
      isOver = true;
    };
  }, [names]);
  return known;
}

/** The time in a market by the clock of the service, in milliseconds: on a recording that of the recording. Null while it is not known. */
export function useMarketTime(market: NamedMarket | undefined, everyMs: number): number | null {
  const path = market === undefined ? null : pathOf(market, '/book');
  const read = (signal: AbortSignal) => (path === null ? Promise.resolve(null) : api<WireBook>(path, { signal }));
  const { value } = useReading<WireBook | null>(path ?? '', read, path === null ? undefined : everyMs);
  return value === null ? null : Date.parse(value.now);
}
