import type { BookView } from '../../market/book.js';
import type { Market, OutcomeSide } from '../../market/market.js';
import type { Price, Shares, Usdc } from '../../money.js';
import type { DecidingStrategy, Estimate } from '../conditions/candidate.js';
import type { ExitRules } from '../rules/rules.js';
import type { TradingRules } from '../rules/trading-rules.js';

/** What a strategy holds of an outcome. */
export interface HeldShares {
  /** All of them. */
  readonly shares: Shares;
  /** Those that no order is selling already. */
  readonly free: Shares;
  /** What all of them cost, with fees. */
  readonly cost: Usdc;
  /** When the first of them was bought. */
  readonly since: Date;
}

/** What a limit of worst cases leaves: the shares that may be sold, and the limit that would allow all of them. */
export interface SharesLeft {
  readonly shares: Shares;
  readonly forAll: Usdc;
}

/** What a limit of orders leaves: the worth of one order at its limit price. */
export interface SizeLeft {
  readonly size: Usdc;
}

/** What a limit of prices leaves: the least price at which a sale may be placed. */
export interface PriceLeft {
  readonly price: Price;
  /** What the limit is; null where orders of the account itself would meet the sale. */
  readonly cap: Price | null;
}

/** What a limit may leave. */
export type Left = SharesLeft | SizeLeft | PriceLeft;

/** What a limit leaves of a sale. */
export interface SaleBound<Most extends Left = Left> {
  /** Its name in the interface, such as `event_loss`. */
  readonly name: string;
  /** What refuses a sale of more. */
  readonly code: string;
  readonly most: Most;
}

/** Everything that the decision to sell is made of, from one moment. */
export interface ExitInputs {
  readonly strategy: DecidingStrategy;
  readonly rules: TradingRules;
  readonly market: Market;
  /** The outcome that is held. */
  readonly outcome: OutcomeSide;
  /** With which money it was bought. */
  readonly paper: boolean;
  /** In terms of the market's first outcome. */
  readonly book: BookView | null;
  readonly position: HeldShares;
  /** The limits that may leave less than all of it, in the order in which they are tested. */
  readonly limits: readonly SaleBound[];
  /** By the signal that the rules name; null where it says nothing of the market. */
  readonly estimate: Estimate | null;
  readonly now: Date;
}

/** What selling now would bring. */
export interface Offered {
  readonly best: Price;
  readonly limit: Price;
  /** The lowest bid that takes any of them; the best one where none does. */
  readonly lowest: Price;
  readonly shares: Shares;
  readonly proceeds: Usdc;
  /** The limit but for which more would be sold; null where there is none. */
  readonly bound: SaleBound | null;
}

const SECOND_MS = 1000;
/** The longest time between two attempts to sell. */
const LONGEST_MS = 60 * SECOND_MS;

/** How long after the last of so many attempts in a row that sold nothing the next one is made: 0, 1, 2, 4 … 60 seconds. */
export function waitAfter(tries: number): number {
  return tries === 0 ? 0 : Math.min(SECOND_MS * 2 ** Math.min(tries - 1, 6), LONGEST_MS);
}

/** The next moment after `now` at which time alone makes a condition of `exit` true; null where there is none. */
export function nextExitAt(
  { beforeStartMs, afterMs }: Pick<ExitRules, 'beforeStartMs' | 'afterMs'>,
  startsAt: Date | null,
  since: Date,
  now: Date,
): Date | null {
  const moments = [
    ...(beforeStartMs === undefined || startsAt === null ? [] : [startsAt.getTime() - beforeStartMs]),
    ...(afterMs === undefined ? [] : [since.getTime() + afterMs]),
  ].filter((moment) => moment > now.getTime());
  return moments.length === 0 ? null : new Date(Math.min(...moments));
}
