import * as v from 'valibot';
import type { Price, Shares } from '../../../core/money.js';
import { decimalOrNull } from '../../venue/decimals.js';
import { boundedText, exactPrice } from '../../venue/wire-types.js';
import { wordOf } from './answer.js';

const KNOWN = ['LIVE', 'MATCHED', 'CANCELED', 'CANCELED_MARKET_RESOLVED', 'INVALID', 'DELAYED', 'UNMATCHED'];
const MILLIONTHS = /^\d{1,24}$/;

const shape = v.object({
  id: v.pipe(boundedText, v.nonEmpty()),
  status: boundedText,
  market: boundedText,
  asset_id: boundedText,
  side: v.picklist(['BUY', 'SELL']),
  price: exactPrice,
  original_size: boundedText,
  size_matched: boundedText,
  order_type: v.nullish(boundedText, ''),
  associate_trades: v.nullish(v.array(boundedText), []),
});

/** An order as the venue shows it (`polymarket.md` 2.3). */
export interface VenueOrder {
  readonly venueOrderId: string;
  /** In upper case, without the prefix of some versions; an undocumented status is kept as received. */
  readonly status: string;
  /** False for an undocumented status: raise an alarm, and change nothing. */
  readonly isKnownStatus: boolean;
  readonly conditionId: string;
  readonly tokenId: string;
  readonly side: 'BUY' | 'SELL';
  readonly price: Price;
  /** As the venue wrote it; `sizesOf` reads it. */
  readonly originalSize: string;
  /** As the venue wrote it; `sizesOf` reads it. */
  readonly sizeMatched: string;
  readonly orderType: string;
  readonly tradeIds: readonly string[];
}

/** Reads an order of the wire. */
export const venueOrder = v.pipe(shape, v.transform(orderOf));

/**
 * The sizes of an order known to be for `asked` shares. The venue's documents disagree on whether sizes are decimals or
 * millionths (`polymarket.md` 2.3); the reading that makes the original size equal to `asked` holds for both. Null when
 * neither does.
 */
export function sizesOf(
  { originalSize, sizeMatched }: Pick<VenueOrder, 'originalSize' | 'sizeMatched'>,
  asked: Shares,
): { readonly original: Shares; readonly matched: Shares } | null {
  const read = [decimalOrNull, millionths].find((one) => one(originalSize) === asked);
  const matched = read?.(sizeMatched) ?? null;
  return matched === null ? null : { original: asked, matched: matched as Shares };
}

function millionths(text: string): bigint | null {
  return MILLIONTHS.test(text) ? BigInt(text) : null;
}

function orderOf(row: v.InferOutput<typeof shape>): VenueOrder {
  const status = wordOf(row.status, 'ORDER_STATUS_');
  return {
    venueOrderId: row.id,
    status,
    isKnownStatus: KNOWN.includes(status) || status.startsWith('CANCELED_'),
    conditionId: row.market,
    tokenId: row.asset_id,
    side: row.side,
    price: row.price,
    originalSize: row.original_size,
    sizeMatched: row.size_matched,
    orderType: row.order_type,
    tradeIds: row.associate_trades,
  };
}
