import type { SignalSource } from '../../../ports/signals.js';
import { freeShares, type Position, paidFor } from '../../account/position.js';
import type { Scope, Snapshot } from '../../ledger/decision.js';
import { isLimited, LIMIT_CODES, LIMITS } from '../../limits/limits.js';
import { riskGroupOf } from '../../limits/risk.js';
import type { BookView } from '../../market/book.js';
import { least, minus, NO_SHARES, plus, type Shares, type Usdc } from '../../money.js';
import { reservedShares } from '../../order/order.js';
import { leastPrices } from '../../posting/account-limits.js';
import { boundsOf, eventSaleLeft } from '../../posting/strategy-limits.js';
import { saleLeft } from '../../posting/worst-case-limits.js';
import type { Estimate } from '../../strategy/conditions/bet-inputs.js';
import type { ExitInputs, SaleBound } from '../../strategy/exit/exit-inputs.js';
import { tradingRules } from '../../strategy/rules/trading-rules.js';
import { noExposure, type Strategy } from '../../strategy/strategy.js';
import type { SeenMarket } from '../../strategy/watch/market-scene.js';
import { type HeldPosition, partKey } from './held-position.js';
import { readEstimates } from './read-estimates.js';

/** What a strategy holds, and all that is seen of it from outside of the record. */
export interface ExitJudgement {
  readonly held: HeldPosition;
  readonly seen: SeenMarket;
  readonly estimate: Estimate | null;
}

/** What the model of the strategy says of the market, where its exits ask for that. @throws what the model throws */
export async function exitEstimate(
  signals: SignalSource,
  { strategy }: HeldPosition,
  seen: SeenMarket,
): Promise<ExitJudgement['estimate']> {
  if (strategy.rules.exit?.edgeBelow === undefined) return null;
  return (await readEstimates(signals, strategy, { ...seen, others: [] })).estimate;
}

/** What `sellable` reads beside positions. */
export function exitScope({ held }: ExitJudgement): Pick<Scope, 'sales' | 'keys'> {
  const { automationKey } = held.strategy;
  return { sales: partKey(held), ...(automationKey !== null && { keys: [automationKey] }) };
}

/**
 * What the strategy may sell of its own: not what an order of its sells already, and no more than the account has free. Shares
 * that the account sold without naming the strategy are gone, although they still count as its part.
 */
export function sellable(now: Snapshot, part: Position): Shares {
  const onSale = now.sales().reduce((sum, order) => plus(sum, reservedShares(order)), NO_SHARES);
  const own = now.position({ ...part, strategyId: null });
  const free = own === undefined ? NO_SHARES : least(freeShares(own), minus(part.shares, onSale));
  return free > 0n ? free : NO_SHARES;
}

/** What the limits of the strategy and of its account leave of a sale of so many shares; what they need is read in the scope. */
export function limitsOfSale(
  now: Snapshot,
  { held, seen: { market } }: ExitJudgement,
  strategy: Strategy,
  free: Shares,
  { liveOrderCap, book }: SaleFacts,
): ExitInputs['limits'] {
  const { paper, venue, marketId, outcome } = held;
  const { account, id: strategyId } = strategy;
  const key = { account, paper, venue, marketId, outcome, strategyId };
  const group = riskGroupOf(market);
  const bounds = boundsOf(strategy);
  const exposure = now.exposure(strategyId, paper) ?? noExposure(strategy, paper);
  const own = () => ({ bounds, exposure, risks: now.risks({ paper, strategyId }), group });
  const ofRules = bounds.eventLoss === null ? null : eventSaleLeft(key, own(), free, market.lot);
  const { limits } = now.account;
  const isBound = limits !== undefined && isLimited(limits);
  const ofOrders: readonly SaleBound[] = [
    ...mostWorth('live_order_cap', LIMIT_CODES.liveOrderCap, paper ? null : liveOrderCap),
    ...mostWorth(LIMITS.orderUsdc.shown, LIMITS.orderUsdc.code, limits?.orderUsdc ?? null),
  ];
  const facts = isBound ? { limits, risks: now.risks({ paper, strategyId: null }), group, book } : null;
  const ofAccount = facts && saleLeft({ ...key, strategyId: null }, facts, free, market.lot);
  const prices = facts === null ? [] : leastPrices(key, facts);
  return [...ofOrders, ...(ofRules === null ? [] : [ofRules]), ...prices, ...(ofAccount === null ? [] : [ofAccount])];
}

/** What a sale is compared with beside what is on record. */
export interface SaleFacts {
  readonly liveOrderCap: Usdc | null;
  /** The book from which a band of prices is measured; undefined where none was read. */
  readonly book: BookView | undefined;
}

const mostWorth = (name: string, code: string, size: Usdc | null): readonly SaleBound[] =>
  size === null ? [] : [{ name, code, most: { size } }];

/** What decides: the judgement, with what it cost and what of it may be sold. */
export function exitInputs(
  judgement: ExitJudgement,
  part: Pick<Position, 'cost' | 'heldFees'>,
  free: Shares,
  now: Date,
  limits: ExitInputs['limits'] = [],
): ExitInputs {
  const { held, seen, estimate } = judgement;
  const { strategy, outcome, paper, shares, since } = held;
  const position = { shares, free, cost: paidFor(part), since };
  return { strategy, rules: tradingRules(strategy), outcome, paper, ...seen, position, limits, estimate, now };
}
