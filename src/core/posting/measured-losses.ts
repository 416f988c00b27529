import { type Account, type Balance, tradingFor } from '../account/account.js';
import type { StrategyId } from '../ids.js';
import type { Snapshot } from '../ledger/decision.js';
import { dayIn, NOTHING_COUNTED } from '../limits/counted.js';
import { LIMITS, type Limits, limitsLosses, NO_LIMITS } from '../limits/limits.js';
import { type EquityMark, gainBy, type KeptLosses, LOSS_LIMITS, lostSince, measured } from '../limits/loss-marks.js';
import { NO_USDC, plus, type Usdc } from '../money.js';
import type { Refusal } from '../order/order.js';
import { NOTHING_BET, type StrategyCounted } from '../strategy/strategy.js';
import { isInForce, type Trading, type TradingState } from '../trading/state.js';
import { aboveLimit, dollars } from './account-limits.js';
import type { OrderContext } from './order-context.js';
import { ofService } from './trading-watch.js';

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
export function measureLosses(account: Account, limits: Limits, measurement: Measurement): MeasuredAccount {
  const { paper, gain, today } = measurement;
  const kind = lossKind(paper);
  const before = account.losses?.[kind];
  const marks = measured(before, gain, today, limits);
  const lost = lostSince(marks, today, gain);
  const over = LOSS_LIMITS.filter((name) => limits[name] !== null && lost[name] >= (limits[name] ?? NO_USDC));
  const refusals = over.map((name) => aboveLimit(name, dollars(lost[name], limits[name] ?? NO_USDC)));
  const trading = tradingFor(account);
  const halted = refusals.reduce((seen, one) => haltedFor(seen, one, measurement), trading);
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
