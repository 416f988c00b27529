import { type Account, type Balance, tradingFor } from '../account/account.js';
import type { Position, PositionKey } from '../account/position.js';
import type { StrategyId } from '../ids.js';
import type { Snapshot } from '../ledger/decision.js';
import {
  dayIn,
  type EquityMark,
  gainBy,
  type KeptLosses,
  LOSS_LIMITS,
  lostSince,
  measured,
  NOTHING_COUNTED,
} from '../limits/counted.js';
import { LIMIT_CODES, LIMITS, type Limits, limitsLosses, NO_LIMITS } from '../limits/limits.js';
import { NO_USDC, plus, type Shares, type Usdc } from '../money.js';
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
  NOTHING_BET,
  type Strategy,
  type StrategyCounted,
} from '../strategy/strategy.js';
import { isInForce, strategyScope, type Trading, type TradingState } from '../trading/state.js';
import { aboveLimit, dollars, figures, lossesLeft, overLosses, type RiskFacts, saleLeft } from './account-limits.js';
import type { OrderContext } from './trading-stop.js';
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
    overLosses(order, { ...facts, limits: eventLimit(facts) }, 'The strategy')
  );
}

/** Why an order comes after as many of its day as the rules allow. */
function overOrdersOfDay({ intent: { side } }: Order, { bounds, exposure, today }: StrategyFacts): Refusal | null {
  for (const { name, counter, refuses, code, message } of DAY_LIMITS) {
    const most = bounds[name];
    if (most === null || !refuses.includes(side)) continue;
    const count = countOn(exposure.counted, today, counter);
    if (count >= most) return refusal(code, `${message}: ${figures(count, most)}`);
  }
  return null;
}

/** Why a purchase comes after the loss that the rules allow of a day. */
function overLossOfDay({ intent: { side } }: Order, { bounds, exposure, today, gain }: StrategyFacts): Refusal | null {
  const { dailyLoss } = bounds;
  if (dailyLoss === null || side === 'SELL') return null;
  const lost = lostOn(exposure.counted, today, gain);
  if (lost < dailyLoss) return null;
  const words = 'The strategy has lost today what it may lose in a day';
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
  const words = `The strategy was filled in this outcome ${entries} times within ${ENTRIES_WITHIN_MINUTES} minutes without a person`;
  const stopped = refusal(LIMIT_CODES.entries, `${words}: ${figures(entries, MOST_ENTRIES)}`);
  const about = { scope: strategyScope(id), stops: paper ? 'all' : 'live' } as const;
  const trading = ofService(tradingFor(account), stopped.code, 'reducing', words, moments.wall, about);
  return { refusal: stopped, account: { ...account, trading }, part: { ...part, entries: undefined } };
}

/** What the equity of an account is found to be. */
export interface Measurement {
  readonly paper: boolean;
  /** What trading brought, sold or not. */
  readonly gain: Usdc;
  /** The day, by the clock of markets. */
  readonly today: string;
  /** By the clock of the machine. */
  readonly at: Date;
}

/** The account then, the very same where nothing changed, and why its next order is refused. */
export interface MeasuredAccount {
  readonly account: Account;
  readonly refusal: Refusal | null;
}

/** The kind of money, as its marks are named. */
export const lossKind = (paper: boolean): keyof KeptLosses => (paper ? 'paper' : 'live');

/** What trading with these sums of cash brought, less its fees: of what was sold or has a result. */
export const bookedOf = (balances: readonly Balance[]): Usdc =>
  balances.reduce((sum, { counted = NOTHING_COUNTED }) => plus(sum, counted.booked), NO_USDC);

/**
 * Takes in the equity of an account whose losses are limited: its day, its peak, and, once it has lost what it may, the halt
 * that lasts until a person ends it. A loss on paper halts all orders of the account, one of real money those with real money.
 */
function measureLosses(account: Account, limits: Limits, measurement: Measurement): MeasuredAccount {
  const { paper, gain, today } = measurement;
  const kind = lossKind(paper);
  const before = account.losses?.[kind];
  const marks = measured(before, gain, today, limits);
  const lost = lostSince(marks, today, gain);
  const over = LOSS_LIMITS.filter((name) => limits[name] !== null && lost[name] >= (limits[name] ?? NO_USDC));
  const refusals = over.map((name) => aboveLimit(name, dollars(lost[name], limits[name] ?? NO_USDC)));
  const trading = tradingFor(account);
  const halted = refusals.reduce((current, one) => haltedFor(current, one, measurement), trading);
  const next = marks === before ? account : { ...account, losses: { ...account.losses, [kind]: marks } };
  return { account: halted === trading ? next : { ...next, trading: halted }, refusal: refusals[0] ?? null };
}

function haltedFor(trading: Trading, { code, message }: Refusal, { paper, at }: Measurement): Trading {
  const isHalted = trading.states.some((one) => one.code === code && stopsThis(one, paper) && isInForce(one, at));
  if (isHalted) return trading;
  // The sentence of a state goes on after these words.
  const reason = message.replace(/\.$/, '');
  return ofService(trading, code, 'halted', reason, at, { stops: paper ? 'all' : 'live' });
}

const stopsThis = ({ stops }: TradingState, paper: boolean): boolean => stops === 'all' || !paper;

/** The state that a loss of this kind of money led to, while it lasts; null where there is none. */
export function haltOfLosses(account: Account, paper: boolean, at: Date): TradingState | null {
  const codes: readonly (string | null)[] = LOSS_LIMITS.map((name) => LIMITS[name].code);
  const states = tradingFor(account).states.filter((one) => codes.includes(one.code) && isInForce(one, at));
  return states.find(({ stops }) => (stops === 'all') === paper) ?? null;
}

/** What is counted of a strategy whose exposure the scope names. */
export const countedOf = (now: Snapshot, strategyId: StrategyId, paper: boolean): StrategyCounted =>
  now.exposure(strategyId, paper)?.counted ?? NOTHING_BET;

/** A mark, whose money it is of, and the clocks by which it counts. */
interface Measuring {
  readonly paper: boolean;
  readonly mark: EquityMark;
  readonly context: Pick<OrderContext, 'clock' | 'wallClock' | 'dayOf'>;
}

/** What was found. Where money was booked since the mark, part of it may count twice: nothing of that is put on record. */
export interface MeasuredNow extends MeasuredAccount {
  readonly isExact: boolean;
}

/** The account of a snapshot after its equity was measured, by a mark and by what is booked now. */
export function measuredNow(now: Snapshot, { paper, mark, context }: Measuring): MeasuredNow {
  const { account } = now;
  const { limits = NO_LIMITS } = account;
  if (!limitsLosses(limits)) return { account, refusal: null, isExact: true };
  const booked = bookedOf(now.balances(paper));
  const isExact = booked === mark.booked;
  const today = dayIn(context, context.clock.now());
  const measurement = { paper, gain: gainBy(mark, booked), today, at: context.wallClock.now() };
  const found = measureLosses(account, limits, measurement);
  return { account: isExact ? found.account : account, refusal: found.refusal, isExact };
}
