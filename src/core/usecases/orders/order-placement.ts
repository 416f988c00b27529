import type { Exchange } from '../../../ports/exchange.js';
import { ExchangeUnavailable, LiveTradingNotEnabled, StrategyNotFound } from '../../errors.js';
import type { DecisionId, OrderId, VenueName } from '../../ids.js';
import type { Decision, Scope, Snapshot } from '../../ledger/decision.js';
import { jobOf } from '../../ledger/job.js';
import type { LeaseInHand } from '../../ledger/lease.js';
import { checkLease, leased, leaseOf } from '../../ledger/under-lease.js';
import type { Market } from '../../market/market.js';
import { intentOf, type OrderDraft, withEnvelope } from '../../order/draft.js';
import type { Order, Refusal } from '../../order/order.js';
import { checkLive, denial, overOrderCap } from '../../posting/limits.js';
import { Posting } from '../../posting/posting.js';
import { otherSide, stateFor } from '../../posting/trading-stop.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { Venues } from '../../venues/venues.js';
import { beginOrder } from './begin-order.js';
import { LimitsUnseen } from './order-sight.js';
import { PlacementLimits, type PlacementPorts, type Sight, type Standing, type Stop } from './placement-limits.js';

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
  /** What decided on it; absent where a client did. */
  readonly decisionId?: DecisionId;
}

/** An order that was begun, and what refuses it: nothing of it is reserved, and nothing is on record. */
interface Judged {
  readonly posting: Posting;
  readonly exchange: Exchange | null;
  readonly standing: Standing;
  readonly refusal: Refusal | null;
  /** What is stored with it either way. */
  readonly changes: Stop['changes'];
}

/** The one way for an order onto the record, whoever places it: checked against every limit, its money reserved. */
export class OrderPlacement {
  readonly #limits: PlacementLimits;

  constructor(
    private readonly venues: Venues,
    private readonly context: PlacementPorts,
  ) {
    this.#limits = new PlacementLimits(venues, context);
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
    let needsSet = false;
    for (let attempt = 0; ; attempt += 1) {
      const sight = await this.#limits.sight(draft, market, attempt, needsSet);
      try {
        return await write(sight);
      } catch (error) {
        if (!(error instanceof LimitsUnseen)) throw error;
        needsSet ||= error.needsSet;
      }
    }
  }

  /** Fetches what an exchange in this process needs to decide the order. Never throws. */
  async prepare(market: Market, paper: boolean): Promise<void> {
    await this.venues.exchangeOf({ venue: market.venue, paper })?.local?.prepare(market);
  }

  /** Passes where all was read that the order is compared with. @throws LimitsUnseen to `recording` */
  check(now: Snapshot, strategy: Strategy | null, side: OrderDraft['side'], sight: Sight | null): void {
    this.#limits.check(now, strategy, side, sight);
  }

  /**
   * Records the order: denied where a limit refuses it, else with its money reserved, and with the answer of an exchange in
   * this process that decides at once.
   * @throws StrategyNotFound, LiveTradingNotEnabled, ExchangeUnavailable, PaperElsewhere, and LimitsUnseen to `recording`
   */
  decide(now: Snapshot, request: PlacementRequest): Decision<Order> {
    const { posting, exchange, standing, refusal, changes } = this.#judge(now, request);
    if (refusal === null) beginOrder(posting, exchange, request.market, this.#limits.counted(standing));
    else posting.deny(refusal);
    const jobs = posting.isLocal || refusal !== null ? [] : [jobOf(request.draft.account, posting.order.id)];
    return { ...posting.decision(posting.order), jobs, ...changes };
  }

  /**
   * The code of what would keep `decide` from handing the order to its venue; null where nothing would. It decides nothing.
   * @throws StrategyNotFound, and LimitsUnseen to `recording`
   */
  obstacle(now: Snapshot, request: PlacementRequest): string | null {
    try {
      return this.#judge(now, request).refusal?.code ?? null;
    } catch (error) {
      if (error instanceof LiveTradingNotEnabled || error instanceof ExchangeUnavailable) return error.code;
      throw error;
    }
  }

  #judge(now: Snapshot, request: PlacementRequest): Judged {
    const { draft, market, lease, mayTradeLive, sight, decisionId } = request;
    checkLease(now, lease);
    const { paper, strategyId, account: owner } = draft;
    const wall = this.context.wallClock.now();
    const state = stateFor({ paper, strategyId, sport: market.sport }, now, wall);
    const exchange = this.venues.exchangeOf({ venue: market.venue, paper });
    if (!paper) checkLive(now.account, { isOn: exchange !== null, mayTradeLive, state });
    const strategy = strategyOf(now, draft);
    this.check(now, strategy, draft.side, sight);
    const closedForMs = exchange?.closedForMs() ?? null;
    if (closedForMs !== null) throw new ExchangeUnavailable(closedForMs);
    const at = this.context.clock.now();
    const asked = { ...intentOf(draft, market, strategy), ...(decisionId !== undefined && { decisionId }) };
    const { intent, inexpressible } = withEnvelope(asked, market, exchange, at);
    const posting = Posting.begin(now, this.context, this.context.ids.next() as OrderId, owner, intent, at);
    const standing = { now, order: posting.order, market, strategy, sight };
    const stop = this.#limits.stop(standing, state, { at, wall });
    const refusal =
      stop.refusal ??
      denial(intent, market, strategy, posting.books, at) ??
      overOrderCap(intent, this.context.liveOrderCap) ??
      inexpressible ??
      this.#limits.refusal(standing);
    return { posting, exchange, standing, refusal, changes: stop.changes };
  }
}

function strategyOf(now: Snapshot, { strategyId, paper }: OrderDraft): Strategy | null {
  if (strategyId === null) return null;
  const strategy = now.strategy(strategyId);
  if (strategy === undefined || strategy.archivedAt !== null) throw new StrategyNotFound();
  if (!paper && strategy.paperOnly) throw new LiveTradingNotEnabled('the strategy is paper only.');
  return strategy;
}
