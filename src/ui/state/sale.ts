import type { WireBook, WireHolding, WireMarket } from '../../adapters/http/answers.js';
import { formatMicro, parseMicro } from '../../core/money.js';
import { sizeOfShares, type TicketFigures, ticketFigures } from './ticket.js';

/** The sale of what is held of one outcome, as far as there are bids. */
export interface PlannedSale {
  /** The shares that bids take. */
  readonly shares: string;
  /** The lowest bid that it takes: the limit of its order. */
  readonly price: string;
  readonly sizeUsdc: string;
  readonly figures: TicketFigures;
  /** The shares that no bid takes, in millionths. */
  readonly left: bigint;
}

/** The sale at once of all shares of a position by its book, or why there is none as a sentence. */
export function planSale(held: WireHolding, market: WireMarket, book: WireBook): PlannedSale | string {
  if (!book.fresh) return 'Its book cannot be trusted now.';
  let left = parseMicro(held.shares);
  let price: string | null = null;
  for (const level of book.bids) {
    if (left <= 0n) break;
    price = level.price;
    left -= parseMicro(level.size);
  }
  if (price === null) return 'Nobody bids for it now.';
  const missing = left > 0n ? left : 0n;
  const shares = formatMicro(parseMicro(held.shares) - missing);
  const sizeUsdc = sizeOfShares(shares, price);
  const figures = ticketFigures({ side: 'SELL', price, sizeUsdc, timeInForce: 'FAK' }, market, book);
  return typeof figures === 'string' ? figures : { shares, price, sizeUsdc, figures, left: missing };
}

/** The command of the terminal that sells so with real money. */
export const saleCommand = ({ market_id, token, venue }: WireHolding, { sizeUsdc, price }: PlannedSale): string =>
  `stakeport sell ${market_id} ${token} --usdc ${sizeUsdc} --price ${price} --time-in-force FAK --venue ${venue} --live`;
