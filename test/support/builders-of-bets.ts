import { uuidV7 } from '../../src/adapters/system/index.js';
import type { ApprovalId, DecisionId, MarketId, OrderId, StrategyId } from '../../src/core/ids.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import type { Approval } from '../../src/core/strategy/record/approval.js';
import type { BetRecord, Slot } from '../../src/core/strategy/record/decision-record.js';
import { ALICE, BOB, price, shares, usdc } from './builders.js';

export { ALICE, BOB };

const AT = new Date('2026-12-05T14:59:00.123Z');
const MARKET = 'epl-ars-che' as MarketId;
const STRATEGY = '01a1fda4-6dbf-72dd-91e5-f8da8c91b24c' as StrategyId;

type PlacedBet = Extract<BetRecord, { verdict: 'bet' }>;

/** A bet of 20 dollars at 0.57. */
export function aBet(changes: Partial<Omit<PlacedBet, 'verdict' | 'code'>> = {}): PlacedBet {
  return {
    account: ALICE,
    id: uuidV7.next() as DecisionId,
    at: AT,
    strategyId: STRATEGY,
    strategyVersion: 3,
    marketId: MARKET,
    venue: NO_VENUE,
    token: 'YES',
    outcomeLabel: 'Arsenal',
    probability: 600_001n,
    question: 'Arsenal or Chelsea?',
    event: 'Arsenal against Chelsea',
    verdict: 'bet',
    code: null,
    price: price('0.57'),
    size: usdc('20'),
    shares: shares('35.08'),
    cost: usdc('20.123457'),
    odds: 1_743_227n,
    edge: 45_937n,
    boundBy: 'stake_cap',
    slot: 1,
    inputs: { best_offer: '0.57', mid: null },
    rules: [
      { rule: 'filter/min_odds', value: '1.743227', bound: '1.5', passed: true },
      { rule: 'filter/max_drift', value: null, bound: '0.02', passed: null },
    ],
    orderId: uuidV7.next() as OrderId,
    approvalId: null,
    ...changes,
  };
}

/** The first bet of a strategy on an outcome. */
export function aSlot(changes: Partial<Slot> = {}): Slot {
  return {
    account: ALICE,
    strategyId: STRATEGY,
    venue: NO_VENUE,
    marketId: MARKET,
    outcome: 'YES',
    n: 1,
    reset: 0,
    eventId: '77',
    day: '2026-12-05',
    at: AT,
    decisionId: uuidV7.next() as DecisionId,
    orderId: null,
    ...changes,
  };
}

/** A bet that waits for a person. */
export function anApproval(changes: Partial<Approval> = {}): Approval {
  const id = uuidV7.next() as ApprovalId;
  const { account = ALICE } = changes;
  return {
    id,
    account,
    state: 'waiting',
    decision: aBet({ account, orderId: null, approvalId: id }),
    paper: true,
    eventId: '77',
    day: '2026-12-05',
    expiresAt: new Date(AT.getTime() + 600_000),
    decidedBy: null,
    decidedAt: null,
    orderId: null,
    ...changes,
  };
}
