import type { Endpoint } from '../endpoint/endpoint.js';
import { isWorking } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';
import { type Approval, isApprovalOf } from '../strategy/record/approval.js';
import { isAmong, type Slot } from '../strategy/record/decision-record.js';
import type { Scope } from './decision.js';

/** Records of one kind that are known. */
interface Known<T> {
  all(): readonly T[];
}

/** The slots that a scope names, of those that are known. */
export function slotsIn(known: Known<Slot>, { account, slots }: Scope): readonly Slot[] {
  if (slots === undefined) return [];
  return known.all().filter((slot) => slot.account === account && isAmong(slots, slot));
}

/** The approvals that a scope names, of those that are known. */
export function approvalsIn(known: Known<Approval>, { account, approvals }: Scope): readonly Approval[] {
  if (approvals === undefined) return [];
  return known.all().filter((approval) => approval.account === account && isApprovalOf(approvals, approval));
}

/** The endpoints that a scope names, of those that are known. */
export function endpointsIn(known: Known<Endpoint>, { account, endpoints }: Scope): readonly Endpoint[] {
  if (endpoints === undefined) return [];
  return known.all().filter((one) => one.account === account && one.state !== 'removed');
}

/** The working sales that a scope names, of the orders that are known. */
export function salesIn(known: Known<Order>, { account, sales }: Scope): readonly Order[] {
  if (sales === undefined) return [];
  const { paper, venue, marketId, outcome, strategyId } = sales;
  return known.all().filter(({ account: owner, state, intent }) => {
    const isThere = intent.venue === venue && intent.marketId === marketId && intent.outcome === outcome;
    const isPart = owner === account && intent.paper === paper && intent.strategy?.id === strategyId;
    return isThere && isPart && intent.side === 'SELL' && isWorking(state);
  });
}
