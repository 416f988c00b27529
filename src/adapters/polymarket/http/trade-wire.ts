import * as v from 'valibot';
import type { Side } from '../../../core/market/side.js';
import { ONE, type Price } from '../../../core/money.js';
import { exactMicro } from '../../venue/decimals.js';
import { boundedText, exactPrice } from '../../venue/wire-types.js';
import { wordOf } from './answer.js';

const PROVISIONAL = ['MATCHED', 'MATCHED_NOT_BROADCASTED', 'MINED', 'RETRYING'];
const MATCH_SECONDS = /^\d{9,11}$/;
const MATCH_MILLISECONDS = /^\d{12,14}$/;

const id = v.pipe(boundedText, v.nonEmpty());
/** Members that are not needed to count a trade must not keep it from being read. */
const word = v.fallback(v.nullish(boundedText, ''), '');
const makerOrder = v.object({
  order_id: id,
  asset_id: v.nullish(boundedText, ''),
  owner: word,
  maker_address: word,
  side: word,
  matched_amount: boundedText,
  price: exactPrice,
});
const shape = v.object({
  id,
  taker_order_id: v.nullish(boundedText, ''),
  market: boundedText,
  asset_id: boundedText,
  owner: word,
  trader_side: word,
  side: word,
  size: boundedText,
  price: exactPrice,
  status: boundedText,
  match_time: v.nullish(boundedText),
  matchtime: v.nullish(boundedText),
  bucket_index: v.nullish(boundedText, ''),
  maker_orders: v.nullish(v.array(makerOrder), []),
});

/** What one order did in a trade. */
export interface TradePart {
  readonly venueOrderId: string;
  readonly tokenId: string;
  /** As the venue wrote it; `amountLike` reads it. */
  readonly size: string;
  readonly price: Price;
  readonly liquidity: 'TAKER' | 'MAKER';
  /** Null when the venue does not say. */
  readonly side: Side | null;
  /** The API key that the order belongs to; empty when the venue does not say. */
  readonly owner: string;
  /** The wallet that pays and is paid for a resting order; empty when the venue does not say. */
  readonly wallet: string;
}

/** A trade as the venue shows it, by REST or by the user stream (`polymarket.md` 2.3, 5). */
export interface VenueTrade {
  readonly tradeId: string;
  readonly conditionId: string;
  /** The taker's part first; it has the price and the size of the whole trade, the others those of a resting order. */
  readonly parts: readonly TradePart[];
  readonly status: 'provisional' | 'confirmed' | 'failed';
  /** The venue's status in upper case, without the prefix of some versions. */
  readonly rawStatus: string;
  /** False for an undocumented status: it counts as provisional, and is worth an alarm. */
  readonly isKnownStatus: boolean;
  /** The side that the venue says the reader was on, `TAKER` or `MAKER`; empty when it does not say. */
  readonly traderSide: string;
  /** When the engine matched it; null when the venue does not say. */
  readonly at: Date | null;
  /** Which part of one match this is, when several transactions settle it; empty when the venue does not say. */
  readonly bucket: string;
}

/** Reads a trade of the wire. */
export const venueTrade = v.pipe(shape, v.transform(tradeOf));

/** The venue's names for the account that reads: the id of its API key, and the wallet that pays for its orders. */
export interface AccountNames {
  readonly apiKey: string;
  readonly wallet?: string | undefined;
}

/** The parts of a trade that the venue says are ours; all of them when it does not say. */
export function oursIn({ parts, traderSide }: VenueTrade, { apiKey, wallet }: AccountNames): readonly TradePart[] {
  const isTaker = (taker: TradePart) => traderSide === 'TAKER' || (traderSide === '' && taker.owner === apiKey);
  const isMaker = (maker: TradePart) =>
    maker.owner === apiKey || (maker.wallet !== '' && maker.wallet.toLowerCase() === wallet?.toLowerCase());
  const ours = parts.filter((part) => (part.liquidity === 'TAKER' ? isTaker(part) : isMaker(part)));
  return ours.length === 0 ? parts : ours;
}

function tradeOf(row: v.InferOutput<typeof shape>): VenueTrade {
  const status = wordOf(row.status, 'TRADE_STATUS_');
  return {
    tradeId: row.id,
    conditionId: row.market,
    parts: partsOf(row),
    status: status === 'CONFIRMED' ? 'confirmed' : status === 'FAILED' ? 'failed' : 'provisional',
    rawStatus: status,
    isKnownStatus: status === 'CONFIRMED' || status === 'FAILED' || PROVISIONAL.includes(status),
    traderSide: row.trader_side,
    at: momentOf(row.match_time ?? row.matchtime ?? ''),
    bucket: row.bucket_index,
  };
}

function partsOf(row: v.InferOutput<typeof shape>): TradePart[] {
  const { taker_order_id, asset_id, size, price, owner } = row;
  const taker: TradePart = {
    venueOrderId: taker_order_id,
    tokenId: asset_id,
    size,
    price,
    liquidity: 'TAKER',
    side: sideOf(row.side),
    owner,
    wallet: '',
  };
  const makers = row.maker_orders.map(
    (one): TradePart => ({
      venueOrderId: one.order_id,
      tokenId: one.asset_id,
      size: one.matched_amount,
      price: one.price,
      liquidity: 'MAKER',
      side: sideOf(one.side),
      owner: one.owner,
      wallet: one.maker_address,
    }),
  );
  return taker_order_id === '' ? makers : [taker, ...makers];
}

const sideOf = (side: string): Side | null => (side === 'BUY' || side === 'SELL' ? side : null);

/** Seconds or milliseconds since 1970, or ISO: all three have been seen. */
function momentOf(text: string): Date | null {
  if (MATCH_SECONDS.test(text)) return new Date(Number(text) * 1000);
  const moment = new Date(MATCH_MILLISECONDS.test(text) ? Number(text) : text);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/**
 * A trade's name within its order, the same by REST and by the stream, which need not agree on anything else
 * (`polymarket.md` 5).
 */
export const tradeKey = ({ tradeId }: Pick<VenueTrade, 'tradeId'>): string => tradeId;

/** A better price multiplies the shares of a purchase, at most from the highest to the lowest price of a coarse grid. */
const MOST_OVER = 100n;
/**
 * An amount that the venue may write in two ways, as a decimal ("14.925372") or as a whole number of millionths
 * ("14925372"): its documents disagree (`polymarket.md` 2.3, 3.7). With a point it is a decimal. Without one it is also a
 * decimal, unless that would exceed a hundred times the `asked` amount while the millionths would not. A wrong guess at the
 * edge is a fill far above the order, which cannot go unnoticed.
 * @throws AmountMalformed
 */
export function amountLike(text: string, asked: bigint): bigint {
  const digits = /^\d{1,24}$/.test(text) ? BigInt(text) : null;
  const most = asked * MOST_OVER;
  return digits !== null && digits * ONE > most && digits <= most ? digits : exactMicro(text);
}
