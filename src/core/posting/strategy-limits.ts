import { type Account, tradingFor } from '../account/account.js';
import type { Position, PositionKey } from '../account/position.js';
import type { StrategyId } from '../ids.js';
import type { Snapshot } from '../ledger/decision.js';
import { LIMIT_CODES, NO_LIMITS } from '../limits/limits.js';
import type { Shares, Usdc } from '../money.js';
import { type Order, type Refusal, refusal } from '../order/order.js';
import type { LimitLeft } from '../strategy/conditions/candidate.js';
import type { SaleBound, SharesLeft } from '../strategy/exit/exit-inputs.js';
import { DAY_LIMITS, type DayLimitName } from '../strategy/rules/rule-members.js';
import { type TradingRules, tradingRules } from '../strategy/rules/trading-rules.js';
import {
  countOn,
  ENTRIES_WITHIN_MINUTES,
  type Exposure,
  entriesWithin,
  lostOn,
  MOST_ENTRIES,
  NO_COUNTED_ORDERS,
  type Strategy,
  type StrategyCounted,
} from '../strategy/strategy.js';
import { strategyScope } from '../trading/state.js';
import { dollars, lossesLeft, overLosses, type RiskFacts, saleLeft } from './account-limits.js';
import { ofService } from './trading-watch.js';

/** What the rules of a strategy let it lose and do, whichever client places its orders; null does not restrict. */
export type StrategyBounds = Pick<TradingRules['limits'], 'eventLoss' | 'dailyLoss' | DayLimitName>;

const UNBOUND: StrategyBounds = {
  ...(Object.fromEntries(DAY_LIMITS.map(({ name }) => [name, null])) as Record<DayLimitName, null>),
  eventLoss: null,
  dailyLoss: null,
};

/** The limits of a version of a strategy. */
export function boundsOf(strategy: Strategy): StrategyBounds {
  if (strategy.automation === 'off' && strategy.rules.limits === undefined) return UNBOUND;
  return tradingRules(strategy).limits;
}

/** What an order of a strategy is compared with, all of the moment of the decision. */
export interface StrategyFacts extends Pick<RiskFacts, 'group'> {
  readonly bounds: StrategyBounds;
  readonly exposure: Exposure;
  /** What the strategy holds; read where events are bounded. */
  readonly risks: RiskFacts['risks'];
  /** What trading brought, sold or not; read where days are bounded. */
  readonly gain: Usdc;
  readonly today: string;
}

/** Why an order that was not reserved yet is above a limit of the rules of its strategy, or null. Sales may raise no worst case. */
export function overStrategyLimits(order: Order, facts: StrategyFacts): Refusal | null {
  return (
    overOrdersOfDay(order, facts) ??
    overLossOfDay(order, facts) ??
    overLosses(order, { ...facts, limits: eventLimit(facts) }, 'The strategy', 'event_loss of its rules')
  );
}

/** Why an order comes after as many of its day as the rules allow. */
function overOrdersOfDay({ intent: { side } }: Order, { bounds, exposure, today }: StrategyFacts): Refusal | null {
  for (const { name, shown, counter, refuses, code, message } of DAY_LIMITS) {
    const most = bounds[name];
    if (most === null || !refuses.includes(side)) continue;
    const count = countOn(exposure.counted, today, counter);
    if (count >= most) return refusal(code, `${message} (${shown} of its rules): counted=${count}, cap=${most}.`);
  }
  return null;
}

/** Why a purchase comes after the loss that the rules allow of a day. */
function overLossOfDay({ intent: { side } }: Order, { bounds, exposure, today, gain }: StrategyFacts): Refusal | null {
  const { dailyLoss } = bounds;
  if (dailyLoss === null || side === 'SELL') return null;
  const lost = lostOn(exposure.counted, today, gain);
  if (lost < dailyLoss) return null;
  const words = 'The strategy has lost today what it may lose in a day (daily_loss of its rules)';
  return refusal(LIMIT_CODES.dailyLossUsdc, `${words}: ${dollars(lost, dailyLoss)}`);
}

/** What one more purchase may lose by the rules; nothing where they do not bound that. */
export function eventLossLeft(key: PositionKey, facts: EventFacts): readonly LimitLeft[] {
  return lossesLeft(key, { ...facts, limits: eventLimit(facts) }).map((left) => ({ ...left, name: 'event_loss' }));
}

/** The most of a sale that the rules leave; null where they leave all of it. */
export function eventSaleLeft(
  key: PositionKey,
  facts: EventFacts,
  free: Shares,
  lot: Shares,
): SaleBound<SharesLeft> | null {
  const left = saleLeft(key, { ...facts, limits: eventLimit(facts) }, free, lot);
  return left === null ? null : { ...left, name: 'event_loss' };
}

type EventFacts = Pick<StrategyFacts, 'bounds' | 'exposure' | 'risks' | 'group'>;

/** What may be lost in an event. */
function eventLimit(facts: EventFacts): RiskFacts['limits'] {
  return { ...NO_LIMITS, eventLossUsdc: facts.bounds.eventLoss };
}

/** What a strategy that re-enters too fast leads to: no order, and none that raises a worst case until a person allows it. */
export interface Throttled {
  readonly refusal: Refusal;
  readonly account: Account;
  /** Counts from nothing once it may go on. */
  readonly part: Position;
}

/** Null for an order that may pass. `part` is what the strategy holds of the outcome; `at` is by the clock of orders. */
export function throttled(
  order: Order,
  { id, automation }: Strategy,
  part: Position,
  account: Account,
  moments: { readonly at: Date; readonly wall: Date },
): Throttled | null {
  const { side, paper } = order.intent;
  const entries = entriesWithin(part.entries ?? [], moments.at).length;
  if (automation === 'off' || side === 'SELL' || entries < MOST_ENTRIES) return null;
  const words = `The strategy was filled in one outcome ${entries} times within ${ENTRIES_WITHIN_MINUTES} minutes`;
  const stopped = refusal(LIMIT_CODES.entries, `${words}: counted=${entries}, cap=${MOST_ENTRIES}.`);
  const about = { scope: strategyScope(id), stops: paper ? 'all' : 'live' } as const;
  const trading = ofService(tradingFor(account), stopped.code, 'reducing', words, moments.wall, about);
  return { refusal: stopped, account: { ...account, trading }, part: { ...part, entries: undefined } };
}

/** What is counted of a strategy whose exposure the scope names. */
export const countedOf = (now: Snapshot, strategyId: StrategyId, paper: boolean): StrategyCounted =>
  now.exposure(strategyId, paper)?.counted ?? NO_COUNTED_ORDERS;
