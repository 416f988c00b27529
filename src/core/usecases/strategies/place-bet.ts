import type { Ledger } from '../../../ports/ledger.js';
import type { DecisionId } from '../../ids.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { jobOf } from '../../ledger/job.js';
import type { OrderDraft } from '../../order/draft.js';
import { isInFlight } from '../../order/lifecycle.js';
import type { Order } from '../../order/order.js';
import { dayIn, type OrderContext } from '../../posting/order-context.js';
import { automationIsLive } from '../../strategy/automation.js';
import type { Bet, BetDecision, DecisionSubject } from '../../strategy/bet-decision.js';
import { decideBet } from '../../strategy/decide.js';
import type { BetRecord, Slot } from '../../strategy/decision-record.js';
import { tradingRules } from '../../strategy/trading-rules.js';
import type { Venues } from '../../venues/venues.js';
import { OrderPlacement, type PlacementRequest } from '../orders/order-placement.js';
import type { PlacementPorts } from '../orders/placement-limits.js';
import type { SubmitOrder } from '../orders/submit-order.js';
import { type PossibleBet, type Standing, standingOf, standingScope } from './bet-scope.js';
import { betTerms } from './bet-terms.js';
import { betInputs, type Judgement, possibleBet } from './judgement.js';

/** What became of a judgement: a bet is on record with its order, a skip is not on record. */
export type Judged = { readonly bets: Standing['bets'] } & (
  | { readonly decision: BetDecision; readonly order: null }
  | { readonly decision: BetRecord; readonly order: Order }
);

/** What was fixed before the write. */
type BetTerms = Pick<PlacementRequest, 'lease' | 'sight'> & { readonly at: Date };

/**
 * Decides whether a strategy bets, on what is on record within the write that would place the order: the version of the
 * strategy that is in force then decides, and a slot is used once. Nothing is stored for a skip.
 */
export class PlaceBet {
  readonly #placement: OrderPlacement;

  constructor(
    private readonly ledger: Ledger,
    venues: Venues,
    private readonly submitOrder: SubmitOrder,
    private readonly context: OrderContext & Pick<PlacementPorts, 'quotes' | 'marks'>,
  ) {
    this.#placement = new OrderPlacement(venues, { ...context, ledger });
  }

  /** Null where the strategy no longer trades by itself, or has another version by now. @throws PaperElsewhere, ExchangeUnavailable, LiveTradingNotEnabled */
  async execute(judgement: Judgement): Promise<Judged | null> {
    const bet = possibleBet(judgement);
    const { market } = judgement.scene;
    await this.#placement.prepare(market, bet.paper);
    const lease = this.#placement.lease(market.venue, bet.paper);
    const at = this.context.clock.now();
    const { automationKey } = judgement.strategy;
    const names = namesOf(bet);
    const judged = await this.#placement.recording(names, market, (sight) => {
      const placed = this.#placement.scope(names, market, lease, sight);
      const standing = standingScope(bet, at, this.context);
      const scope = {
        ...standing,
        // Names every position that the other does, and that of the outcome which a purchase may hedge.
        ...placed,
        risks: [...(placed.risks ?? []), ...(standing.risks ?? [])],
        ...(automationKey !== null && { keys: [automationKey] }),
      };
      return this.ledger.write(scope, (now) => this.#decide(now, judgement, bet, { lease, sight, at }));
    });
    if (judged === null || judged.order === null || !isInFlight(judged.order.state)) return judged;
    const { account, id } = judged.order;
    return { ...judged, order: await this.submitOrder.execute(judged.order, jobOf(account, id)) };
  }

  #decide(now: Snapshot, judgement: Judgement, bet: PossibleBet, terms: BetTerms): Decision<Judged | null> {
    const { at, ...seen } = terms;
    const strategy = now.strategy(bet.strategy.id);
    const isMine = strategy !== undefined && strategy.archivedAt === null && strategy.automation === 'auto';
    if (!isMine || strategy.automationPaper !== bet.paper) return { result: null };
    // Another version may name another side or signal: what was seen for this one says nothing of it.
    if (strategy.version !== judgement.strategy.version && !strategy.isPaused) return { result: null };
    const { automationKey } = strategy;
    const key = automationKey === null ? undefined : now.key(automationKey);
    const mayTradeLive = automationIsLive(strategy, key, this.context.wallClock.now());
    if (!bet.paper && !mayTradeLive) return { result: null };
    const current = { ...judgement, strategy };
    const standing = standingOf(now, { ...bet, strategy }, at, this.context);
    const decision = decideBet(betInputs(current, standing, at));
    const { bets } = standing;
    if (decision.verdict === 'skip') return { result: { decision, order: null, bets } };
    const draft = draftOf({ ...bet, strategy }, decision, at);
    const { market } = judgement.scene;
    const { result: order, ...placed } = this.#placement.decide(now, { draft, market, mayTradeLive, ...seen });
    const id = this.context.ids.next() as DecisionId;
    const named = { id, account: strategy.account, orderId: order.id, approvalId: null };
    const record: BetRecord =
      order.refusal === null ? { ...decision, ...named } : { ...refused(decision, order.refusal.code), ...named };
    if (order.refusal !== null) return { ...placed, result: { decision: record, order, bets }, decisions: [record] };
    const made = { ...bets, onOutcome: decision.slot, lastAt: at };
    const slots = [slotOf(record, decision.slot, market.event?.id ?? null, dayIn(this.context, at))];
    return { ...placed, result: { decision: record, order, bets: made }, decisions: [record], slots };
  }
}

const namesOf = ({ strategy, buys, paper }: PossibleBet) => ({
  ...{ account: strategy.account, strategyId: strategy.id, outcome: buys, paper },
});

function draftOf(bet: PossibleBet, { price, size }: Pick<Bet, 'price' | 'size'>, at: Date): OrderDraft {
  const { id: marketId, venue } = bet.market;
  const terms = betTerms(tradingRules(bet.strategy).order, { terms: bet.market.terms, paper: bet.paper, at });
  return { ...namesOf(bet), venue, marketId, side: 'BUY', price, size, ...terms };
}

/** A bet whose order a limit denied is none. */
function refused(bet: DecisionSubject & Bet, code: string): BetDecision {
  const nothing = { price: null, size: null, shares: null, cost: null, slot: null };
  return { ...bet, verdict: 'skip', code, ...nothing };
}

function slotOf(record: BetRecord, n: number, eventId: string | null, day: string): Slot {
  const { account, strategyId, venue, marketId, token, id, orderId, at } = record;
  const bet = { account, strategyId, venue, marketId, outcome: token, n };
  return { ...bet, eventId, day, at, decisionId: id, orderId };
}
