import type { AccountId, StrategyId } from '../ids.js';
import { AMOUNT_LIMIT, type Usdc } from '../money.js';
import type { Balance } from './account.js';
import type { Tally } from './portfolio.js';

/** What an account, or the part of one strategy, was worth at one moment. */
export interface EquityPoint {
  readonly account: AccountId;
  readonly paper: boolean;
  /** Null is the whole account. */
  readonly strategyId: StrategyId | null;
  readonly at: Date;
  /** Null for a strategy: cash is the account's. May be negative after a result was amended. */
  readonly cash: Usdc | null;
  /** What results paid and is not redeemed yet; zero on paper and for a strategy. */
  readonly redeemable: Usdc;
  /** Open positions at the price that they could be sold for; at cost where there is none. */
  readonly positions: Usdc;
  /** May be negative. */
  readonly realised: Usdc;
  readonly unrealised: Usdc;
  readonly fees: Usdc;
}

/** The point of one moment, from the sums over the positions of the account or of one of its strategies. */
export function equityPoint(
  { account, paper, cash: all }: Pick<Balance, 'account' | 'paper' | 'cash'>,
  strategyId: StrategyId | null,
  tally: Tally,
  at: Date,
): EquityPoint {
  const { value, redeemable, realised, unrealised, fees } = tally;
  const cash = strategyId === null ? all : null;
  return { account, paper, strategyId, at, cash, redeemable, positions: value, realised, unrealised, fees };
}

/** True when two points of one holding differ in nothing but their moments. */
export function saysTheSame(a: EquityPoint, b: EquityPoint): boolean {
  const money = ({ cash, redeemable, positions, realised, unrealised, fees }: EquityPoint) =>
    [cash, redeemable, positions, realised, unrealised, fees].join();
  return money(a) === money(b);
}

/** True when all of its amounts can be stored: the sum of many positions has no bound of its own. */
export function isStorable({ cash, redeemable, positions, realised, unrealised, fees }: EquityPoint): boolean {
  const amounts = [cash ?? 0n, redeemable, positions, realised, unrealised, fees];
  return amounts.every((amount) => amount < AMOUNT_LIMIT && amount > -AMOUNT_LIMIT);
}

/** The last full interval not after `moment`, counted from 1970 in UTC: 12:05:00.000 for 12:07:31 and five minutes. */
export function lastFullInterval(moment: Date, everyMs: number): Date {
  const ms = moment.getTime();
  return new Date(ms - (ms % everyMs));
}
