import { AmountMalformed } from '../../../core/errors.js';
import { FeeMeter } from '../../../core/market/fee.js';
import { NO_USDC, ONE, type Price, type Shares, type Usdc } from '../../../core/money.js';
import type { Execution, Order } from '../../../core/order/order.js';
import type { Accepted } from '../../../ports/exchange.js';
import { decimalOrNull } from '../../venue/decimals.js';
import type { Alarm } from '../../venue/order-results.js';
import { sizesOf, type VenueOrder } from '../http/order-wire.js';
import { amountLike, type TradePart, tradeKey, type VenueTrade } from '../http/trade-wire.js';
import { type OwnUnsigned, unsignedShares } from './unsigned-order.js';

/** What an account's trades prove of one order. */
export interface TradeEvidence {
  /** Trades that stand, in the order in which they were matched; failed trades are left out. */
  readonly executions: readonly Execution[];
  /** Keys of the trades that the venue has undone for good. */
  readonly failed: readonly string[];
  /** Shares in all of its trades, including failed ones. */
  readonly traded: bigint;
  /** True when any trade names the order, which proves that it arrived. */
  readonly named: boolean;
  /** False when a part of the order could not be read, so that `traded` may be too little. */
  readonly whole: boolean;
}

type Intended = Pick<Order, 'intent'>;

/**
 * The executions of an order in these trades, in any order and with any repetition: a trade counts once, and a confirmed or
 * failed trade stays so. The same trade always gives the same execution.
 */
export function evidenceIn(
  { intent }: Intended,
  own: OwnUnsigned,
  trades: readonly VenueTrade[],
  alarm: Alarm,
): TradeEvidence {
  const found: { readonly execution: Execution; readonly failed: boolean; readonly at: number }[] = [];
  let whole = true;
  const hash = own.hash.toLowerCase();
  const mine: OwnOrder = { shares: unsignedShares(own) as Shares, fee: (part) => feeOf(intent, part) };
  const odd = (one: TradeAlarm) => {
    whole &&= one.kind !== 'unreadable_part' && one.kind !== 'two_prices';
    alarm(`${one.kind} in trade ${one.tradeId}`, own.hash);
  };
  let named = false;
  for (const trade of eachOnce(trades)) {
    if (!trade.parts.some(({ venueOrderId }) => venueOrderId.toLowerCase() === hash)) continue;
    named = true;
    if (isInParts(trade, trades)) {
      whole = false;
      alarm(`trade ${trade.tradeId} came in several parts under one id`, own.hash);
    }
    for (const fill of fillsOf(trade, (id) => (id === hash ? mine : undefined), odd)) {
      if (fill.tokenId !== '' && fill.tokenId !== `${own.struct.tokenId}`) {
        whole = false;
        alarm(`another token in trade ${fill.tradeId}`, own.hash);
        continue;
      }
      const { shares, price, fee, liquidity, status, at } = fill;
      const confirmed = status === 'confirmed';
      const execution = { tradeId: tradeKey(trade), shares, price, fee, liquidity, confirmed, model: null };
      found.push({ execution, failed: status === 'failed', at: at?.getTime() ?? 0 });
    }
  }
  found.sort((one, other) => one.at - other.at || compare(one.execution.tradeId, other.execution.tradeId));
  const executions = found.filter(({ failed }) => !failed).map(({ execution }) => execution);
  const failed = found.filter((one) => one.failed).map(({ execution }) => execution.tradeId);
  const traded = found.reduce((sum, { execution }) => sum + execution.shares, 0n);
  return { executions, failed, traded, named, whole };
}

/** The venue has the order, with what its trades prove of it. */
export function acceptedBy({ hash }: OwnUnsigned, { executions, failed }: Proof, rest: Accepted['rest']): Accepted {
  return { kind: 'accepted', venueOrderId: hash, executions, failed, rest };
}

type Proof = Pick<TradeEvidence, 'executions' | 'failed'>;

/**
 * The state of the shares that are in no trade that stands, from what the venue shows of the order. `shown` is null when it
 * shows nothing; `isOver` is knowledge from elsewhere that no further trade will come. An order that has ended counts as
 * open until all of its trades are seen: until then its money stays reserved.
 */
export function restOf(
  { intent }: Intended,
  own: OwnUnsigned,
  shown: VenueOrder | null,
  evidence: TradeEvidence,
  alarm: Alarm,
  isOver = false,
): Accepted['rest'] {
  const known = evidence.executions.reduce((sum, { shares }) => sum + shares, 0n);
  const ended = known >= intent.shares ? 'none' : 'cancelled';
  if (isOver || (evidence.whole && known >= unsignedShares(own))) return ended;
  if (shown === null) return 'open';
  if (!shown.isKnownStatus) alarm(`unknown status ${shown.status}`, own.hash);
  if (shown.status === 'DELAYED' && !evidence.named) return 'delayed';
  if (!hasEnded(shown)) return 'open';
  const sizes = sizesOf(shown, unsignedShares(own) as Shares);
  if (sizes === null) alarm('sizes that are not those of the order', own.hash);
  if (sizes === null || !evidence.whole || evidence.traded < sizes.matched) return 'open';
  return ended;
}

/** The venue shows a different order from the one we signed: nothing that it reports can be taken as ours. */
export function isAnother(own: OwnUnsigned, { tokenId, side }: VenueOrder): boolean {
  return tokenId !== `${own.struct.tokenId}` || (side === 'BUY' ? 0 : 1) !== own.struct.side;
}

/** One lookup shows a trade twice, as two parts of a match: its id does not say which of them is meant. */
const isInParts = ({ tradeId, bucket }: VenueTrade, trades: readonly VenueTrade[]): boolean =>
  trades.some((other) => other.tradeId === tradeId && other.bucket !== bucket && other.bucket !== '' && bucket !== '');

function eachOnce(trades: readonly VenueTrade[]): Iterable<VenueTrade> {
  const last = new Map<string, VenueTrade>();
  for (const trade of trades) {
    const key = tradeKey(trade);
    if ((last.get(key)?.status ?? 'provisional') === 'provisional') last.set(key, trade);
  }
  return last.values();
}

/** The order's status at the venue means that it no longer rests; some of its trades may still be reported later. */
export function hasEnded({ status }: Pick<VenueOrder, 'status'>): boolean {
  return status === 'MATCHED' || status === 'INVALID' || status === 'CANCELED' || status.startsWith('CANCELED_');
}

/** By the order's fee schedule, for each trade by itself, as the venue charges: no trade's fee depends on another trade. */
function feeOf({ feeSchedule }: Order['intent'], { shares, price, liquidity }: FeePart): Usdc {
  if (feeSchedule === null || (feeSchedule.takerOnly && liquidity === 'MAKER')) return NO_USDC;
  return new FeeMeter(feeSchedule).charge(shares, price);
}

type FeePart = Parameters<OwnOrder['fee']>[0];

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

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
