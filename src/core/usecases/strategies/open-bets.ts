import type { PositionKey } from '../../account/position.js';
import type { Snapshot } from '../../ledger/decision.js';
import { HeldRisks } from '../../limits/held-risks.js';
import { marketName } from '../../market/venue.js';
import { unplaced } from '../../posting/strategy-limits.js';
import { noExposure, type Strategy } from '../../strategy/strategy.js';

/** An outcome of a market. */
type Outcome = Pick<PositionKey, 'venue' | 'marketId' | 'outcome'>;

/**
 * How many bets of a strategy are open: the outcomes of which it holds shares, which an order of its may still buy, or for
 * which a bet waits for approval, each counted once. The scope has to name all holdings of this kind.
 */
export function openBets(now: Snapshot, strategy: Strategy, paper: boolean, waiting: readonly Outcome[]): number {
  const parts = now.positions(paper).filter(({ strategyId }) => strategyId === strategy.id);
  const open = parts.filter(({ shares, risk }) => shares > 0n || (risk?.working.bids.length ?? 0) > 0);
  const outcomes = new Set([...open, ...waiting].map((one) => `${marketName(one)} ${one.outcome}`));
  const exposure = now.exposure(strategy.id, paper) ?? noExposure(strategy, paper);
  // Purchases from before it was kept in which outcomes they work.
  return outcomes.size + (unplaced({ exposure, risks: new HeldRisks(parts) }) > 0n ? 1 : 0);
}
