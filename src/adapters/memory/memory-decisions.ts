import type { AccountId, DecisionId, StrategyId } from '../../core/ids.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import type { DecisionRecord, SkipCount } from '../../core/strategy/record/decision-record.js';
import { isWantedDecision } from '../../core/strategy/record/is-wanted-decision.js';
import type { DecisionLog } from '../../ports/decision-log.js';
import { newestFirst } from './pages.js';

/** The decisions of a ledger in memory. */
export class MemoryDecisions implements DecisionLog {
  readonly #counts = new Map<string, SkipCount>();

  constructor(private readonly set: Pick<WorkingSet, 'decisions'>) {}

  async find(account: AccountId, id: DecisionId): Promise<DecisionRecord | undefined> {
    return this.set.decisions.find((decision) => decision.account === account && decision.id === id);
  }

  async list(
    ...[account, strategy, filter, page]: Parameters<DecisionLog['list']>
  ): Promise<readonly DecisionRecord[]> {
    const own = this.set.decisions.filter((one) => one.account === account && one.strategyId === strategy);
    return newestFirst(
      own.filter((one) => isWantedDecision(one, filter)),
      ({ id }) => id,
      page,
    );
  }

  async count(skips: readonly SkipCount[]): Promise<void> {
    for (const skip of skips) {
      const name = [skip.account, skip.strategyId, skip.hour.getTime(), skip.code].join('\n');
      this.#counts.set(name, { ...skip, count: skip.count + (this.#counts.get(name)?.count ?? 0) });
    }
  }

  async counts(account: AccountId, strategy: StrategyId, since: Date): Promise<readonly SkipCount[]> {
    const own = [...this.#counts.values()].filter((one) => one.account === account && one.strategyId === strategy);
    const recent = own.filter(({ hour }) => hour >= since);
    return recent.sort((a, b) => a.hour.getTime() - b.hour.getTime() || (a.code < b.code ? -1 : 1));
  }
}
