import type { WireFeed, WireHolding } from '../../adapters/http/answers.js';
import { formatMicro } from '../../core/money.js';
import { microOf } from './amounts.js';

/** What a reading of marks contains of a position. */
export type MarkRow = Pick<WireHolding, 'market_id' | 'token' | 'venue' | 'shares' | 'mark_price' | 'value_usdc'>;

const nameOf = ({ venue, market_id, token }: Pick<WireHolding, 'venue' | 'market_id' | 'token'>): string =>
  `${venue} ${market_id} ${token}`;

/** The positions at their newest marks. One whose shares have changed since stays until it is read again. */
export function withMarks(positions: readonly WireHolding[], marks: readonly MarkRow[]): WireHolding[] {
  const newest = new Map(marks.map((mark) => [nameOf(mark), mark]));
  return positions.map((held) => {
    const mark = newest.get(nameOf(held));
    if (mark === undefined || mark.shares !== held.shares) return held;
    const { mark_price, value_usdc } = mark;
    const gained = microOf(value_usdc) - microOf(held.cost_usdc);
    return { ...held, mark_price, value_usdc, unrealised_usdc: mark_price === null ? null : formatMicro(gained) };
  });
}

const marketOf = ({ venue, market_id }: Pick<WireFeed, 'venue' | 'market_id'>): string => `${venue} ${market_id}`;

/** The books by market, to look one up for each position. */
export const feedByMarket = (markets: readonly WireFeed[]): ReadonlyMap<string, WireFeed> =>
  new Map(markets.map((market) => [marketOf(market), market]));

/** The book that the mark of a position comes from; undefined before it is known. */
export const feedFor = (books: ReadonlyMap<string, WireFeed> | undefined, held: WireHolding): WireFeed | undefined =>
  books?.get(marketOf(held));
