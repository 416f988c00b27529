import type { Ledger } from '../../../ports/ledger.js';
import type { MarketDirectory } from '../../../ports/venue.js';
import { emptyPosition, type Position } from '../../account/position.js';
import type { Decision, Scope, Snapshot } from '../../ledger/decision.js';
import { riskGroupOf } from '../../limits/risk.js';
import type { Market } from '../../market/market.js';
import type { Side } from '../../market/side.js';
import type { Order, Refusal } from '../../order/order.js';
import type { OrderContext } from '../../posting/order-context.js';
import { throttled } from '../../posting/strategy-limits.js';
import { HoldingUnseen, lowersFor, type MarketSet, NO_SET, refusedBy } from '../../posting/trading-stop.js';
import { isHarmlessSale } from '../../posting/worst-case-limits.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { TradingState } from '../../trading/state.js';
import { MarkEquity } from '../limits/mark-equity.js';
import type { CountedOrder } from './begin-order.js';
import { type AccountSight, OrderLimits } from './order-limits.js';
import { LimitsUnseen, type PlacedFor, risksToRead } from './order-sight.js';
import { ReadSet } from './read-set.js';
import { StrategyLimits, type StrategySight } from './strategy-limits.js';

/** What was read before a write, for the limits of the account and of the strategy, and what the write reads for them. */
export interface Sight {
  readonly scope: Pick<Scope, 'risks' | 'holdings'>;
  readonly account: AccountSight | null;
  readonly strategy: StrategySight | null;
  /** What its other markets belong to, where the order has to lower the worst case of a set of them. */
  readonly groups: MarketSet['groups'] | null;
}

/** What orders are placed with. */
export interface PlacementPorts extends OrderContext {
  readonly ledger: Pick<Ledger, 'read'>;
  /** Quotes what holdings could be sold for; by default the venues. */
  readonly quotes?: Pick<MarketDirectory, 'find' | 'book'>;
  /** What accounts are worth; by default marks of its own. */
  readonly marks?: MarkEquity;
}

/** An order that was not reserved yet, in the write that decides it. */
export interface NewOrder {
  readonly now: Snapshot;
  readonly order: Order;
  readonly market: Market;
  readonly strategy: Strategy | null;
  readonly sight: Sight | null;
}

/** Why an order is refused before its terms are looked at, and what is stored with that, or without. */
export interface Stop {
  readonly refusal: Refusal | null;
  readonly changes: Pick<Decision<unknown>, 'accounts' | 'positions'>;
}

/** The limits of the account and of the strategy that hold for an order, in one place. */
export class PlacementLimits {
  readonly #account: OrderLimits;
  readonly #strategy: StrategyLimits;
  readonly #set: ReadSet;

  constructor(venues: Pick<MarketDirectory, 'find' | 'book'>, ports: PlacementPorts) {
    const { ledger, quotes = venues, clock, marks = new MarkEquity(ledger, quotes, clock) } = ports;
    this.#account = new OrderLimits(venues, marks, ports);
    this.#strategy = new StrategyLimits(marks, ports);
    this.#set = new ReadSet(ledger, venues);
  }

  /** What has to be read before the write; null where, as far as is known here, nothing has. */
  async sight(by: PlacedFor, market: Market | null, attempt: number, needsSet = false): Promise<Sight | null> {
    const account = await this.#account.sight(by, market, attempt);
    const strategy = market === null ? null : await this.#strategy.sight(by, market, attempt);
    const groups = needsSet ? await this.#set.groups(by) : null;
    if (account === null && strategy === null && groups === null) return null;
    const risks = risksToRead(by, account !== null, strategy?.seesRisks === true);
    const all = groups === null ? {} : { holdings: by.paper ? ('paper' as const) : ('live' as const) };
    return { scope: { ...risks, ...all }, account, strategy, groups };
  }

  /** @throws LimitsUnseen where more has to be read than was */
  check(now: Snapshot, strategy: Strategy | null, side: Side, sight: Sight | null): void {
    this.#account.check(now, sight?.account ?? null);
    this.#strategy.check(strategy, side, sight?.strategy ?? null);
  }

  /**
   * A state of trading that refuses the order already, losses that halt the account, or a strategy that re-enters too fast.
   * @throws LimitsUnseen
   */
  stop(standing: NewOrder, state: TradingState | null, moments: { readonly at: Date; readonly wall: Date }): Stop {
    const { now, order, market, strategy, sight } = standing;
    const { intent } = order;
    const set = () => setOf(standing);
    const stopped = state && seen(() => refusedBy(state, intent, now, set));
    if (stopped !== null) return { refusal: stopped, changes: {} };
    const lowers = () => seen(() => lowersFor(intent, now, set()));
    const facts = () => ({ risks: now.risks({ paper: intent.paper, strategyId: null }), group: riskGroupOf(market) });
    const passes = { isHarmlessSale: () => isHarmlessSale(order, facts()), lowers };
    const losses = this.#account.losses(now, intent.paper, sight?.account ?? null, passes);
    const measured = losses.account === now.account ? {} : { accounts: [losses.account] };
    if (losses.refusal !== null || strategy === null) return { refusal: losses.refusal, changes: measured };
    const fast = throttled(order, strategy, partOf(now, order), losses.account, moments);
    if (fast === null) return { refusal: null, changes: measured };
    return { refusal: fast.refusal, changes: { accounts: [fast.account], positions: [fast.part] } };
  }

  /** Why the order is above a limit of its strategy or its account, or null. @throws LimitsUnseen */
  refusal({ now, order, market, strategy, sight }: NewOrder): Refusal | null {
    const own = strategy && this.#strategy.refusal(now, order, market, strategy, sight?.strategy ?? null);
    return own ?? this.#account.refusal(now, order, market, sight?.account ?? null);
  }

  /** What is counted of the order once it is accepted. */
  counted({ now, order, strategy, sight }: NewOrder): CountedOrder {
    const gain = strategy && this.#strategy.gain(now, strategy, order.intent.paper, sight?.strategy ?? null);
    return { limits: now.account.limits, gain };
  }
}

/** @throws HoldingUnseen where what is held in its other markets was not read */
function setOf({ market, sight }: NewOrder): MarketSet {
  const group = riskGroupOf(market);
  if (group.exclusiveSet !== null && sight?.groups == null) throw new HoldingUnseen();
  return { group, groups: sight?.groups ?? NO_SET.groups };
}

/** @throws LimitsUnseen where not all was read by which an order lowers a worst case */
function seen<T>(judge: () => T): T {
  try {
    return judge();
  } catch (error) {
    throw error instanceof HoldingUnseen ? new LimitsUnseen(true) : error;
  }
}

/** What the strategy of an order holds of its outcome. */
function partOf(now: Snapshot, { account, intent }: Order): Position {
  const { paper, venue, marketId, outcome, strategy } = intent;
  const key = { account, paper, venue, marketId, outcome, strategyId: strategy?.id ?? null };
  return now.position(key) ?? emptyPosition(key);
}
