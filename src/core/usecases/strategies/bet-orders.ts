import type { Ledger } from '../../../ports/ledger.js';
import type { InOrder } from '../../concurrency/concurrency.js';
import type { DecisionId } from '../../ids.js';
import type { Decision, Scope, Snapshot } from '../../ledger/decision.js';
import type { LeaseInHand } from '../../ledger/lease.js';
import { dayIn } from '../../limits/counted.js';
import { quotedFrom } from '../../market/book.js';
import type { MarketTerms } from '../../market/market.js';
import { ONE, type Price } from '../../money.js';
import type { OrderDraft, OrderTerms } from '../../order/draft.js';
import type { BoughtFor } from '../../order/market-at-order.js';
import type { Order } from '../../order/order.js';
import { type Again, isAgain, lackingFor } from '../../posting/order-checks.js';
import type { OrderContext } from '../../posting/trading-stop.js';
import { type Bet, type BetDecision, type DecisionSubject, inputAmount, skipOf } from '../../strategy/decide/decide.js';
import { type BetRecord, REAL_MONEY, type Slot } from '../../strategy/record/decision-record.js';
import { automationIsLive, type TradingRules, tradingRules } from '../../strategy/rules/trading-rules.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { Venues } from '../../venues/venues.js';
import type { PlacementPorts, PlacementTerms } from '../orders/order-placement.js';
import { type OrderPlacement, type PlacementRequest, placementOf } from '../orders/order-placement.js';
import { betBoundsScope, type PossibleBet } from './judgement.js';

/** What the orders of bets are placed with, beside the ledger. */
export type BetPorts = OrderContext &
  Pick<PlacementPorts, 'quotes' | 'marks' | 'placement'> & {
    /**
     * Puts the bets of an account on record one after another, in the order in which they were decided: on a tape, which ends the same
     * each time. Absent, those of one moment go on record in any order, and together.
     */
    readonly inOrder?: InOrder | undefined;
  };

/** What is fixed before the write of an order of a strategy; `at` is when it decides. */
export interface DecidedTerms extends PlacementTerms {
  readonly at: Date;
}

/** A bet that is on record with its order; a skip where a limit denied the order. */
export interface PlacedBet {
  readonly decision: BetRecord;
  readonly order: Order;
}

/** The one way from a bet to its order, whether the strategy or a person decided on it. */
export class BetOrders {
  readonly #placement: OrderPlacement;

  constructor(
    private readonly ledger: Ledger,
    venues: Venues,
    private readonly context: BetPorts,
  ) {
    this.#placement = placementOf(ledger, venues, context);
  }

  /** Runs a write that may place the order of the bet; `also` is what else it reads. */
  async write<T>(
    bet: PossibleBet,
    also: Partial<Scope>,
    decide: (now: Snapshot, terms: DecidedTerms) => Decision<T | Again>,
  ): Promise<T> {
    return recordedInOrder(this.context, bet.strategy, async () => {
      await this.#placement.prepare(bet.market, bet.paper);
      const lease = this.#placement.lease(bet.market.venue, bet.paper);
      return this.#recording(bet, lease, (scope, terms) =>
        this.ledger.write({ ...scope, ...also }, (now) => decide(now, terms)),
      );
    });
  }

  /** Looks at all that such a write reads, on whatever server; it stores nothing. */
  look<T>(bet: PossibleBet, look: (now: Snapshot, terms: DecidedTerms) => T | Again): Promise<T> {
    return this.#recording(bet, undefined, (scope, terms) => this.ledger.read(scope, (now) => look(now, terms)));
  }

  /** What was not read of what the limits of the strategy and of its account are compared with, to be answered to `write`; null where all was. */
  lacking(now: Snapshot, strategy: Strategy, { beside }: DecidedTerms): Again | null {
    return lackingFor(now, strategy, 'BUY', beside);
  }

  /** The order, the decision on record, and the slot of the bet. @throws as `OrderPlacement.decide` */
  decideOrder(
    now: Snapshot,
    bet: PossibleBet,
    decision: DecisionSubject & Bet,
    { lease, beside, at }: DecidedTerms,
    { approvalId, mayTradeLive }: Pick<PlacementRequest, 'mayTradeLive'> & Pick<BetRecord, 'approvalId'>,
  ): Decision<PlacedBet> | Again {
    const { market, strategy } = bet;
    const id = this.context.ids.next() as DecisionId;
    const draft = betDraft(bet, decision, at);
    const bought = boughtFor(strategy, decision);
    const decided = this.#placement.decide(now, {
      draft,
      market,
      lease,
      mayTradeLive,
      beside,
      decisionId: id,
      bought,
    });
    if (isAgain(decided)) return decided;
    const { result: order } = decided;
    const { refusal } = order;
    const made: BetDecision = refusal === null ? decision : skipOf(decision, refusal.code, refusal.message);
    const record: BetRecord = { ...made, id, account: strategy.account, orderId: order.id, approvalId };
    const reset = bet.paper ? (now.account.paperResets ?? 0) : REAL_MONEY;
    const eventId = market.event?.id ?? null;
    const slot = slotOf(record, { n: decision.slot, reset, eventId, day: dayIn(this.context, at) });
    const slots = order.refusal === null ? [slot] : [];
    return { ...decided, result: { decision: record, order }, decisions: [record], slots };
  }

  /** The code of what would keep the order of the bet from its venue; null where nothing would. */
  obstacle(
    now: Snapshot,
    bet: PossibleBet,
    decision: DecisionSubject & Bet,
    terms: DecidedTerms,
  ): string | null | Again {
    const { lease, beside, at } = terms;
    const { strategy, market } = bet;
    const key = strategy.automationKey === null ? undefined : now.key(strategy.automationKey);
    // A strategy that does not trade by itself is evaluated as if it did.
    const mayTradeLive = automationIsLive({ ...strategy, automation: 'auto' }, key, this.context.wallClock.now());
    const draft = betDraft(bet, decision, at);
    const bought = boughtFor(strategy, decision);
    return this.#placement.obstacle(now, { draft, market, lease, mayTradeLive, beside, bought });
  }

  #recording<T>(
    bet: PossibleBet,
    lease: LeaseInHand,
    run: (scope: Scope, terms: DecidedTerms) => Promise<T | Again>,
  ): Promise<T> {
    const { market, strategy } = bet;
    const at = this.context.clock.now();
    const { automationKey } = strategy;
    const names = betNames(bet);
    return this.#placement.recording<T>(names, market, (beside) => {
      const placed = this.#placement.scope(names, market, { lease, beside });
      const bounds = betBoundsScope(bet, at, this.context);
      const scope = {
        // Names every position that the other does, and that of the outcome which a purchase may hedge.
        ...placed,
        slots: bounds.slots,
        approvals: bounds.approvals,
        holdings: placed.holdings ?? bounds.holdings,
        risks: bounds.risks,
        keys: automationKey === null ? [] : [automationKey],
      };
      return run(scope, { lease, beside, at });
    });
  }
}

