import type { Ledger } from '../../../ports/ledger.js';
import type { DecisionId } from '../../ids.js';
import type { Decision, Scope, Snapshot } from '../../ledger/decision.js';
import type { LeaseInHand } from '../../ledger/lease.js';
import type { Shares } from '../../money.js';
import type { OrderDraft } from '../../order/draft.js';
import type { Order } from '../../order/order.js';
import type { Again } from '../../posting/order-checks.js';
import type { Sale } from '../../strategy/exit/decide-exit.js';
import type { ExitInputs } from '../../strategy/exit/exit-inputs.js';
import { automationIsLive } from '../../strategy/rules/automation.js';
import type { Strategy } from '../../strategy/strategy.js';
import type { Venues } from '../../venues/venues.js';
import { OrderPlacement, type PlacementRequest } from '../orders/order-placement.js';
import { type BetPorts, recordedInOrder } from './bet-orders.js';
import { type ExitJudgement, exitScope, limitsOfSale } from './exit-judgement.js';
import type { HeldPosition } from './held-position.js';

/** What was fixed before the write of an exit. */
export type ExitTerms = Pick<PlacementRequest, 'lease' | 'reads'> & { readonly at: Date };

/** The one way from an exit to its order. */
export class ExitOrders {
  readonly #placement: OrderPlacement;

  constructor(
    private readonly ledger: Pick<Ledger, 'read' | 'write'>,
    venues: Venues,
    private readonly context: BetPorts,
  ) {
    this.#placement = new OrderPlacement(venues, { ...context, ledger });
  }

  /** Runs a write that may place the order of the exit. */
  async write<T>(
    judgement: ExitJudgement,
    decide: (now: Snapshot, terms: ExitTerms) => Decision<T | Again>,
  ): Promise<T> {
    const { market } = judgement.seen;
    const { paper, strategy } = judgement.held;
    return recordedInOrder(this.context, strategy, async () => {
      await this.#placement.prepare(market, paper);
      return this.#recording(judgement, this.#placement.lease(market.venue, paper), (scope, terms) =>
        this.ledger.write(scope, (now) => decide(now, terms)),
      );
    });
  }

  /** Looks at all that such a write reads, on whatever server; it stores nothing. */
  look<T>(judgement: ExitJudgement, look: (now: Snapshot, terms: ExitTerms) => T | Again): Promise<T> {
    return this.#recording(judgement, undefined, (scope, terms) => this.ledger.read(scope, (now) => look(now, terms)));
  }

  /** What the limits leave of a sale of what the strategy holds, of which so many shares are free. */
  limits(
    now: Snapshot,
    judgement: ExitJudgement,
    strategy: Strategy,
    free: Shares,
    { reads }: ExitTerms,
  ): ExitInputs['limits'] | Again {
    const lacking = this.#placement.lacking(now, strategy, 'SELL', reads);
    if (lacking !== null) return lacking;
    const { liveOrderCap } = this.context;
    return limitsOfSale(now, judgement, strategy, free, { liveOrderCap, book: reads?.account?.book });
  }

  /** The order of the sale. @throws as `OrderPlacement.decide` */
  place(
    now: Snapshot,
    judgement: ExitJudgement,
    sale: Sale,
    strategy: Strategy,
    terms: ExitTerms & { readonly decisionId: DecisionId },
  ): Decision<Order> | Again {
    return this.#placement.decide(now, this.#request(now, judgement, sale, strategy, terms));
  }

  /** The code of what would keep the order from its venue; null where nothing would. */
  obstacle(now: Snapshot, judgement: ExitJudgement, sale: Sale, terms: ExitTerms): string | null | Again {
    return this.#placement.obstacle(now, this.#request(now, judgement, sale, judgement.held.strategy, terms));
  }

  #request(
    now: Snapshot,
    { held, seen }: ExitJudgement,
    sale: Sale,
    strategy: Strategy,
    { at: _, ...terms }: ExitTerms & Pick<PlacementRequest, 'decisionId'>,
  ): PlacementRequest {
    const key = strategy.automationKey === null ? undefined : now.key(strategy.automationKey);
    const mayTradeLive = automationIsLive(strategy, key, this.context.wallClock.now());
    return { draft: draftOf(held, sale), market: seen.market, mayTradeLive, ...terms };
  }

  #recording<T>(
    judgement: ExitJudgement,
    lease: LeaseInHand,
    run: (scope: Scope, terms: ExitTerms) => Promise<T | Again>,
  ): Promise<T> {
    const { market } = judgement.seen;
    const at = this.context.clock.now();
    const names = namesOf(judgement.held);
    return this.#placement.recording<T>(names, market, (reads) =>
      run({ ...this.#placement.scope(names, market, lease, reads), ...exitScope(judgement) }, { lease, reads, at }),
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
