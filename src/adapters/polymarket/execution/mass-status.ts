import type { MarketId } from '../../../core/ids.js';
import { AMOUNT_LIMIT, type Shares } from '../../../core/money.js';
import type { Order } from '../../../core/order/order.js';
import type { OrderStatusReport, Unknown } from '../../../ports/exchange.js';
import type { MassStatus, NamedOrder } from '../../../ports/venue-adapter.js';
import type { NoAnswer } from '../../transport/result.js';
import { decimalOrNull } from '../../venue/decimals.js';
import { type Alarm, unknown } from '../../venue/order-results.js';
import type { ClobTrading } from '../http/clob-trading.js';
import { sizesOf, type VenueOrder } from '../http/order-wire.js';
import type { Paged } from '../http/paged.js';
import { type AccountNames, oursIn, type TradePart, type VenueTrade } from '../http/trade-wire.js';
import { mayName, namedInRow } from '../http/unreadable.js';
import { acceptedBy, evidenceIn, isAnother, restOf, type TradeEvidence } from './trade-evidence.js';
import { type OwnUnsigned, unsignedIn, unsignedShares } from './unsigned-order.js';

/** The dependencies of a mass status. */
export interface MassStatusOptions {
  readonly clob: Pick<ClobTrading, 'openOrders' | 'trades'>;
  readonly names: AccountNames;
  readonly alarm: Alarm;
  /** How far the venue's clock is ahead of ours, in milliseconds. */
  readonly offsetMs: number;
  /** Looks up a single order. */
  find(order: Order): Promise<OrderStatusReport>;
  /** Called with the id of each order that is shown. */
  onShown(venueOrderId: string): void;
}

/** The venue counts whole seconds, and our measure of its clock is a little off. */
const MARGIN_MS = 60_000;

/**
 * All open orders of the account, then all of its trades since that moment of our clock, so that trades between the two
 * reads are seen. Unknown when either list was not read to its end.
 */
export async function massStatusOf(options: MassStatusOptions, since: Date): Promise<MassStatus | Unknown> {
  const from = since.getTime() + options.offsetMs;
  const open = await options.clob.openOrders();
  if (!isRead(open)) return unknown(`The venue did not return all open orders${reasonOf(open)}.`);
  const trades = await options.clob.trades({ after: new Date(from - MARGIN_MS) });
  if (!isRead(trades)) return unknown(`The venue did not return all trades${reasonOf(trades)}.`);
  const odd = [...open.unreadable, ...trades.unreadable];
  for (const row of odd) reportUnreadable(row, options.alarm);
  return new Look(options, from, open.items, trades.items, odd);
}

/** The orders named in these, each once, by id in lower case; a resting order takes precedence over a trade. */
export function namedIn(
  open: readonly VenueOrder[],
  trades: readonly { readonly conditionId: string; readonly ours: readonly TradePart[] }[],
): NamedOrder[] {
  const named = new Map<string, NamedOrder>();
  for (const { conditionId, ours } of trades) {
    for (const part of ours) {
      const key = part.venueOrderId.toLowerCase();
      named.set(key, partOf(conditionId, part, named.get(key)));
    }
  }
  for (const order of open) named.set(order.venueOrderId.toLowerCase(), restingOf(order));
  return [...named.values()];
}

class Look implements MassStatus {
  readonly kind = 'mass_status';
  readonly unread: string | null;
  readonly named: readonly NamedOrder[];
  readonly #open: ReadonlyMap<string, VenueOrder>;

  constructor(
    private readonly options: MassStatusOptions,
    private readonly from: number,
    open: readonly VenueOrder[],
    private readonly trades: readonly VenueTrade[],
    private readonly odd: readonly unknown[],
  ) {
    this.unread = odd.length === 0 ? null : `${odd.length} orders or trades of the wallet cannot be read`;
    this.#open = new Map(open.map((order) => [order.venueOrderId.toLowerCase(), order]));
    const ours = trades.map((trade) => ({ conditionId: trade.conditionId, ours: oursIn(trade, options.names) }));
    this.named = namedIn(open, ours);
  }

