import type { Exchange } from '../../../ports/exchange.js';
import type { Ledger } from '../../../ports/ledger.js';
import {
  ExchangeUnavailable,
  IdempotencyInProgress,
  LiveTradingNotEnabled,
  MarketNotFound,
  OrderNotFound,
  StrategyNotFound,
} from '../../errors.js';
import type { OrderId, VenueName } from '../../ids.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { earlierResult } from '../../ledger/earlier-request.js';
import { jobOf } from '../../ledger/job.js';
import type { LeaseInHand } from '../../ledger/lease.js';
import { type KeyedRequest, keyed, requestRecords } from '../../ledger/request.js';
import { checkLease, leased, leaseOf } from '../../ledger/under-lease.js';
import type { Market } from '../../market/market.js';
import { intentOf, type OrderDraft, requestOf, withEnvelope } from '../../order/draft.js';
import { checkDraft } from '../../order/draft-check.js';
import { isInFlight } from '../../order/lifecycle.js';
import type { Order } from '../../order/order.js';
import { closedTo, denial, overOrderCap } from '../../posting/limits.js';
import type { OrderContext } from '../../posting/order-context.js';
import { recordStatusReport } from '../../posting/outcome.js';
import { Posting } from '../../posting/posting.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { Venues } from '../../venues/venues.js';
import type { SubmitOrder } from './submit-order.js';

/** The order to place, and how it came in. */
export interface PlaceOrderCommand {
  readonly draft: OrderDraft;
  /** Whether the credential may move real money: it has the scope, and is not a development identity. */
  readonly mayTradeLive: boolean;
  /** The same key with the same draft is one and the same order. */
  readonly idempotencyKey: string | null;
}

/** A record, and whether an earlier request with the same key made it. */
export interface Recorded<T> {
  readonly record: T;
  readonly replayed: boolean;
}

type Leased = PlaceOrderCommand & { readonly lease: LeaseInHand };

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
 *   ...{ account: accountId('me'), venue: null, marketId: marketId('rain'), strategyId: null, paper: true },
 *   ...{ outcome: 'YES', side: 'BUY', price: price('0.5'), size: usdc('10') },
 *   ...{ timeInForce: 'GTC', expiresAt: null, postOnly: false },
 * };
 * const { record } = await placeOrder.execute({ draft, mayTradeLive: false, idempotencyKey: null });
 * console.log(statusOf(record));
 * ```
 */
export class PlaceOrder {
  constructor(
    private readonly ledger: Ledger,
    private readonly venues: Venues,
    private readonly submitOrder: SubmitOrder,
    private readonly context: OrderContext,
  ) {}

  /**
   * A key that is on record is answered from the record, whether or not the source of market data answers.
   * @throws OrderInvalid, MarketNotFound, MarketUnusable, MarketDataUnavailable, StrategyNotFound, LiveTradingNotEnabled, ExchangeUnavailable,
   * PaperElsewhere, IdempotencyKeyReused, IdempotencyInProgress
   */
  async execute(command: PlaceOrderCommand): Promise<Recorded<Order>> {
    const { draft, idempotencyKey } = command;
    checkDraft(draft);
    const { account, marketId, outcome, paper, strategyId } = draft;
    const request = idempotencyKey === null ? null : keyed(account, 'orders.place', idempotencyKey, requestOf(draft));
    const found = await this.#find(draft);
    if (request === null && 'missing' in found) throw found.missing;
    const ref =
      'market' in found ? found.market : { venue: draft.venue ?? this.venues.default.marketData.venue, id: marketId };
    const lease = leaseOf(this.venues.exchangeOf({ venue: ref.venue, paper }));
    const held = { account, paper, venue: ref.venue, marketId: ref.id, outcome };
    const scope = {
      ...{ account, ...leased(lease) },
      strategies: strategyId === null ? [] : [strategyId],
      positions: [...new Set([null, strategyId])].map((part) => ({ ...held, strategyId: part })),
      ...(request === null ? {} : { request: request.key }),
    };
    const placed = await this.ledger.write(scope, (now) => this.#decide(now, { ...command, lease }, found, request));
    if (placed.replayed || !isInFlight(placed.record.state)) return placed;
    return { record: await this.submitOrder.execute(placed.record, jobOf(account, placed.record.id)), replayed: false };
  }

  async #find({ venue, marketId, paper }: OrderDraft): Promise<Found> {
    try {
      const market = await this.venues.named(venue).marketData.find(marketId);
      if (market === undefined) return { missing: new MarketNotFound(marketId) };
      await this.venues.exchangeOf({ venue: market.venue, paper })?.local?.prepare(market);
      return { market };
    } catch (missing) {
      return { missing };
    }
  }

  #decide(now: Snapshot, command: Leased, found: Found, request: KeyedRequest | null): Decision<Recorded<Order>> {
    const { draft } = command;
    const earlier = earlierResult(now, request, this.context.wallClock.now());
    if (earlier !== undefined) return { result: { record: settledReplay(now, earlier), replayed: true } };
    if ('missing' in found) throw found.missing;
    checkLease(now, command.lease);
    const { market } = found;
    if (!draft.paper) this.#checkLive(now, command, market.venue);
    const strategy = strategyOf(now, draft);
    const exchange = this.venues.exchangeOf({ venue: market.venue, paper: draft.paper });
    const closedForMs = exchange?.closedForMs() ?? null;
    if (closedForMs !== null) throw new ExchangeUnavailable(closedForMs);
    const at = this.context.clock.now();
    const { intent, inexpressible } = withEnvelope(intentOf(draft, market, strategy), market, exchange, at);
    const posting = Posting.begin(now, this.context, this.context.ids.next() as OrderId, draft.account, intent, at);
    const refusal =
      denial(intent, market, strategy, posting.books, at) ??
      overOrderCap(intent, this.context.liveOrderCap) ??
      inexpressible;
    if (refusal === null) begin(posting, exchange);
    else posting.deny(refusal);
    const requests = requestRecords(request, posting.order.id, !draft.paper, this.context.wallClock.now());
    const jobs = posting.isLocal || refusal !== null ? [] : [jobOf(draft.account, posting.order.id)];
    return { ...posting.decision({ record: posting.order, replayed: false }), requests, jobs };
  }

  #checkLive(now: Snapshot, command: PlaceOrderCommand, venue: VenueName): void {
    if (this.venues.exchangeOf({ venue, paper: false }) === null)
      throw new LiveTradingNotEnabled('live trading is off on this server.');
    if (!command.mayTradeLive) throw new LiveTradingNotEnabled('these credentials cannot trade live.');
    const closed = closedTo(now.account);
    if (closed !== null) throw new LiveTradingNotEnabled(closed.message);
  }
}

/** Reserves the money; an exchange in this process decides at once. */
function begin(posting: Posting, exchange: Exchange | null): void {
  posting.reserve();
  const result = exchange?.local?.place(posting.order) ?? null;
  if (result !== null) recordStatusReport(posting, result);
}

function strategyOf(now: Snapshot, { strategyId, paper }: OrderDraft): Strategy | null {
  if (strategyId === null) return null;
  const strategy = now.strategy(strategyId);
  if (strategy === undefined || strategy.archivedAt !== null) throw new StrategyNotFound();
  if (!paper && strategy.paperOnly) throw new LiveTradingNotEnabled('the strategy is paper only.');
  return strategy;
}

function settledReplay(now: Snapshot, id: string): Order {
  const order = now.order(id as OrderId);
  if (order === undefined) throw new OrderNotFound();
  if (isInFlight(order.state)) throw new IdempotencyInProgress();
  return order;
}
