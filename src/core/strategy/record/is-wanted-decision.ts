import type { MarketId } from '../../ids.js';
import type { DecisionRecord } from './decision-record.js';

/** Which decisions to list; an absent member does not restrict. */
export interface DecisionFilter {
  readonly verdict?: DecisionRecord['verdict'];
  readonly code?: string;
  readonly marketId?: MarketId;
}

/** Whether the filter lets the decision through: its members are named like those of the decision. */
export function isWantedDecision(
  decision: Pick<DecisionRecord, keyof DecisionFilter>,
  { verdict, code, marketId }: DecisionFilter,
): boolean {
  return (
    (verdict === undefined || decision.verdict === verdict) &&
    (code === undefined || decision.code === code) &&
    (marketId === undefined || decision.marketId === marketId)
  );
}
