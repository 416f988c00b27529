import type { Ledger } from '../../../ports/ledger.js';
import type { SignalSource } from '../../../ports/signals.js';
import { freeShares, type Position, type PositionKey, paidFor } from '../../account/position.js';
import type { DecisionId } from '../../ids.js';
import type { Decision, Scope, Snapshot } from '../../ledger/decision.js';
import type { LeaseInHand } from '../../ledger/lease.js';
import { isLimited, LIMIT_CODES, LIMITS } from '../../limits/limits.js';
import { riskGroupOf } from '../../limits/risk.js';
import type { BookView } from '../../market/book.js';
import { isNetted, type MarketRef } from '../../market/market.js';
import { least, minus, NO_SHARES, plus, type Shares, type Usdc } from '../../money.js';
import type { OrderDraft } from '../../order/draft.js';
import { type Order, reservedShares } from '../../order/order.js';
import { leastPrices, notCrossing, saleLeft } from '../../posting/account-limits.js';
import { type Again, lackingFor } from '../../posting/order-checks.js';
import { aboveOwnBids, bothOutcomes } from '../../posting/own-orders.js';
import { boundsOf, eventSaleLeft } from '../../posting/strategy-limits.js';
import type { Estimate } from '../../strategy/conditions/candidate.js';
import type { Sale } from '../../strategy/exit/decide-exit.js';
import type { ExitInputs, SaleBound } from '../../strategy/exit/exit-inputs.js';
import { automationIsLive, tradingRules } from '../../strategy/rules/trading-rules.js';
import { noExposure, type Strategy } from '../../strategy/strategy.js';
import type { MarketWithBook } from '../../strategy/watch/watched-market.js';
import type { Venues } from '../../venues/venues.js';
import { type OrderPlacement, type PlacementRequest, placementOf } from '../orders/order-placement.js';
import { type BetPorts, type DecidedTerms, recordedInOrder } from './bet-orders.js';
import { readEstimates } from './judgement.js';

/** The one way from an exit to its order. */
export class ExitOrders {
  readonly #placement: OrderPlacement;

  constructor(
    private readonly ledger: Pick<Ledger, 'read' | 'write'>,
    venues: Venues,
    private readonly context: BetPorts,
  ) {
    this.#placement = placementOf(ledger, venues, context);
  }

  /** Runs a write that may place the order of the exit. */
  async write<T>(
    judgement: ExitJudgement,
    decide: (now: Snapshot, terms: DecidedTerms) => Decision<T | Again>,
  ): Promise<T> {
    const { market } = judgement.view;
    const { paper, strategy } = judgement.held;
    return recordedInOrder(this.context, strategy, async () => {
      await this.#placement.prepare(market, paper);
      return this.#recording(judgement, this.#placement.lease(market.venue, paper), (scope, terms) =>
        this.ledger.write(scope, (now) => decide(now, terms)),
      );
    });
  }

  /** Looks at all that such a write reads, on whatever server; it stores nothing. */
  look<T>(judgement: ExitJudgement, look: (now: Snapshot, terms: DecidedTerms) => T | Again): Promise<T> {
    return this.#recording(judgement, undefined, (scope, terms) => this.ledger.read(scope, (now) => look(now, terms)));
  }

  /** What the limits leave of a sale of what the strategy holds, of which so many shares are free. */
  limits(
    now: Snapshot,
    judgement: ExitJudgement,
    strategy: Strategy,
    free: Shares,
    { beside }: DecidedTerms,
  ): ExitInputs['limits'] | Again {
    const lacking = lackingFor(now, strategy, 'SELL', beside);
    if (lacking !== null) return lacking;
    const { liveOrderCap } = this.context;
    return limitsOfSale(now, judgement, strategy, free, { liveOrderCap, book: beside.book ?? undefined });
  }

  /** The order of the sale. @throws as `OrderPlacement.decide` */
  decideOrder(
    now: Snapshot,
    judgement: ExitJudgement,
    sale: Sale,
    strategy: Strategy,
    terms: DecidedTerms,
    decisionId: DecisionId,
  ): Decision<Order> | Again {
    return this.#placement.decide(now, this.#request(now, judgement, sale, strategy, terms, decisionId));
  }

  /** The code of what would keep the order from its venue; null where nothing would. */
  obstacle(now: Snapshot, judgement: ExitJudgement, sale: Sale, terms: DecidedTerms): string | null | Again {
    return this.#placement.obstacle(now, this.#request(now, judgement, sale, judgement.held.strategy, terms));
  }

  #request(
    now: Snapshot,
    { held, view }: ExitJudgement,
    sale: Sale,
    strategy: Strategy,
    { lease, beside }: DecidedTerms,
    decisionId?: DecisionId,
  ): PlacementRequest {
    const key = strategy.automationKey === null ? undefined : now.key(strategy.automationKey);
    const mayTradeLive = automationIsLive(strategy, key, this.context.wallClock.now());
    return { draft: draftOf(held, sale), market: view.market, lease, mayTradeLive, beside, decisionId };
  }

  #recording<T>(
    judgement: ExitJudgement,
    lease: LeaseInHand,
    run: (scope: Scope, terms: DecidedTerms) => Promise<T | Again>,
  ): Promise<T> {
    const { market } = judgement.view;
    const at = this.context.clock.now();
    const names = namesOf(judgement.held);
    return this.#placement.recording<T>(names, market, (beside) =>
      run(
        { ...this.#placement.scope(names, market, { lease, beside }), ...exitScope(judgement) },
        { lease, beside, at },
      ),
    );
  }
}