  /** From the mass status alone when it is conclusive; else by a lookup of this order. */
  async reportOf(order: Order): Promise<OrderStatusReport> {
    const own = unsignedIn(order);
    const shown = own === null ? undefined : this.#open.get(own.hash.toLowerCase());
    if (own === null || (shown !== undefined && isAnother(own, shown))) return this.options.find(order);
    const { alarm } = this.options;
    const evidence = evidenceIn(order, own, this.trades, alarm);
    const explains = shown === undefined ? this.#isFilled(own, evidence) : this.#agrees(own, shown, evidence);
    if (mayName(this.odd, own.hash) || !evidence.whole || !explains) return this.options.find(order);
    if (shown !== undefined) this.options.onShown(own.hash);
    return acceptedBy(own, evidence, restOf(order, own, shown ?? null, evidence, alarm));
  }

  /** Every share of the order is in a trade that stands, and the mass status holds every trade that the order can have. */
  #isFilled(own: OwnUnsigned, { executions }: TradeEvidence): boolean {
    return this.#holdsAll(own) && executions.reduce((sum, { shares }) => sum + shares, 0n) >= unsignedShares(own);
  }

  /** The resting order shows no trade beyond those of the mass status. */
  #agrees(own: OwnUnsigned, shown: VenueOrder, { traded, failed }: TradeEvidence): boolean {
    const sizes = sizesOf(shown, unsignedShares(own) as Shares);
    if (sizes === null || !shown.isKnownStatus || traded < sizes.matched) return false;
    return this.#holdsAll(own) || (failed.length === 0 && traded === sizes.matched);
  }

  #holdsAll({ struct }: OwnUnsigned): boolean {
    return Number(struct.timestamp) >= this.from;
  }
}

function restingOf({ venueOrderId, conditionId, tokenId, side, price, originalSize }: VenueOrder): NamedOrder {
  const named = {
    venueOrderId: venueOrderId.toLowerCase(),
    marketId: conditionId as MarketId,
    tokenId: tokenId || null,
    side,
  };
  return { ...named, price, shares: sharesIn(originalSize), resting: true };
}

/** A trade gives the order's filled size, not its full size: the parts of several trades are added up. */
function partOf(conditionId: string, part: TradePart, before: NamedOrder | undefined): NamedOrder {
  const { tokenId, side, price, size } = part;
  const venueOrderId = part.venueOrderId.toLowerCase();
  const added = before === undefined ? sharesIn(size) : sumOf(before.shares, sharesIn(size));
  return {
    venueOrderId,
    marketId: conditionId as MarketId,
    tokenId: tokenId || null,
    side,
    price,
    shares: added,
    resting: false,
  };
}

function sumOf(one: Shares | null, other: Shares | null): Shares | null {
  return one === null || other === null || one + other >= AMOUNT_LIMIT ? null : ((one + other) as Shares);
}

function sharesIn(text: string): Shares | null {
  const shares = decimalOrNull(text);
  return shares === null || shares <= 0n || shares >= AMOUNT_LIMIT ? null : (shares as Shares);
}

function isRead<T>(result: Paged<T> | NoAnswer): result is Paged<T> & { readonly ended: true } {
  return result.kind === 'ok' && result.ended;
}

function reasonOf(result: Paged<unknown> | NoAnswer): string {
  return result.kind === 'no_answer' ? ` (${result.reason})` : '';
}

/**
 * Raises the alarm for an unreadable row, which does not hold up other orders. The orders that it names are looked up one by
 * one, and nothing is concluded about them while the row is there.
 */
function reportUnreadable(row: unknown, alarm: Alarm): void {
  const ids = namedInRow(row);
  for (const id of ids.length === 0 ? [''] : ids) alarm('its record cannot be read', id);
}
