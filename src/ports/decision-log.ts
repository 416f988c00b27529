import type { AccountId, DecisionId, StrategyId } from '../core/ids.js';
import type { Page } from '../core/ledger/query.js';
import type { DecisionRecord, SkipCount } from '../core/strategy/record/decision-record.js';
import type { DecisionFilter } from '../core/strategy/record/listed-decisions.js';

/** Decisions of strategies that `Ledger.write` put on record, and counts of those that it did not. */
export interface DecisionLog {
  find(account: AccountId, id: DecisionId): Promise<DecisionRecord | undefined>;
  /** Newest first. */
  list(
    account: AccountId,
    strategy: StrategyId,
    filter: DecisionFilter,
    page: Page<DecisionId>,
  ): Promise<readonly DecisionRecord[]>;
  /** Adds to the counts on record; one strategy, hour and code at most once in a call. */
  count(skips: readonly SkipCount[]): Promise<void>;
  /** By hour and code, from the hour of `since` on. */
  counts(account: AccountId, strategy: StrategyId, since: Date): Promise<readonly SkipCount[]>;
}
