import { ExchangeUnavailable, LiveTradingNotEnabled } from '../../errors.js';
import type { VenueName } from '../../ids.js';
import type { Decision, Scope, Snapshot } from '../../ledger/decision.js';
import { jobOf } from '../../ledger/job.js';
import type { LeaseInHand } from '../../ledger/lease.js';
import { leased, leaseOf } from '../../ledger/under-lease.js';
import type { Market } from '../../market/market.js';
import type { OrderDraft } from '../../order/draft.js';
import type { Order } from '../../order/order.js';
import { otherSide } from '../../posting/trading-stop.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { Venues } from '../../venues/venues.js';
import { beginOrder } from './begin-order.js';
import { JudgeOrder, type PlacementRequest } from './judge-order.js';
import { LimitsUnseen } from './order-sight.js';
import { PlacementLimits, type PlacementPorts, type Sight } from './placement-limits.js';

/** A market by its venue and id: as much of it as a scope needs. */
type Named = Pick<Market, 'venue' | 'id'>;

/** An order, as much of it as a scope needs. */
type PlacedBy = Pick<OrderDraft, 'account' | 'outcome' | 'paper' | 'strategyId'>;

/** The one way for an order onto the record, whoever places it: checked against every limit, its money reserved. */
export class OrderPlacement {
  readonly #limits: PlacementLimits;
  readonly #judge: JudgeOrder;

  constructor(
    private readonly venues: Venues,
    context: PlacementPorts,
  ) {
    this.#limits = new PlacementLimits(venues, context);
    this.#judge = new JudgeOrder(venues, this.#limits, context);
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
      account,
      service: true,
      ...leased(lease),
      ...sight?.scope,
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
    const { posting, exchange, begun, refusal, changes } = this.#judge.execute(now, request);
    if (refusal === null) beginOrder(posting, exchange, request.market, this.#limits.counted(begun));
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
      return this.#judge.execute(now, request).refusal?.code ?? null;
    } catch (error) {
      if (error instanceof LiveTradingNotEnabled || error instanceof ExchangeUnavailable) return error.code;
      throw error;
    }
  }
}