const namesOf = ({ strategy, outcome, paper }: HeldPosition) => ({
  account: strategy.account,
  strategyId: strategy.id,
  outcome,
  paper,
});

function draftOf(held: HeldPosition, { price, size }: Sale): OrderDraft {
  const { venue, marketId } = held;
  const terms = { timeInForce: 'FAK', expiresAt: null, postOnly: false } as const;
  return { ...namesOf(held), venue, marketId, side: 'SELL', price, size, ...terms };
}

/** What a strategy holds, and all that is known of it from outside of the record. */
export interface ExitJudgement {
  readonly held: HeldPosition;
  readonly view: MarketWithBook;
  readonly estimate: Estimate | null;
}

/** What the model of the strategy says of the market, where its exits ask for that. @throws what the model throws */
export async function exitEstimate(
  signals: SignalSource,
  { strategy }: HeldPosition,
  view: MarketWithBook,
): Promise<ExitJudgement['estimate']> {
  if (strategy.rules.exit?.edgeBelow === undefined) return null;
  return (await readEstimates(signals, strategy, { ...view, others: [] })).estimate;
}

/** What `sellable` reads beside positions. */
function exitScope({ held }: ExitJudgement): Pick<Scope, 'sales' | 'keys'> {
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
  { held, view: { market } }: ExitJudgement,
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
  const leastOwn = facts === null && isNetted(market) ? aboveOwnBids(key, bothOutcomes(now, key)) : null;
  const prices = facts === null ? notCrossing(leastOwn) : leastPrices(key, facts);
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
  const { held, view, estimate } = judgement;
  const { strategy, outcome, paper, shares, since } = held;
  const position = { shares, free, cost: paidFor(part), since };
  return { strategy, rules: tradingRules(strategy), outcome, paper, ...view, position, limits, estimate, now };
}

/** What a strategy holds of an outcome, and how it came to it. */
export interface HeldPosition extends MarketRef {
  /** The version in force. */
  readonly strategy: Strategy;
  readonly paper: boolean;
  readonly outcome: PositionKey['outcome'];
  readonly shares: Shares;
  /** What those cost, without fees. */
  readonly cost: Usdc;
  /** Paid in fees for them; absent for none. */
  readonly heldFees?: Usdc | undefined;
  /** When the first of them was bought. */
  readonly since: Date;
  /** FOK and FAK sales in a row, up to now, that sold nothing. */
  readonly tries: number;
  readonly lastTryAt: Date | null;
  /** Whether a FOK or FAK sale is at work. */
  readonly isSelling: boolean;
}

/** The part of an outcome that the strategy holds. */
export type HeldPart = Pick<HeldPosition, 'strategy' | 'paper' | 'venue' | 'marketId' | 'outcome'>;

/** The key of the position that a strategy holds. */
export function partKey({ strategy, paper, venue, marketId, outcome }: HeldPart): PositionKey {
  return { account: strategy.account, paper, venue, marketId, outcome, strategyId: strategy.id };
}
