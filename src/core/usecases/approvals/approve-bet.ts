import type { Ledger } from '../../../ports/ledger.js';
import type { SignalSource } from '../../../ports/signals.js';
import type { AuthScope } from '../../access/principal.js';
import type { Restraint } from '../../access/session-restraint.js';
import { MarketDataUnavailable, MarketNotFound, StrategyNotFound } from '../../errors.js';
import type { DecisionId } from '../../ids.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { type KeyedRequest, keyed, requestRecords } from '../../ledger/request.js';
import type { Order } from '../../order/order.js';
import { type Again, isAgain } from '../../posting/order-checks.js';
import type { Approval } from '../../strategy/record/approval.js';
import { decideApproved } from '../../strategy/record/decide-approved.js';
import { ApprovalNotFound } from '../../strategy/rules/strategy-refusals.js';
import { automationIsLive, tradingRules } from '../../strategy/rules/trading-rules.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { Venues } from '../../venues/venues.js';
import type { Recorded } from '../orders/place-order.js';
import type { SubmitOrder } from '../orders/submit-order.js';
import { BetOrders, type BetPorts, type DecidedTerms } from '../strategies/bet-orders.js';
import { betBoundsOf, betInputs, type Judgement, type PossibleBet, readEstimates } from '../strategies/judgement.js';
import { ReadMarketViews, SEARCHED_MS } from '../strategies/read-market-views.js';
import { type ApprovalAnswer, answered, approvalOnRecord, checkDecides, checkMayApprove } from './answered.js';

/** A yes, and what the credential may do. */
export interface ApproveCommand extends ApprovalAnswer {
  readonly may: ReadonlySet<AuthScope>;
  /** What keeps the credential from bets with real money. */
  readonly restraint?: Restraint | undefined;
  /** False for a development identity, which never moves real money. */
  readonly mayTradeLive: boolean;
}

/** What became of it, with the order to be sent. */
type Approved = Recorded<Approval> & { readonly order: Order | null };

/** The bet as it may be made now, and all that is known of its market. */
interface Asked {
  readonly judgement: Judgement;
  readonly bet: PossibleBet;
}

/**
 * Says yes to a bet that waits for a person. It is decided again at the prices of now, by the version in force, in the write that places
 * its order: several who approve at once make one order. What may not be bet any more is refused, and that is on record.
 */
export class ApproveBet {
  readonly #orders: BetOrders;
  readonly #views: ReadMarketViews;

  constructor(
    private readonly ledger: Ledger,
    private readonly venues: Venues,
    private readonly signals: SignalSource,
    private readonly submitOrder: SubmitOrder,
    private readonly context: BetPorts,
  ) {
    this.#orders = new BetOrders(ledger, venues, context);
    this.#views = new ReadMarketViews(venues);
  }

