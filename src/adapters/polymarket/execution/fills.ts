import { AmountMalformed } from '../../../core/errors.js';
import { ONE, type Price, type Shares, type Usdc } from '../../../core/money.js';
import { amountLike, decimalOrNull } from '../http/decimals.js';
import type { TradePart, VenueTrade } from '../http/trade-wire.js';

/** What one of our orders filled in one trade; `tradeId` and `venueOrderId` together are its key. */
export interface VenueFill {
  readonly tradeId: string;
  readonly venueOrderId: string;
  readonly tokenId: string;
  readonly shares: Shares;
  readonly price: Price;
  readonly fee: Usdc;
  readonly liquidity: 'TAKER' | 'MAKER';
  /** `failed` undoes the fill. */
  readonly status: 'provisional' | 'confirmed' | 'failed';
  /** When the engine matched it; null when the venue does not say. */
  readonly at: Date | null;
}

/** What is known of one of our orders, to read its fills. */
export interface OwnOrder {
  /** The order's size in shares. */
  readonly shares: Shares;
  /** The fee of a part; the venue's trades do not give it as money (`polymarket.md` 3.5). */
  fee(part: { readonly shares: Shares; readonly price: Price; readonly liquidity: 'TAKER' | 'MAKER' }): Usdc;
}

/** An inconsistency in a trade. */
export type TradeAlarm = { readonly tradeId: string } & (
  | { readonly kind: 'unknown_status'; readonly status: string }
  | { readonly kind: 'unreadable_part' | 'two_prices' | 'makers_disagree'; readonly venueOrderId: string }
);

/**
 * The fills of our orders in a trade, as taker or maker; one trade may hold several. `ownOrder` finds one of our orders by
 * the venue's id in lower case. A part that cannot be read is left out, with an alarm. The taker's price is the trade's own;
 * an alarm is raised when the makers' parts add up to a different one.
 */
export function fillsOf(
  trade: VenueTrade,
  ownOrder: (venueOrderId: string) => OwnOrder | undefined,
  alarm: (alarm: TradeAlarm) => void,
): VenueFill[] {
  const { tradeId } = trade;
  if (!trade.isKnownStatus) alarm({ kind: 'unknown_status', tradeId, status: trade.rawStatus });
  const fills = new Map<string, VenueFill>();
  for (const part of trade.parts) {
    const venueOrderId = part.venueOrderId.toLowerCase();
    const own = ownOrder(venueOrderId);
    if (own === undefined) continue;
    const size = sizeOf(part, own);
    if (makersDisagree(trade, part)) alarm({ kind: 'makers_disagree', tradeId, venueOrderId });
    const earlier = fills.get(venueOrderId);
    if (size === null) alarm({ kind: 'unreadable_part', tradeId, venueOrderId });
    else if (earlier !== undefined && earlier.price !== part.price)
      alarm({ kind: 'two_prices', tradeId, venueOrderId });
    else
      fills.set(
        venueOrderId,
        fillOf(trade, { ...part, venueOrderId }, (size + (earlier?.shares ?? 0n)) as Shares, own),
      );
  }
  return [...fills.values()];
}

function fillOf({ tradeId, status, at }: VenueTrade, part: TradePart, shares: Shares, own: OwnOrder): VenueFill {
  const { venueOrderId, tokenId, price, liquidity } = part;
  const fee = own.fee({ shares, price, liquidity });
  return { tradeId, venueOrderId, tokenId, shares, price, fee, liquidity, status, at };
}

function sizeOf({ size }: TradePart, own: OwnOrder): bigint | null {
  try {
    const shares = amountLike(size, own.shares);
    return shares > 0n ? shares : null;
  } catch (error) {
    if (error instanceof AmountMalformed) return null;
    throw error;
  }
}

/** True when the resting orders account for all of the taken shares, but not for the money. */
function makersDisagree({ parts }: VenueTrade, taker: TradePart): boolean {
  const size = decimalOrNull(taker.size);
  if (taker.liquidity !== 'TAKER' || size === null) return false;
  let taken = 0n;
  let money = 0n;
  for (const maker of parts) {
    if (maker === taker) continue;
    const shares = decimalOrNull(maker.size) ?? 0n;
    taken += shares;
    // A token and its complement are minted together, for one dollar.
    money += shares * (maker.tokenId === taker.tokenId ? maker.price : ONE - maker.price);
  }
  return taken === size && money !== size * taker.price;
}