/** Runs a write for a strategy, after those that its account asked for before where they go on record in order. */
export function recordedInOrder<T>(
  { inOrder }: Pick<BetPorts, 'inOrder'>,
  { account }: Pick<Strategy, 'account'>,
  write: () => Promise<T>,
): Promise<T> {
  return inOrder === undefined ? write() : inOrder.run(account, write);
}

function slotOf(record: BetRecord, { n, reset, eventId, day }: Pick<Slot, 'n' | 'reset' | 'eventId' | 'day'>): Slot {
  const { account, strategyId, venue, marketId, token: outcome, id: decisionId, orderId, at } = record;
  return { account, strategyId, venue, marketId, outcome, n, reset, eventId, day, at, decisionId, orderId };
}

/** Beyond the shortest expiry that a venue takes: an order that is a little late is still taken. */
const MARGIN_MS = 10_000;

/** By what a strategy decided on a bet; its probability is that of what it buys. */
function boughtFor({ rules }: Strategy, decision: DecisionSubject): BoughtFor {
  const { side } = rules.filter;
  const { probability: judged } = decision;
  const probability = judged === null || side === 'BACK' ? judged : ONE - judged;
  const price = (name: string) => inputAmount(decision, name) as Price | null;
  return {
    side,
    probability: probability as Price | null,
    quoted: quotedFrom(price('best_bid'), price('best_ask')),
  };
}

/** Where and when an order is placed. */
export interface BetSetting {
  readonly terms: MarketTerms | null;
  readonly paper: boolean;
  readonly at: Date;
}

/**
 * How long a bet rests. FOK and FAK do not. On paper GTC rests, and GTD until it is given up, where that is as far ahead as
 * the venue asks for. With real money what rests ends as early as the venue lets it: it must not outlive a server that is gone.
 */
export function betTerms({ timeInForce, giveUpAfterMs }: TradingRules['order'], setting: BetSetting): OrderTerms {
  const { terms, paper, at } = setting;
  if (timeInForce === 'FOK' || timeInForce === 'FAK') return { timeInForce, expiresAt: null, postOnly: false };
  const shortest = (terms?.gtdLeadMs ?? 0) + MARGIN_MS;
  if (!paper) return untilAfter(shortest, at);
  if (timeInForce === 'GTC' || giveUpAfterMs === null) return { timeInForce: 'GTC', expiresAt: null, postOnly: false };
  return untilAfter(Math.max(shortest, giveUpAfterMs), at);
}

function untilAfter(ms: number, at: Date): OrderTerms {
  return { timeInForce: 'GTD', expiresAt: new Date(at.getTime() + ms), postOnly: false };
}

/** Whose bet it is, what it buys, and with which money. */
const betNames = ({ strategy, buys, paper }: PossibleBet) => ({
  account: strategy.account,
  strategyId: strategy.id,
  outcome: buys,
  paper,
});

/** The order of a bet. */
function betDraft(bet: PossibleBet, { price, size }: Pick<Bet, 'price' | 'size'>, at: Date): OrderDraft {
  const { id: marketId, venue } = bet.market;
  const terms = betTerms(tradingRules(bet.strategy).order, { terms: bet.market.terms, paper: bet.paper, at });
  return { ...betNames(bet), venue, marketId, side: 'BUY', price, size, ...terms };
}