  /**
   * @throws ApprovalNotFound, ApprovalNotWaiting, ScopeMissing, SessionRestrained, LiveTradingNotEnabled, MarketDataUnavailable, MarketNotFound,
   * ExchangeUnavailable, PaperElsewhere, ProgramOutdated, IdempotencyKeyReused
   */
  async execute(command: ApproveCommand): Promise<Recorded<Approval>> {
    const { account, approvalId, idempotencyKey } = command;
    const found = await this.ledger.approvals.find(account, approvalId);
    if (found === undefined) throw new ApprovalNotFound();
    checkMayApprove(found, command);
    const request = keyed(account, 'approvals.approve', idempotencyKey, { approvalId });
    const also = { approvals: found.decision, ...(request !== null && { request: request.key }) };
    const [at, wall] = [this.context.clock.now(), this.context.wallClock.now()];
    const early = await this.ledger.read({ account, ...also }, (now) =>
      answered(now, approvalOnRecord(now, approvalId), 'approved', request, { at, wall }),
    );
    if (early !== null) return early;
    checkDecides(this.context);
    for (;;) {
      const asked = await this.#asked(found);
      const decided = await this.#orders.write(asked.bet, also, (now, terms) =>
        this.#decide(now, command, asked, request, terms),
      );
      if (decided === null) continue;
      const { order, ...recorded } = decided;
      if (order !== null) await this.submitOrder.placed(order);
      return recorded;
    }
  }

  async #asked(found: Approval): Promise<Asked> {
    const { strategyId, marketId, venue, token: buys } = found.decision;
    const [strategy] = await this.ledger.listVersions(found.account, strategyId, { limit: 1 });
    if (strategy === undefined) throw new StrategyNotFound();
    const asker = { account: found.account, purpose: 'order' } as const;
    const market = await this.venues.named(venue).marketData.find(marketId, asker);
    if (market === undefined) throw new MarketNotFound(marketId);
    const terms = { account: strategy.account, now: this.context.clock.now(), maxAgeMs: SEARCHED_MS };
    const known = market.exclusiveSet === null ? [] : await this.#views.markets(tradingRules(strategy), terms);
    const view = await this.#views.view(market, known, asker);
    // What is only unknown for a moment is no reason to refuse a bet for good.
    if (view.book === null) throw new MarketDataUnavailable('The book cannot be read now. The bet still waits.');
    const estimates = await readEstimates(this.signals, strategy, view);
    const outcome = judgedFor(strategy, buys);
    const judgement = { strategy, view, outcome, estimates, firstPrice: null, rearmed: true, benched: false };
    return { judgement, bet: { strategy, market, buys, paper: found.paper } };
  }

  #decide(
    now: Snapshot,
    { approvalId, mayTradeLive, by }: ApproveCommand,
    { bet, judgement }: Asked,
    request: KeyedRequest | null,
    terms: DecidedTerms,
  ): Decision<Approved | null | Again> {
    const { at } = terms;
    const wall = this.context.wallClock.now();
    const approval = approvalOnRecord(now, approvalId);
    const earlier = answered(now, approval, 'approved', request, { at, wall });
    if (earlier !== null) return { result: { ...earlier, order: null } };
    // What was read for one version says nothing of another, which may name another signal.
    const { strategy } = bet;
    if (now.strategy(strategy.id)?.version !== strategy.version) return { result: null };
    const lacking = this.#orders.lacking(now, strategy, terms);
    if (lacking !== null) return { result: lacking };
    const inputs = betInputs(judgement, betBoundsOf(now, bet, at, this.context), at);
    const decision = decideApproved(approval, strategy, inputs);
    const requests = requestRecords(request, approvalId, !approval.paper, wall);
    const decided = { ...approval, decidedBy: by, decidedAt: at };
    if (decision.verdict === 'skip') {
      const named = { id: this.context.ids.next() as DecisionId, account: approval.account, orderId: null, approvalId };
      const record: Approval = { ...decided, state: 'refused', decision: { ...decision, ...named } };
      const result = { record, replayed: false, order: null };
      return { result, approvals: [record], decisions: [record.decision], requests };
    }
    const key = strategy.automationKey === null ? undefined : now.key(strategy.automationKey);
    const isLive = mayTradeLive && automationIsLive(strategy, key, wall);
    const ordered = this.#orders.decideOrder(now, bet, decision, terms, { mayTradeLive: isLive, approvalId });
    if (isAgain(ordered)) return { result: ordered };
    const { result: placed } = ordered;
    const state = placed.order.refusal === null ? 'approved' : 'refused';
    const record: Approval = { ...decided, state, decision: placed.decision, orderId: placed.order.id };
    const result = { record, replayed: false, order: placed.order };
    return { ...ordered, result, approvals: [record], requests };
  }
}

/** The outcome that a strategy judges where this is bought. */
function judgedFor({ rules }: Strategy, buys: PossibleBet['buys']): PossibleBet['buys'] {
  const complement = buys === 'YES' ? 'NO' : 'YES';
  return rules.filter.side === 'BACK' ? buys : complement;
}
