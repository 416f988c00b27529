import { type Payout, payoutFor } from '../market/resolution.js';
import { least, minus, type Usdc } from '../money.js';
import type { Order } from './order.js';

/** What comes back to an order with a result: a BUY gets what its shares pay, a SELL got its proceeds, net of fees. */
export function returnedTo({ intent, filled }: Order, payout: Payout): Usdc {
  if (intent.side === 'BUY') return payoutFor(filled.shares, payout[intent.outcome === 'YES' ? 0 : 1]);
  return minus(filled.notional, least(filled.fees, filled.notional));
}
