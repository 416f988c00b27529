import type { AccountId, StrategyId } from '../ids.js';
import type { BookView } from '../market/book.js';
import { payoutFor } from '../market/lifecycle.js';
import type { Market, MoneyKind } from '../market/market.js';
import { AMOUNT_LIMIT, minus, NO_USDC, plus, type Usdc } from '../money.js';
import type { Balance } from './account.js';
import { type HoldingFilter, type Position, paidFor } from './position.js';

/** A position that is open, or may be redeemed, and what one share could be sold for now; null when that is not known. */
export interface Holding {
  readonly position: Position;
  readonly market: Market | null;
  readonly mark: Usdc | null;
  /** How current the book of its market is; null where there is none now. */
  readonly book: Pick<BookView, 'at' | 'fresh'> | null;
}

/** An account, or the part of one strategy: its money at one moment, at prices read right after. */
export interface Portfolio {
  readonly filter: HoldingFilter;
  /** An account has real money or play money, never both. */
  readonly money: MoneyKind;
  readonly at: Date;
  /** Null for a strategy: cash is the account's. */
  readonly cash: Usdc | null;
  /** Part of the cash: reserved by working orders. For a strategy, by its own orders. */
  readonly reserved: Usdc;
  readonly holdings: readonly Holding[];
  /** What the open positions could be sold for; at cost where there is no mark. */
  readonly value: Usdc;
  /** How many positions have no mark. */
  readonly unmarked: number;
  /** What results paid and is not redeemed yet; zero on paper, and for a strategy: it becomes the account's cash. */
  readonly redeemable: Usdc;
  /** Before fees; may be negative, as may the next. */
  readonly realised: Usdc;
  readonly unrealised: Usdc;
  readonly fees: Usdc;
  /** At risk: what open positions cost, and what working purchases may still spend. */
  readonly exposure: Usdc;
  /** Cash, what may be redeemed, and positions; null for a strategy. */
  readonly equity: Usdc | null;
}

/** What a portfolio is made from. */
export interface PortfolioParts {
  readonly filter: HoldingFilter;
  readonly money: MoneyKind;
  readonly balance: Pick<Balance, 'cash' | 'reserved'>;
  /** All, closed ones too: they keep what was realised. */
  readonly positions: readonly Position[];
  /** The open positions. */
  readonly held: readonly Holding[];
  /** What a strategy has at work; null for the whole account. */
  readonly committed: Usdc | null;
  readonly at: Date;
}

/** Adds everything up, in one place, so that every view shows the same figures. */
export function portfolioOf({ filter, money, balance, positions, held, committed, at }: PortfolioParts): Portfolio {
  const { cost, value, redeemable, realised, unrealised, fees } = tallyOf(positions, held);
  const paid = sum(held.map(({ position }) => paidFor(position)));
  const reserved = committed === null ? balance.reserved : minus(committed, paid);
  const whole = committed === null;
  return {
    filter,
    money,
    at,
    reserved,
    value,
    redeemable,
    realised,
    unrealised,
    fees,
    cash: whole ? balance.cash : null,
    holdings: held,
    unmarked: held.filter(({ mark, position }) => mark === null && position.shares > 0n).length,
    exposure: plus(cost, reserved),
    equity: whole ? plus(plus(balance.cash, redeemable), value) : null,
  };
}

/** What positions add up to; `realised` and `unrealised` are before fees and may be negative. */
export interface Tally {
  /** The cost of the open positions. */
  readonly cost: Usdc;
  /** The value at which the open positions could be sold; at cost where there is no mark. */
  readonly value: Usdc;
  /** What results paid and is not redeemed yet. */
  readonly redeemable: Usdc;
  readonly realised: Usdc;
  readonly unrealised: Usdc;
  readonly fees: Usdc;
}

/** Adds up positions, closed ones too; `held` are the open ones among them. */
export function tallyOf(positions: readonly Position[], held: readonly Holding[]): Tally {
  const cost = sum(held.map(({ position }) => position.cost));
  const value = sum(held.map(worthOf));
  return {
    cost,
    value,
    unrealised: minus(value, cost),
    redeemable: sum(positions.map(({ redeemable }) => redeemable)),
    realised: sum(positions.map(({ realised }) => realised)),
    fees: sum(positions.map(({ fees }) => fees)),
  };
}

/** What a holding could be sold for now, rounded down; its cost when that is not known. */
export function worthOf({ position, mark }: Holding): Usdc {
  return mark === null ? position.cost : payoutFor(position.shares, mark);
}

/** The order in which positions are listed: by market, then outcome, then venue. */
export function byOutcome(a: Position, b: Position): number {
  if (a.marketId !== b.marketId) return a.marketId < b.marketId ? -1 : 1;
  if (a.outcome !== b.outcome) return a.outcome < b.outcome ? -1 : 1;
  return a.venue < b.venue ? -1 : 1;
}

const sum = (amounts: readonly Usdc[]): Usdc => amounts.reduce((total, amount) => plus(total, amount), NO_USDC);

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
