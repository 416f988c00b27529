import type { PositionResult } from '../account/settling.js';
import type { StrategyId } from '../ids.js';
import type { Snapshot } from '../ledger/decision.js';
import { minus, NO_USDC, plus, type Usdc } from '../money.js';
import type { Exposure } from './strategy.js';

/** What a strategy had at work in the market is free again. */
export function freed(now: Snapshot, results: readonly PositionResult[]): readonly Exposure[] {
  const costs = new Map<StrategyId, Usdc>();
  for (const { position } of results) {
    const { strategyId } = position;
    const before = strategyId === null ? undefined : now.position(position);
    if (strategyId === null || before === undefined) continue;
    costs.set(strategyId, plus(costs.get(strategyId) ?? NO_USDC, before.cost));
  }
  return [...costs].flatMap(([id, cost]) => {
    const exposure = now.exposure(id, true);
    return exposure === undefined ? [] : [{ ...exposure, committed: minus(exposure.committed, cost) }];
  });
}
