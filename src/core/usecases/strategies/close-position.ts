import type { Ledger } from '../../../ports/ledger.js';
import type { DecisionId } from '../../ids.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { jobOf } from '../../ledger/job.js';
import type { OrderDraft } from '../../order/draft.js';
import { isImmediate } from '../../order/intent.js';
import { isInFlight } from '../../order/lifecycle.js';
import type { Order } from '../../order/order.js';
import { type OrderContext, outdatedBy } from '../../posting/order-context.js';
import type { DecisionSubject } from '../../strategy/decide/bet-decision.js';
import { decideExit, type NoSale, type Sale } from '../../strategy/exit/decide-exit.js';
import { exitRecord, heldBack } from '../../strategy/exit/exit-record.js';
import type { DecisionRecord } from '../../strategy/record/decision-record.js';
import { automationIsLive } from '../../strategy/rules/automation.js';
import type { Venues } from '../../venues/venues.js';
import { OrderPlacement, type PlacementRequest } from '../orders/order-placement.js';
import type { PlacementPorts } from '../orders/placement-limits.js';
import type { SubmitOrder } from '../orders/submit-order.js';
import { type ExitJudgement, exitInputs, exitScope, sellable } from './exit-judgement.js';
import { type HeldPosition, partKey } from './held-position.js';

/** What became of an exit: a sale is on record with its order, what is held on is not on record. */
export type Closed =
  | { readonly decision: DecisionSubject & NoSale; readonly order: null }
  | { readonly decision: DecisionRecord; readonly order: Order };

/** What was fixed before the write. */
type ExitTerms = Pick<PlacementRequest, 'lease' | 'sight'> & { readonly at: Date };

/**
 * Decides whether a strategy sells what it holds, on what is on record within the write that would place the order, and sells
 * no more than its own part that nothing else sells already. It needs no approval. Nothing is stored where it holds on, also where a limit or the
 * state of trading denies the order: it is asked again.
 */
export class ClosePosition {
  readonly #placement: OrderPlacement;

  constructor(
    private readonly ledger: Ledger,
    venues: Venues,
    private readonly submitOrder: SubmitOrder,
    private readonly context: OrderContext & Pick<PlacementPorts, 'quotes' | 'marks'>,
  ) {
    this.#placement = new OrderPlacement(venues, { ...context, ledger });
  }

  /**
   * Null where the strategy or what it holds is no more as it was judged: it has to be read again. And where another program
   * decides.
   * @throws PaperElsewhere, ExchangeUnavailable; LiveTradingNotEnabled where real shares would be sold, and may not
   */
  async execute(judgement: ExitJudgement): Promise<Closed | null> {
    if (outdatedBy(this.context) !== null) return null;
    const { market } = judgement.seen;
    const { paper } = judgement.held;
    await this.#placement.prepare(market, paper);
    const lease = this.#placement.lease(market.venue, paper);
    const at = this.context.clock.now();
    const names = namesOf(judgement.held);
    const closed = await this.#placement.recording(names, market, (sight) => {
      const scope = { ...this.#placement.scope(names, market, lease, sight), ...exitScope(judgement) };
      return this.ledger.write(scope, (now) => this.#decide(now, judgement, { lease, sight, at }));
    });
    if (closed === null || closed.order === null || !isInFlight(closed.order.state)) return closed;
    const { account, id } = closed.order;
    return { ...closed, order: await this.submitOrder.execute(closed.order, jobOf(account, id)) };
  }

  #decide(now: Snapshot, judgement: ExitJudgement, { at, ...terms }: ExitTerms): Decision<Closed | null> {
    const { held, seen } = judgement;
    const strategy = now.strategy(held.strategy.id);
    const part = now.position(partKey(held));
    if (strategy?.version !== held.strategy.version || part?.shares !== held.shares) return { result: null };
    const { automationKey: keyId } = strategy;
    const key = keyId === null ? undefined : now.key(keyId);
    const mayTradeLive = automationIsLive(strategy, key, this.context.wallClock.now());
    if (strategy.archivedAt !== null || strategy.automation === 'off') return { result: null };
    const decision = decideExit(exitInputs(judgement, part, sellable(now, part), at));
    if (decision.verdict === 'hold') return { result: { decision, order: null } };
    if (now.sales().some(({ intent }) => isImmediate(intent)))
      return { result: { decision: heldBack(decision, 'exit_in_flight'), order: null } };
    const id = this.context.ids.next() as DecisionId;
    const sale = { draft: draftOf(held, decision), market: seen.market, mayTradeLive, decisionId: id };
    const { result: order, ...placed } = this.#placement.decide(now, { ...sale, ...terms });
    if (order.state === 'denied')
      return { result: { decision: heldBack(decision, order.refusal?.code ?? 'denied'), order: null } };
    const named = { id, account: order.account, orderId: order.id, approvalId: null };
    const record: DecisionRecord = { ...exitRecord(decision, order.refusal?.code ?? null), ...named };
    return { ...placed, result: { decision: record, order }, decisions: [record] };
  }
}

const namesOf = ({ strategy, outcome, paper }: HeldPosition) => ({
  ...{ account: strategy.account, strategyId: strategy.id, outcome, paper },
});

function draftOf(held: HeldPosition, { price, size }: Sale): OrderDraft {
  const { venue, marketId } = held;
  const terms = { timeInForce: 'FAK', expiresAt: null, postOnly: false } as const;
  return { ...namesOf(held), venue, marketId, side: 'SELL', price, size, ...terms };
}
