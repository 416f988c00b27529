import type { Ledger } from '../../../ports/ledger.js';
import { IdempotencyInProgress, MarketNotFound, OrderNotFound } from '../../errors.js';
import type { OrderId } from '../../ids.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { earlierResult } from '../../ledger/decision.js';
import { type KeyedRequest, keyed, requestRecords } from '../../ledger/request.js';
import type { Market } from '../../market/market.js';
import { checkDraft, type OrderDraft, requestOf } from '../../order/draft.js';
import { isInFlight } from '../../order/lifecycle.js';
import type { Order } from '../../order/order.js';
import { type Again, isAgain } from '../../posting/order-checks.js';
import type { OrderContext } from '../../posting/trading-stop.js';
import type { Venues } from '../../venues/venues.js';
import type { PlacementPorts, PlacementTerms } from './order-placement.js';
import { type OrderPlacement, placementOf } from './order-placement.js';
import type { SubmitOrder } from './submit-order.js';

/** The order to place, and how it came in. */
export interface PlaceOrderCommand {
  readonly draft: OrderDraft;
  /** Whether the credential may move real money: it has the scope, and is not a development identity. */
  readonly mayTradeLive: boolean;
  /** A key that makes a repeated request with the same draft the same order. */
  readonly idempotencyKey: string | null;
}

/** A record, and whether an earlier request with the same key made it. */
export interface Recorded<T> {
  readonly record: T;
  readonly replayed: boolean;
}

/** The market, or the error to throw later: a key on record is answered even if its market is gone. */
type Found = { readonly market: Market } | { readonly missing: unknown };

/**
 * Puts an order on record, checks it against our limits, and hands it to its venue: intent first, then the venue.
 *
 * @example
 * ```ts
 * import { accountId, createStakeport, marketId, price, statusOf, usdc } from 'stakeport';
 * import { type OrderDraft, type PlaceOrder, useCases } from 'stakeport/core';
 *
 * const placeOrder: PlaceOrder = useCases(createStakeport().ports).orders.place;
 * const draft: OrderDraft = {
 *   account: accountId('me'), venue: null, marketId: marketId('rain'), strategyId: null, paper: true,
 *   outcome: 'YES', side: 'BUY', price: price('0.5'), size: usdc('10'),
 *   timeInForce: 'GTC', expiresAt: null, postOnly: false,
 * };
 * const { record } = await placeOrder.execute({ draft, mayTradeLive: false, idempotencyKey: null });
 * console.log(statusOf(record));
 * ```
 */
export class PlaceOrder {
  readonly #placement: OrderPlacement;

  constructor(
    private readonly ledger: Ledger,
    private readonly venues: Venues,
    private readonly submitOrder: SubmitOrder,
    private readonly context: OrderContext & Pick<PlacementPorts, 'quotes' | 'marks' | 'placement'>,
  ) {
    this.#placement = placementOf(ledger, venues, context);
  }

  /**
   * A key that is on record is answered from the record, whether or not the source of market data answers.
   * @throws OrderInvalid, MarketNotFound, MarketUnusable, MarketDataUnavailable, StrategyNotFound, LiveTradingNotEnabled, ExchangeUnavailable,
   * PaperElsewhere, IdempotencyKeyReused, IdempotencyInProgress
   */
  async execute(command: PlaceOrderCommand): Promise<Recorded<Order>> {
    const { draft, idempotencyKey } = command;
    checkDraft(draft);
    const { account, marketId, paper } = draft;
    const request = idempotencyKey === null ? null : keyed(account, 'orders.place', idempotencyKey, requestOf(draft));
    const found = await this.#find(draft);
    if (request === null && 'missing' in found) throw found.missing;
    const ref =
      'market' in found ? found.market : { venue: draft.venue ?? this.venues.default.marketData.venue, id: marketId };
    const lease = this.#placement.lease(ref.venue, paper);
    const placed = await this.#placement.recording(draft, 'market' in found ? found.market : null, (beside) => {
      const terms = { lease, beside };
      return this.ledger.write(this.#placement.scope(draft, ref, terms, request?.key), (now) =>
        this.#decide(now, command, terms, found, request),
      );
    });
    return placed.replayed ? placed : { record: await this.submitOrder.placed(placed.record), replayed: false };
  }

  async #find({ account, venue, marketId, paper }: OrderDraft): Promise<Found> {
    try {
      const market = await this.venues.named(venue).marketData.find(marketId, { account, purpose: 'order' });
      if (market === undefined) return { missing: new MarketNotFound(marketId) };
      await this.#placement.prepare(market, paper);
      return { market };
    } catch (missing) {
      return { missing };
    }
  }

  #decide(
    now: Snapshot,
    { draft, mayTradeLive }: PlaceOrderCommand,
    { lease, beside }: PlacementTerms,
    found: Found,
    request: KeyedRequest | null,
  ): Decision<Recorded<Order> | Again> {
    const earlier = earlierResult(now, request, this.context.wallClock.now());
    if (earlier !== undefined) return { result: { record: settledReplay(now, earlier), replayed: true } };
    if ('missing' in found) throw found.missing;
    const decided = this.#placement.decide(now, { draft, market: found.market, lease, mayTradeLive, beside });
    if (isAgain(decided)) return { result: decided };
    const { result: record } = decided;
    const requests = requestRecords(request, record.id, !draft.paper, this.context.wallClock.now());
    return { ...decided, result: { record, replayed: false }, requests };
  }
}

function settledReplay(now: Snapshot, id: string): Order {
  const order = now.order(id as OrderId);
  if (order === undefined) throw new OrderNotFound();
  if (isInFlight(order.state)) throw new IdempotencyInProgress();
  return order;
}
