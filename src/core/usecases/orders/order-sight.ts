import type { Scope } from '../../ledger/decision.js';
import type { OrderDraft } from '../../order/draft.js';

/** Who places an order, as far as limits go. */
export type PlacedFor = Pick<OrderDraft, 'account' | 'paper' | 'strategyId'>;

/** An order turned out to be under limits that have to be seen first: nothing was decided. */
export class LimitsUnseen extends Error {
  /** @param needsSet whether what is held in the other markets of its set has to be seen */
  constructor(readonly needsSet = false) {
    super();
  }
}

/** What the write of an order has to read for limits on worst cases: of its account, of its strategy, or of both. */
export function risksToRead(
  { paper, strategyId }: PlacedFor,
  ofAccount: boolean,
  ofStrategy: boolean,
): Pick<Scope, 'risks'> {
  return {
    risks: [...(ofAccount ? [{ paper, strategyId: null }] : []), ...(ofStrategy ? [{ paper, strategyId }] : [])],
  };
}
