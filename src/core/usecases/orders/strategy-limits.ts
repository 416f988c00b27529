import type { Snapshot } from '../../ledger/decision.js';
import { type EquityMark, gainBy } from '../../limits/loss-marks.js';
import { riskGroupOf } from '../../limits/risk.js';
import type { Market } from '../../market/market.js';
import type { Side } from '../../market/side.js';
import { NO_USDC, type Usdc } from '../../money.js';
import type { Order, Refusal } from '../../order/order.js';
import { dayIn, type OrderContext } from '../../posting/order-context.js';
import { boundsOf, overStrategyLimits, type StrategyBounds } from '../../posting/strategy-limits.js';
import { noExposure, type Strategy } from '../../strategy/strategy.js';
import { countedOf, type MarkEquity, UNMARKED } from '../limits/mark-equity.js';
import { LimitsUnseen, type PlacedFor } from './order-sight.js';

/** What was read before an order of a strategy with limits is decided. */
export interface StrategySight {
  /** Whether what its parts may lose is read with the order. */
  readonly seesRisks: boolean;
  /** What its part is worth; undefined where its days are not bounded, null where that cannot be told. */
  readonly mark: EquityMark | null | undefined;
  /** Whether it is not read again, though the worth may have changed meanwhile. */
  readonly isLast: boolean;
}

/** The most strategies whose limits are remembered. */
const REMEMBERED = 100_000;
/** How often an order of a strategy that loses money meanwhile is decided anew, by a mark of then. */
const ATTEMPTS = 3;

/** Compares orders with the limits in the rules of their strategy, in the write that records them. */
export class StrategyLimits {
  readonly #known = new Map<string, StrategyBounds>();

  constructor(
    private readonly marks: Pick<MarkEquity, 'recent' | 'forget'>,
    private readonly context: Pick<OrderContext, 'clock' | 'dayOf'>,
  ) {}

  /** Null for a strategy without such limits, as far as is known here; `attempt` is as in `OrderLimits.sight`. */
  async sight(by: PlacedFor, market: Market, attempt: number): Promise<StrategySight | null> {
    const bounds = by.strategyId === null ? undefined : this.#known.get(by.strategyId);
    if (bounds === undefined) return null;
    if (attempt > 0) this.marks.forget(by);
    const mark = bounds.dailyLoss === null ? undefined : await this.marks.recent(by, market);
    return { seesRisks: bounds.eventLoss !== null, mark, isLast: attempt >= ATTEMPTS };
  }

  /**
   * A sale is bound by no day. @throws LimitsUnseen when the version that decides has limits that were not seen: it has to be
   * read again
   */
  check(strategy: Strategy | null, side: Side, sight: StrategySight | null): void {
    if (strategy === null) return;
    const bounds = boundsOf(strategy);
    const { eventLoss, dailyLoss } = bounds;
    if (eventLoss === null && dailyLoss === null) {
      this.#known.delete(strategy.id);
      return;
    }
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(strategy.id, bounds);
    const needsMark = dailyLoss !== null && side === 'BUY';
    const isSeen = (eventLoss === null || sight?.seesRisks === true) && (!needsMark || sight?.mark !== undefined);
    if (!isSeen) throw new LimitsUnseen();
  }

  /** What trading has brought the strategy, to count its day from; null where that was not measured. */
  gain(now: Snapshot, { id }: Strategy, paper: boolean, sight: StrategySight | null): Usdc | null {
    return sight?.mark ? gainBy(sight.mark, countedOf(now, id, paper).booked) : null;
  }

  /** Why the order is above a limit of its strategy, or null. @throws LimitsUnseen as `OrderLimits.losses` does */
  refusal(
    now: Snapshot,
    order: Order,
    market: Market,
    strategy: Strategy,
    sight: StrategySight | null,
  ): Refusal | null {
    const bounds = boundsOf(strategy);
    const { paper, side } = order.intent;
    const strategyId = strategy.id;
    if (bounds.dailyLoss !== null && sight?.mark === null && side === 'BUY') return UNMARKED.strategy;
    const found = overStrategyLimits(order, {
      bounds,
      group: riskGroupOf(market),
      gain: this.gain(now, strategy, paper, sight) ?? NO_USDC,
      exposure: now.exposure(strategyId, paper) ?? noExposure(strategy, paper),
      risks: now.risks({ paper, strategyId }),
      today: dayIn(this.context, order.placedAt),
    });
    const booked = countedOf(now, strategyId, paper).booked;
    const mayBeWrong =
      found?.code === 'daily_loss_exceeded' && sight?.mark?.booked !== booked && sight?.isLast === false;
    if (mayBeWrong) throw new LimitsUnseen();
    return found;
  }
}
