import type { Exchange } from '../../../ports/exchange.js';
import type { Ledger } from '../../../ports/ledger.js';
import type { MarketDirectory } from '../../../ports/venue.js';
import { ExchangeUnavailable, LiveTradingNotEnabled, StrategyNotFound } from '../../errors.js';
import type { OrderId, VenueName } from '../../ids.js';
import type { Decision, Scope, Snapshot } from '../../ledger/decision.js';
import { jobOf } from '../../ledger/job.js';
import type { LeaseInHand } from '../../ledger/lease.js';
import { checkLease, leased, leaseOf } from '../../ledger/under-lease.js';
import type { Limits } from '../../limits/limits.js';
import { type RiskGroup, riskGroupOf } from '../../limits/risk.js';
import type { Market } from '../../market/market.js';
import { NO_SHARES } from '../../money.js';
import { intentOf, type OrderDraft, withEnvelope } from '../../order/draft.js';
import type { Order } from '../../order/order.js';
import { checkLive, denial, overOrderCap } from '../../posting/limits.js';
import type { OrderContext } from '../../posting/order-context.js';
import { recordStatusReport } from '../../posting/outcome.js';
import { Posting } from '../../posting/posting.js';
import { lowersFor, otherSide, refusedBy, stateFor } from '../../posting/trading-stop.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { Venues } from '../../venues/venues.js';
import { MarkEquity } from '../limits/mark-equity.js';
import { LimitsUnseen, OrderLimits, type Sight } from './order-limits.js';

/** A market by its venue and id: as much of it as a scope needs. */
type Named = Pick<Market, 'venue' | 'id'>;

/** An order, as much of it as a scope needs. */
type PlacedBy = Pick<OrderDraft, 'account' | 'outcome' | 'paper' | 'strategyId'>;

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
}

/** What orders are placed with. */
export interface PlacementPorts extends OrderContext {
  readonly ledger: Pick<Ledger, 'read'>;
  /** Quotes what holdings could be sold for; by default the venues. */
  readonly quotes?: Pick<MarketDirectory, 'find' | 'book'>;
  /** What accounts are worth; by default marks of its own. */
  readonly marks?: MarkEquity;
}

/** The one way for an order onto the record, whoever places it: checked against every limit, its money reserved. */
export class OrderPlacement {
  readonly #limits: OrderLimits;

  constructor(
    private readonly venues: Venues,
    private readonly context: PlacementPorts,
  ) {
    const { ledger, quotes = venues, clock, marks = new MarkEquity(ledger, quotes, clock) } = context;
    this.#limits = new OrderLimits(venues, marks, context);
  }

  /** The lease under which the order's exchange acts now. */
  lease(venue: VenueName, paper: boolean): LeaseInHand {
    return leaseOf(this.venues.exchangeOf({ venue, paper }));
  }

  /** What `decide` reads. */
  scope(
    { account, outcome, paper, strategyId }: PlacedBy,
    { venue, id }: Named,
    lease: LeaseInHand,
    sight: Sight | null,
  ): Scope {
    const held = { account, paper, venue, marketId: id, outcome };
    return {
      ...{ account, service: true, ...leased(lease), ...sight?.scope },
      strategies: strategyId === null ? [] : [strategyId],
      positions: [
        otherSide(account, held),
        ...[...new Set([null, strategyId])].map((part) => ({ ...held, strategyId: part })),
      ],
    };
  }

  /**
   * Runs a write that records an order. An account that turns out to have limits needs a write that reads more: then it is
   * run again, and the first has decided nothing. `market` is null where only an earlier request may be answered.
   */
  async recording<T>(draft: PlacedBy, market: Market | null, write: (sight: Sight | null) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      const sight = await this.#limits.sight(draft, market, attempt);
      try {
        return await write(sight);
      } catch (error) {
        if (!(error instanceof LimitsUnseen)) throw error;
      }
    }
  }

  /** Fetches what an exchange in this process needs to decide the order. Never throws. */
  async prepare(market: Market, paper: boolean): Promise<void> {
    await this.venues.exchangeOf({ venue: market.venue, paper })?.local?.prepare(market);
  }

  /**
   * Records the order: denied where a limit refuses it, else with its money reserved, and with the answer of an exchange in
   * this process that decides at once.
   * @throws StrategyNotFound, LiveTradingNotEnabled, ExchangeUnavailable, PaperElsewhere, and LimitsUnseen to `recording`
   */
  decide(now: Snapshot, { draft, market, lease, mayTradeLive, sight }: PlacementRequest): Decision<Order> {
    checkLease(now, lease);
    const { paper, strategyId } = draft;
    const state = stateFor({ paper, strategyId, sport: market.sport }, now, this.context.wallClock.now());
    const exchange = this.venues.exchangeOf({ venue: market.venue, paper });
    if (!paper) checkLive(now.account, { isOn: exchange !== null, mayTradeLive, state });
    this.#limits.check(now, sight);
    const strategy = strategyOf(now, draft);
    const closedForMs = exchange?.closedForMs() ?? null;
    if (closedForMs !== null) throw new ExchangeUnavailable(closedForMs);
    const at = this.context.clock.now();
    const { intent, inexpressible } = withEnvelope(intentOf(draft, market, strategy), market, exchange, at);
    const posting = Posting.begin(now, this.context, this.context.ids.next() as OrderId, draft.account, intent, at);
    const lowers = () => lowersFor(intent, now, NO_SHARES);
    const stopped = state && refusedBy(state, intent, now, NO_SHARES);
    const losses = this.#limits.losses(now, paper, sight, lowers);
    const refusal =
      stopped ??
      losses.refusal ??
      denial(intent, market, strategy, posting.books, at) ??
      overOrderCap(intent, this.context.liveOrderCap) ??
      inexpressible ??
      this.#limits.refusal(now, posting.order, market, sight);
    if (refusal === null) begin(posting, exchange, riskGroupOf(market), now.account.limits);
    else posting.deny(refusal);
    const jobs = posting.isLocal || refusal !== null ? [] : [jobOf(draft.account, posting.order.id)];
    const accounts = losses.account === now.account ? {} : { accounts: [losses.account] };
    return { ...posting.decision(posting.order), jobs, ...accounts };
  }
}

/** Reserves the money; an exchange in this process decides at once. */
function begin(posting: Posting, exchange: Exchange | null, group: RiskGroup, limits?: Limits): void {
  posting.books.belongsTo(group);
  posting.reserve();
  if (typeof limits?.ordersPerMinute === 'number') posting.books.countOrder();
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
