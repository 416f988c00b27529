import type { AccountId, MarketId, OrderId, VenueName } from '../ids.js';
import type { QuotedPrices } from '../market/book.js';
import { type Evidence, worstEvidence } from '../market/event.js';
import { type MarketEventRef, marketName, type OutcomeSide } from '../market/market.js';
import { evidenceOfModel } from '../matching/model.js';
import type { Price, Ratio, Shares, Usdc } from '../money.js';
import type { MarketAtOrder } from '../order/market-at-order.js';
import type { StrategyRef } from '../order/order.js';

/** How bets end, and `open`. */
export const BET_RESULTS = ['won', 'lost', 'void', 'split', 'closed_early', 'open'] as const;

/**
 * How a bet ended. `void` where the venue declared the market so, `split` where each share paid a part, `closed_early` where all
 * was sold before the result.
 */
export type BetResult = (typeof BET_RESULTS)[number];

/** Why a bet has no price of the close. */
export type NoClose = 'in_play' | 'no_start' | 'not_started' | 'no_book' | 'gap' | 'one_sided' | 'wide_spread';

/** The last price before the event began. */
export interface ClosePrice {
  /** The mid of the last whole book, at most ten minutes before the start. */
  readonly price: Price;
  /** That price over the sum of those of its exclusive set, where all of the set has one; else the price itself. */
  readonly fair: Ratio;
}

/**
 * A bet: all fills of one strategy, or of a client, in one outcome of a market, from flat to flat, or to the result. Money is
 * what the account really paid and got.
 */
export interface BetRow {
  /** The order that opened it and, where that was not by its first fill, the number of that fill. */
  readonly id: string;
  readonly account: AccountId;
  readonly paper: boolean;
  readonly venue: VenueName;
  readonly marketId: MarketId;
  readonly event: MarketEventRef | null;
  readonly question: string | null;
  readonly sport: string | null;
  readonly league: string | null;
  readonly kind: string | null;
  readonly line: string | null;
  /** Null where a client placed its first order. */
  readonly strategy: StrategyRef | null;
  readonly outcome: OutcomeSide;
  readonly outcomeLabel: string | null;
  readonly side: MarketAtOrder['side'];
  readonly firstFillAt: Date;
  readonly lastFillAt: Date;
  /** Null while it is open. */
  readonly settledAt: Date | null;
  /** When its event starts, as it was known when the bet was decided. */
  readonly startsAt: Date | null;
  /** From the first fill to the start of the event; below zero after it, null where the start is not known. */
  readonly secondsToStart: number | null;
  readonly phase: 'pre' | 'in_play';
  /** All that were bought. */
  readonly shares: Shares;
  /** Those of them that were not sold. */
  readonly held: Shares;
  /** What the purchases paid, before fees. */
  readonly stake: Usdc;
  /** Of purchases and sales. */
  readonly fees: Usdc;
  /** When the first purchase was decided. */
  readonly atDecision: QuotedPrices | null;
  /** When it reached the book. */
  readonly atArrival: QuotedPrices | null;
  /** The probability that the strategy stated before the bet, in millionths. */
  readonly probability: Price | null;
  readonly close: ClosePrice | NoClose;
  /** What each share paid; null without a result. */
  readonly payout: Usdc | null;
  /** What the result paid for those that were held. */
  readonly paid: Usdc;
  /** What sales brought, before fees. */
  readonly soldFor: Usdc;
  /** What it earned. While it is open, with what is held at its mark, after the fees of a sale; on record without that. */
  readonly profit: Usdc;
  readonly result: BetResult;
  readonly liquidity: 'maker' | 'taker' | 'mixed';
  /** What simulated fills assumed, each once. */
  readonly fillModels: readonly string[];
  /** Every order that bought or sold its shares, in order; from `earlierOrders` on, where that is given. */
  readonly orderIds: readonly OrderId[];
  /** The number of the last event of each of these that counts. */
  readonly orderSeqs: readonly number[];
  /** How many come before these, kept apart so that a change of the bet writes few; absent in every list. */
  readonly earlierOrders?: number;
  /** What the account was worth, and what its open bets cost, before the first fill: with these at cost; null where that is not known. */
  readonly equityAtEntry: Usdc | null;
  readonly atRisk: Usdc | null;
  /** How often the paper money of the account had begun anew when it was opened; 0 with real money. */
  readonly resets: number;
}

/** The event of a bet, by which its returns depend on each other; a market without one is an event of its own. */
export const eventKey = ({ venue, marketId, event }: Pick<BetRow, 'venue' | 'marketId' | 'event'>): string =>
  event === null ? marketName({ venue, marketId }) : `${venue} event ${event.id}`;

/** The least that was proved of the books that its simulated fills met; null where none met one, as with real money. */
export function betEvidence({ fillModels }: Pick<BetRow, 'fillModels'>): Evidence | null {
  const known = fillModels.map(evidenceOfModel).filter((one) => one !== null);
  return known.length === 0 ? null : worstEvidence(known);
}

/** True of a bet whose money is final: it has a result, or everything was sold. */
export const isSettled = ({ result }: Pick<BetRow, 'result'>): boolean => result !== 'open';

/** True of a bet that was won or lost: not void, not split, and not sold before. */
export const isDecided = ({ result }: Pick<BetRow, 'result'>): boolean => result === 'won' || result === 'lost';

/** When the close of a bet is due; null where it is known, or that there is none. */
export const closesAt = ({ close, startsAt }: Pick<BetRow, 'close' | 'startsAt'>): Date | null =>
  close === 'not_started' ? startsAt : null;

/** Everything that was paid for its shares. */
export const outlayOf = ({ stake, fees }: Pick<BetRow, 'stake' | 'fees'>): Usdc => (stake + fees) as Usdc;

/** The order of bets in which they settled. */
export function bySettlement(a: Pick<BetRow, 'id' | 'settledAt'>, b: Pick<BetRow, 'id' | 'settledAt'>): number {
  const [first, second] = [
    a.settledAt?.getTime() ?? Number.MAX_SAFE_INTEGER,
    b.settledAt?.getTime() ?? Number.MAX_SAFE_INTEGER,
  ];
  if (first !== second) return first - second;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
