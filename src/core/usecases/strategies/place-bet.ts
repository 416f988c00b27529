import type { Ledger } from '../../../ports/ledger.js';
import type { ApprovalId, DecisionId } from '../../ids.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { dayIn } from '../../limits/counted.js';
import type { Order, Refusal } from '../../order/order.js';
import { type Again, isAgain } from '../../posting/order-checks.js';
import { outdatedBy } from '../../posting/trading-stop.js';
import { type Bet, type BetDecision, type DecisionSubject, decideBet, skipOf } from '../../strategy/decide/decide.js';
import { type Approval, approvalAt, expiryOf, whyNotAsked } from '../../strategy/record/approval.js';
import type { BetRecord } from '../../strategy/record/decision-record.js';
import { automationIsLive, tradingRules } from '../../strategy/rules/trading-rules.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { Venues } from '../../venues/venues.js';
import type { SubmitOrder } from '../orders/submit-order.js';
import { BetOrders, type BetPorts, type DecidedTerms } from './bet-orders.js';
import {
  type BetBounds,
  betBoundsOf,
  betInputs,
  isHalted,
  type Judgement,
  type PossibleBet,
  possibleBet,
} from './judgement.js';

/**
 * What became of a judgement: a bet is on record with its order, or with the approval that it waits for; a skip is not on record.
 * `denial` is why its order would have been denied, where the same code is on record already.
 */
export type Judged = { readonly bets: BetBounds['bets']; readonly denial?: Refusal } & (
  | { readonly decision: BetDecision; readonly order: null; readonly approval: null }
  | { readonly decision: BetRecord; readonly order: Order; readonly approval: null }
  | { readonly decision: BetRecord; readonly order: null; readonly approval: Approval }
);

/**
 * Decides whether a strategy bets, on what is on record within the write that would place the order: the version of the
 * strategy that is in force then decides, and a slot is used once. Nothing is stored for a skip. With `automation: approve` a bet is
 * put on record to wait for a person.
 */
export class PlaceBet {
  readonly #orders: BetOrders;

  constructor(
    ledger: Ledger,
    venues: Venues,
    private readonly submitOrder: SubmitOrder,
    private readonly context: BetPorts,
  ) {
    this.#orders = new BetOrders(ledger, venues, context);
  }

  /** Null where the strategy no longer trades by itself, or has another version by now, and where another program decides. @throws PaperElsewhere, ExchangeUnavailable, LiveTradingNotEnabled */
  async execute(judgement: Judgement): Promise<Judged | null> {
    if (outdatedBy(this.context) !== null) return null;
    const bet = possibleBet(judgement);
    const judged = await this.#orders.write(bet, {}, (now, terms) => this.#decide(now, judgement, bet, terms));
    if (judged === null || judged.order === null) return judged;
    return { ...judged, order: await this.submitOrder.placed(judged.order) };
  }

  #decide(now: Snapshot, judgement: Judgement, bet: PossibleBet, terms: DecidedTerms): Decision<Judged | null | Again> {
    const { at } = terms;
    const strategy = now.strategy(bet.strategy.id);
    if (strategy === undefined || !decidesAs(strategy, judgement, bet)) return { result: null };
    const { automationKey } = strategy;
    const key = automationKey === null ? undefined : now.key(automationKey);
    const mayTradeLive = automationIsLive(strategy, key, this.context.wallClock.now());
    if (!bet.paper && !mayTradeLive) return { result: null };
    const current = { ...bet, strategy };
    const lacking = this.#orders.lacking(now, strategy, terms);
    if (lacking !== null) return { result: lacking };
    const bounds = betBoundsOf(now, current, at, this.context);
    const decision = decideBet(betInputs({ ...judgement, strategy }, bounds, at));
    const { bets } = bounds;
    if (decision.verdict === 'skip') return { result: { decision, order: null, approval: null, bets } };
    if (strategy.automation === 'approve')
      return this.#ask(now, { ...current, movedAt: judgement.movedAt ?? null }, decision, bets);
    const ordered = this.#orders.decideOrder(now, current, decision, terms, { mayTradeLive, approvalId: null });
    if (isAgain(ordered)) return { result: ordered };
    const { result: placed, slots = [] } = ordered;
    const denial = placed.order.refusal;
    if (denial !== null && judgement.denied?.has(denial.code))
      return {
        result: { decision: skipOf(decision, denial.code, denial.message), order: null, approval: null, bets, denial },
      };
    const made = slots.length === 0 ? bets : { ...bets, onOutcome: bets.onOutcome + 1, lastAt: at };
    return { ...ordered, result: { decision: placed.decision, order: placed.order, approval: null, bets: made } };
  }

  #ask(
    now: Snapshot,
    bet: PossibleBet & { readonly movedAt: Date | null },
    decision: DecisionSubject & Bet,
    bets: BetBounds['bets'],
  ): Decision<Judged> {
    const { strategy, market, paper } = bet;
    const { at } = decision;
    const why = isHalted(bet, now, this.context.wallClock.now())
      ? 'trading_halted'
      : whyNotAsked(now.approvals(), decision, bet.movedAt);
    if (why !== null) return { result: { decision: skipOf(decision, why), order: null, approval: null, bets } };
    const { account } = strategy;
    const id = this.context.ids.next() as ApprovalId;
    const named = { id: this.context.ids.next() as DecisionId, account, orderId: null, approvalId: id };
    const record: BetRecord = { ...decision, ...named };
    const approval: Approval = {
      id,
      account,
      state: 'waiting',
      decision: record,
      paper,
      eventId: market.event?.id ?? null,
      day: dayIn(this.context, at),
      expiresAt: expiryOf(tradingRules(strategy), market, at),
      decidedBy: null,
      decidedAt: null,
      orderId: null,
    };
    const overdue = now.approvals().filter((one) => approvalAt(one, at) !== one);
    const approvals = [...overdue.map((one) => approvalAt(one, at)), approval];
    return { result: { decision: record, order: null, approval, bets }, decisions: [record], approvals };
  }
}

/**
 * Whether the strategy on record still trades by itself, as it was judged. Another version may name another side or signal: what was
 * seen for this one says nothing of it.
 */
function decidesAs(strategy: Strategy, judgement: Judgement, bet: PossibleBet): boolean {
  if (strategy.archivedAt !== null || strategy.automation === 'off') return false;
  if (strategy.automation !== bet.strategy.automation || strategy.automationPaper !== bet.paper) return false;
  return strategy.version === judgement.strategy.version || strategy.isPaused;
}
