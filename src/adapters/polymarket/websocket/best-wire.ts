import { AmountMalformed } from '../../../core/errors.js';
import { mirrored } from '../../../core/market/book.js';
import type { BookSide } from '../../../core/market/event.js';
import type { OutcomeSide } from '../../../core/market/market.js';
import type { Price } from '../../../core/money.js';
import { priceIn } from '../../venue/decimals.js';

const MAX_LENGTH = 40;

/** The best prices that the venue reports: null for a side reported empty, absent when it does not say. */
export type BestPrices = Partial<Readonly<Record<BookSide, Price | null>>>;

/** The best prices of a token, in terms of the first outcome. What cannot be read is absent. */
export function wireBest(outcome: OutcomeSide, bid: string, ask: string): BestPrices {
  const [bids, asks] = outcome === 'YES' ? [priceOf(bid), priceOf(ask)] : [mirror(priceOf(ask)), mirror(priceOf(bid))];
  return { ...(bids !== undefined && { bids }), ...(asks !== undefined && { asks }) };
}

function priceOf(text: string): Price | null | undefined {
  if (text === '') return undefined;
  if (isNobody(text)) return null;
  try {
    return priceIn(text);
  } catch (error) {
    if (error instanceof AmountMalformed) return undefined;
    throw error;
  }
}

const mirror = (price: Price | null | undefined) => (price === null || price === undefined ? price : mirrored(price));

/** With a bid of 0, or an offer of 1, the venue reports an empty side. */
function isNobody(text: string): boolean {
  const rest = text.startsWith('1') ? text.slice(1) : text;
  return rest.length <= MAX_LENGTH && [...rest].every((character) => character === '0' || character === '.');
}
