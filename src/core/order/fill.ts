import { NO_SHARES, NO_USDC, type Price, plus, type Shares, type Usdc } from '../money.js';

/** MAKER rested on the book, TAKER removed from it. */
export type Liquidity = 'MAKER' | 'TAKER';

/** What an account has taken of one level on display, as of one of its fills there. The venue goes on displaying it. */
export interface TakenLevel {
  /** The level's, in terms of the order's outcome; an order that rested fills at its own price, not at this one. */
  readonly price: Price;
  /** All that the account's paper orders have taken of it, this fill included, since it was last seen empty. */
  readonly shares: Shares;
  /** How many were displayed then: no fewer than those. */
  readonly displayed: Shares;
  /** When: in one market never before what was taken earlier, whatever the clock says. */
  readonly at: Date;
}

/** One execution as the venue reports it. `tradeId` is unique within its order. */
export interface Execution {
  readonly tradeId: string;
  readonly shares: Shares;
  readonly price: Price;
  readonly fee: Usdc;
  readonly liquidity: Liquidity;
  /** False while the venue may still undo it. */
  readonly confirmed: boolean;
  /** What a simulated fill assumed; null for a real one. */
  readonly model: string | null;
  /** What a simulated fill took out of what was displayed; absent where it took nothing of that. */
  readonly taken?: TakenLevel;
}

/** What a sale took out of the positions, kept so that a void can restore exactly that. Zero for a purchase. */
export interface Basis {
  readonly cost: Usdc;
  readonly strategyShares: Shares;
  readonly strategyCost: Usdc;
  /** What was paid in fees for the shares sold; absent in records of before it was kept, and for a purchase. */
  readonly fees?: Usdc;
  readonly strategyFees?: Usdc;
}

/** An execution on record: provisional until the venue confirms or voids it. */
export interface Fill {
  readonly tradeId: string;
  readonly shares: Shares;
  readonly price: Price;
  /** Price × shares, rounded against the trader; a purchase within its limit never takes more than was reserved for it. */
  readonly notional: Usdc;
  readonly fee: Usdc;
  readonly liquidity: Liquidity;
  readonly settlement: 'provisional' | 'confirmed' | 'voided';
  readonly model: string | null;
  readonly basis: Basis;
  /** As of its execution; absent in records of before it was kept, too. */
  readonly taken?: TakenLevel;
}

/** What the fills of an order add up to; voided ones count for nothing. */
export interface Filled {
  readonly shares: Shares;
  readonly confirmed: Shares;
  readonly notional: Usdc;
  readonly fees: Usdc;
}

/** The sums of an order before its first fill. */
export const NOTHING_FILLED: Filled = { shares: NO_SHARES, confirmed: NO_SHARES, notional: NO_USDC, fees: NO_USDC };
/** The basis of a purchase. */
export const NO_BASIS: Basis = { cost: NO_USDC, strategyShares: NO_SHARES, strategyCost: NO_USDC };

/** The record of an execution for the money that it moved. */
export function fillOf(execution: Execution, money: Usdc, basis: Basis): Fill {
  const { tradeId, shares, price, fee, liquidity, confirmed, model, taken } = execution;
  const settlement = confirmed ? 'confirmed' : 'provisional';
  const fill: Fill = { tradeId, shares, price, notional: money, fee, liquidity, settlement, model, basis };
  return taken === undefined ? fill : { ...fill, taken };
}

/** Sums fills, leaving voided ones out. */
export function sumFills(fills: readonly Fill[]): Filled {
  let sum = NOTHING_FILLED;
  for (const fill of fills) {
    if (fill.settlement === 'voided') continue;
    sum = {
      shares: plus(sum.shares, fill.shares),
      confirmed: fill.settlement === 'confirmed' ? plus(sum.confirmed, fill.shares) : sum.confirmed,
      notional: plus(sum.notional, fill.notional),
      fees: plus(sum.fees, fill.fee),
    };
  }
  return sum;
}
