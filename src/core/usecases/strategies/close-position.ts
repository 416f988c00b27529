import type { Ledger } from '../../../ports/ledger.js';
import type { DecisionId } from '../../ids.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import type { Order } from '../../order/order.js';
import { isImmediate } from '../../order/order.js';
import { type Again, isAgain } from '../../posting/order-checks.js';
import { outdatedBy } from '../../posting/trading-stop.js';
import type { DecisionSubject } from '../../strategy/decide/decide.js';
import { decideExit, type NoSale } from '../../strategy/exit/decide-exit.js';
import { exitRecord, heldBack } from '../../strategy/exit/exit-record.js';
import type { DecisionRecord } from '../../strategy/record/decision-record.js';
import type { Venues } from '../../venues/venues.js';
import type { SubmitOrder } from '../orders/submit-order.js';
import type { BetPorts, DecidedTerms } from './bet-orders.js';
import { type ExitJudgement, ExitOrders, exitInputs, partKey, sellable } from './exit-orders.js';

/** What became of an exit: a sale is on record with its order, what is held on is not on record. */
export type Closed =
  | { readonly decision: DecisionSubject & NoSale; readonly order: null }
  | { readonly decision: DecisionRecord; readonly order: Order };

/**
 * Decides whether a strategy sells what it holds, on what is on record within the write that would place the order, and sells
 * no more than its own part that nothing else sells already. It needs no approval. Nothing is stored where it holds on, also where a limit or the
 * state of trading denies the order: it is asked again.
 */
export class ClosePosition {
  readonly #orders: ExitOrders;

  constructor(
    ledger: Ledger,
    venues: Venues,
    private readonly submitOrder: SubmitOrder,
    private readonly context: BetPorts,
  ) {
    this.#orders = new ExitOrders(ledger, venues, context);
  }

  /**
   * Null where the strategy or what it holds is no more as it was judged: it has to be read again. And where another program
   * decides.
   * @throws PaperElsewhere, ExchangeUnavailable; LiveTradingNotEnabled where real shares would be sold, and may not
   */
  async execute(judgement: ExitJudgement): Promise<Closed | null> {
    if (outdatedBy(this.context) !== null) return null;
    const closed = await this.#orders.write(judgement, (now, terms) => this.#decide(now, judgement, terms));
    if (closed === null || closed.order === null) return closed;
    return { ...closed, order: await this.submitOrder.placed(closed.order) };
  }

  #decide(now: Snapshot, judgement: ExitJudgement, terms: DecidedTerms): Decision<Closed | null | Again> {
    const { held } = judgement;
    const strategy = now.strategy(held.strategy.id);
    const part = now.position(partKey(held));
    if (strategy?.version !== held.strategy.version || part?.shares !== held.shares) return { result: null };
    if (strategy.archivedAt !== null || strategy.automation === 'off') return { result: null };
    const free = sellable(now, part);
    const limits = this.#orders.limits(now, judgement, strategy, free, terms);
    if (isAgain(limits)) return { result: limits };
    const decision = decideExit(exitInputs(judgement, part, free, terms.at, limits));
    if (decision.verdict === 'hold') return { result: { decision, order: null } };
    if (now.sales().some(({ intent }) => isImmediate(intent)))
      return { result: { decision: heldBack(decision, 'exit_in_flight'), order: null } };
    const id = this.context.ids.next() as DecisionId;
    const ordered = this.#orders.decideOrder(now, judgement, decision, strategy, terms, id);
    if (isAgain(ordered)) return { result: ordered };
    const { result: order } = ordered;
    const { refusal } = order;
    if (order.state === 'denied' && refusal !== null) {
      const held = heldBack(decision, refusal.code, refusal.message);
      return { result: { decision: held, order: null } };
    }
    const named = { id, account: order.account, orderId: order.id, approvalId: null };
    const record: DecisionRecord = {
      ...exitRecord(decision, refusal?.code ?? null, refusal?.message ?? null),
      ...named,
    };
    return { ...ordered, result: { decision: record, order }, decisions: [record] };
  }
}
