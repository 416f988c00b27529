import { NOTHING_WORKING, type WorkingRisk } from '../limits/risk.js';
import { feeReserve } from '../market/fee.js';
import { minus, NO_USDC, notional, ONE, type Shares, type Usdc } from '../money.js';
import type { Intent } from './intent.js';
import { isWorking } from './lifecycle.js';
import { type Order, remaining, reservedCash } from './order.js';

/**
 * What an order may still take from the result of its outcome, filled only where that hurts: a purchase costs what is
 * reserved for it and gives its shares; a sale takes out its shares with their cost, whatever it brings: what it gains or
 * loses is no longer at risk. Between two results the loss is at most what it is at one of them, and a part of an order hurts
 * less than all of it.
 */
export function workingRisk(order: Order | undefined): WorkingRisk {
  if (order === undefined || !isWorking(order.state)) return NOTHING_WORKING;
  const { intent } = order;
  const shares = remaining(order);
  const at = [[intent.price, 1]] as const;
  if (intent.side === 'BUY') {
    const cost = reservedCash(order);
    const hurts = (perShare: bigint) => positive(minus(cost, worth(shares, perShare)));
    const sums = { lost: hurts(NOTHING), split: hurts(HALF), won: hurts(ONE) };
    return { ...NOTHING_WORKING, orders: 1, ...sums, bids: at };
  }
  return { ...NOTHING_WORKING, orders: 1, selling: shares, asks: at };
}

const NOTHING = 0n;
const HALF = ONE / 2n;

/** The least that a sale of so many shares brings, fees off. A better price brings more, also after its fee: the rate is below one. */
export function leastProceeds({ price, postOnly, feeSchedule }: Intent, shares: Shares): Usdc {
  const fee = feeReserve(feeSchedule, { side: 'BUY', price, postOnly, shares });
  return minus(notional(shares, price, 'floor'), fee);
}

const worth = (shares: Shares, perShare: bigint): Usdc => ((shares * perShare) / ONE) as Usdc;
const positive = (amount: Usdc): Usdc => (amount > 0n ? amount : NO_USDC);
