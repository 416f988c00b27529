import type { Exchange } from '../../../ports/exchange.js';
import { ExchangeUnavailable, LiveTradingNotEnabled, StrategyNotFound } from '../../errors.js';
import type { DecisionId, OrderId } from '../../ids.js';
import type { Snapshot } from '../../ledger/decision.js';
import type { LeaseInHand } from '../../ledger/lease.js';
import { checkLease } from '../../ledger/under-lease.js';
import type { Market } from '../../market/market.js';
import { intentOf, type OrderDraft, withEnvelope } from '../../order/draft.js';
import type { Refusal } from '../../order/order.js';
import { checkLive, denial, overOrderCap } from '../../posting/limits.js';
import { dayIn } from '../../posting/order-context.js';
import { Posting } from '../../posting/posting.js';
import { stateFor } from '../../posting/trading-stop.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { Venues } from '../../venues/venues.js';
import type { NewOrder, PlacementLimits, PlacementPorts, Sight, Stop } from './placement-limits.js';

/** An order to be placed in a write. */
export interface PlacementRequest {
  readonly draft: OrderDraft;
  readonly market: Market;
  /** The lease of the exchange, as `OrderPlacement.lease` gave it before the write. */
  readonly lease: LeaseInHand;
  /** Whether the credential may move real money. */
  readonly mayTradeLive: boolean;
  /** What was seen for the limits of the account, as `recording` gave it. */
  readonly sight: Sight | null;
  /** What decided on it; absent where a client did. */
  readonly decisionId?: DecisionId;
}

/** An order that was begun, and what refuses it: nothing of it is reserved, and nothing is on record. */
export interface JudgedOrder {
  readonly posting: Posting;
  readonly exchange: Exchange | null;
  readonly begun: NewOrder;
  readonly refusal: Refusal | null;
  /** What is stored with it either way. */
  readonly changes: Stop['changes'];
}

/** Begins an order, and asks all that may refuse it before it goes to its venue. */
export class JudgeOrder {
  constructor(
    private readonly venues: Venues,
    private readonly limits: PlacementLimits,
    private readonly context: PlacementPorts,
  ) {}

  /** @throws StrategyNotFound, LiveTradingNotEnabled, ExchangeUnavailable, PaperElsewhere, and LimitsUnseen to `recording` */
  execute(now: Snapshot, request: PlacementRequest): JudgedOrder {
    const { draft, market, lease, mayTradeLive, sight, decisionId } = request;
    checkLease(now, lease);
    const { paper, strategyId, account: owner } = draft;
    const wall = this.context.wallClock.now();
    const state = stateFor({ paper, strategyId, sport: market.sport }, now, wall);
    const exchange = this.venues.exchangeOf({ venue: market.venue, paper });
    if (!paper) checkLive(now.account, { isOn: exchange !== null, mayTradeLive, state });
    const strategy = strategyOf(now, draft);
    this.limits.check(now, strategy, draft.side, sight);
    const closedForMs = exchange?.closedForMs() ?? null;
    if (closedForMs !== null) throw new ExchangeUnavailable(closedForMs);
    const at = this.context.clock.now();
    const isCounted = draft.side === 'BUY' && (strategy !== null || now.account.limits !== undefined);
    const asked = {
      ...intentOf(draft, market, strategy),
      ...(decisionId !== undefined && { decisionId }),
      ...(isCounted && { day: dayIn(this.context, at) }),
    };
    const { intent, inexpressible } = withEnvelope(asked, market, exchange, at);
    const posting = Posting.begin(now, this.context, this.context.ids.next() as OrderId, owner, intent, at);
    const begun = { now, order: posting.order, market, strategy, sight };
    const stop = this.limits.stop(begun, state, { at, wall });
    const refusal =
      stop.refusal ??
      denial(intent, market, strategy, posting.books, at) ??
      overOrderCap(intent, this.context.liveOrderCap) ??
      inexpressible ??
      this.limits.refusal(begun);
    return { posting, exchange, begun, refusal, changes: stop.changes };
  }
}

function strategyOf(now: Snapshot, { strategyId, paper }: OrderDraft): Strategy | null {
  if (strategyId === null) return null;
  const strategy = now.strategy(strategyId);
  if (strategy === undefined || strategy.archivedAt !== null) throw new StrategyNotFound();
  if (!paper && strategy.paperOnly) throw new LiveTradingNotEnabled('the strategy is paper only.');
  return strategy;
}
