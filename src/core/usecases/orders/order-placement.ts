import type { Exchange } from '../../../ports/exchange.js';
import { ExchangeUnavailable, LiveTradingNotEnabled, StrategyNotFound } from '../../errors.js';
import type { DecisionId, OrderId, VenueName } from '../../ids.js';
import type { Decision, Scope, Snapshot } from '../../ledger/decision.js';
import { jobOf } from '../../ledger/job.js';
import type { LeaseInHand } from '../../ledger/lease.js';
import { checkLease, leased, leaseOf } from '../../ledger/under-lease.js';
import { riskGroupOf } from '../../limits/risk.js';
import type { Market } from '../../market/market.js';
import { intentOf, type OrderDraft, withEnvelope } from '../../order/draft.js';
import type { Order } from '../../order/order.js';
import { checkLive } from '../../posting/limits.js';
import {
  type Again,
  type Beside,
  type Checked,
  checkOrder,
  gainOf,
  isAgain,
  lackingFor,
  type OrderFacts,
} from '../../posting/order-checks.js';
import { dayIn } from '../../posting/order-context.js';
import { recordStatusReport } from '../../posting/outcome.js';
import { Posting } from '../../posting/posting.js';
import { otherSide, stateFor } from '../../posting/trading-stop.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { Venues } from '../../venues/venues.js';
import { comparedWith, type PlacementPorts, ReadForOrder } from './read-for-order.js';

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
  /** What it is compared with beside what is on record, as `recording` gave it. */
  readonly beside: Beside;
  /** What decided on it; absent where a client did. */
  readonly decisionId?: DecisionId;
}

/** An order that was begun: nothing of it is reserved, and nothing is on record. */
interface BegunOrder {
  readonly posting: Posting;
  readonly exchange: Exchange | null;
  readonly facts: OrderFacts;
}

/** The one way for an order onto the record, whoever places it: checked against every limit, its money reserved. */
export class OrderPlacement {
  readonly #reads: ReadForOrder;

  constructor(
    private readonly venues: Venues,
    private readonly context: PlacementPorts,
  ) {
    this.#reads = new ReadForOrder(venues, context);
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
    beside: Beside,
  ): Scope {
    const held = { account, paper, venue, marketId: id, outcome };
    return {
      account,
      service: true,
      ...leased(lease),
      ...(beside.groups !== undefined && { holdings: paper ? ('paper' as const) : ('live' as const) }),
      second: comparedWith({ account, paper, strategyId }),
      strategies: strategyId === null ? [] : [strategyId],
      positions: [
        otherSide(account, held),
        ...[...new Set([null, strategyId])].map((part) => ({ ...held, strategyId: part })),
      ],
    };
  }

  /**
   * Runs a write that records an order. One that lacks something has decided nothing: it is run again with what it lacks, at most twice.
   * `market` is null where only an earlier request may be answered.
   */
  recording<T>(draft: PlacedBy, market: Market | null, write: (beside: Beside) => Promise<T | Again>): Promise<T> {
    return this.#reads.run(draft, market, write);
  }

  /** Fetches what an exchange in this process needs to decide the order. Never throws. */
  async prepare(market: Market, paper: boolean): Promise<void> {
    await this.venues.exchangeOf({ venue: market.venue, paper })?.local?.prepare(market);
  }

  /**
   * Records the order: denied where a check refuses it, else with its money reserved, and with the answer of an exchange in
   * this process that decides at once.
   * @throws StrategyNotFound, LiveTradingNotEnabled, ExchangeUnavailable, PaperElsewhere
   */
  decide(now: Snapshot, request: PlacementRequest): Decision<Order> | Again {
    const begun = this.#begin(now, request);
    if (isAgain(begun)) return begun;
    const { posting, exchange, facts } = begun;
    const checked = checkOrder(facts);
    if (isAgain(checked)) return checked;
    const { refusal, changes } = checked;
    if (refusal === null) reserve(posting, exchange, facts);
    else posting.deny(refusal);
    const jobs = posting.isLocal || refusal !== null ? [] : [jobOf(request.draft.account, posting.order.id)];
    return { ...posting.decision(posting.order), jobs, ...changes };
  }

  /**
   * The code of what would keep `decide` from handing the order to its venue; null where nothing would. It decides nothing.
   * @throws StrategyNotFound
   */
  obstacle(now: Snapshot, request: PlacementRequest): string | null | Again {
    const checked = this.#checked(now, request);
    return typeof checked === 'string' || isAgain(checked) ? checked : (checked.refusal?.code ?? null);
  }

  #checked(now: Snapshot, request: PlacementRequest): Checked | string {
    try {
      const begun = this.#begin(now, request);
      return isAgain(begun) ? begun : checkOrder(begun.facts);
    } catch (error) {
      if (error instanceof LiveTradingNotEnabled || error instanceof ExchangeUnavailable) return error.code;
      throw error;
    }
  }

  /** Begins the order, and gathers all that it is checked against. @throws as `decide` */
  #begin(now: Snapshot, request: PlacementRequest): BegunOrder | Again {
    const { draft, market, lease, mayTradeLive, beside, decisionId } = request;
    checkLease(now, lease);
    const { paper, strategyId, account: owner } = draft;
    const wall = this.context.wallClock.now();
    const state = stateFor({ paper, strategyId, sport: market.sport }, now, wall);
    const exchange = this.venues.exchangeOf({ venue: market.venue, paper });
    if (!paper) checkLive(now.account, { isOn: exchange !== null, mayTradeLive, state });
    const strategy = strategyOf(now, draft);
    const lacking = lackingFor(now, strategy, draft.side, beside);
    if (lacking !== null) return lacking;
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
    const facts: OrderFacts = {
      now,
      order: posting.order,
      market,
      strategy,
      books: posting.books,
      state,
      inexpressible,
      beside,
      at,
      wall,
      context: this.context,
    };
    return { posting, exchange, facts };
  }
}

function strategyOf(now: Snapshot, { strategyId, paper }: OrderDraft): Strategy | null {
  if (strategyId === null) return null;
  const strategy = now.strategy(strategyId);
  if (strategy === undefined || strategy.archivedAt !== null) throw new StrategyNotFound();
  if (!paper && strategy.paperOnly) throw new LiveTradingNotEnabled('the strategy is paper only.');
  return strategy;
}

/** Reserves the money, and counts the order; an exchange in this process decides at once. */
function reserve(posting: Posting, exchange: Exchange | null, facts: OrderFacts): void {
  const { books, order } = posting;
  books.belongsTo(riskGroupOf(facts.market));
  if (typeof facts.now.account.limits?.ordersPerMinute === 'number') books.countOrder();
  posting.reserve(order.intent.side === 'BUY' ? books.countBet(gainOf(facts)) : null);
  const result = exchange?.local?.place(posting.order) ?? null;
  if (result !== null) recordStatusReport(posting, result);
}
