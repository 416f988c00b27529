import type { Ledger } from '../../../ports/ledger.js';
import { StrategyNotFound } from '../../errors.js';
import type { AccountId, StrategyId } from '../../ids.js';
import { type Page, type Slice, type StrategyFilter, slice } from '../../ledger/query.js';
import { pausesStop } from '../../strategy/explain/pauses-stop.js';
import type { Strategy } from '../../strategy/strategy.js';
import { existing } from './create-strategy.js';

/** Reads strategies: one, many, or the history of one. */
export class ReadStrategies {
  constructor(private readonly ledger: Ledger) {}

  /** @throws StrategyNotFound */
  async one(account: AccountId, id: StrategyId): Promise<Strategy> {
    return existing(await this.ledger.findStrategy(account, id));
  }

  /** Newest first, without archived ones. */
  many(account: AccountId, filter: StrategyFilter, page: Page<StrategyId>): Promise<Slice<Strategy, StrategyId>> {
    return slice(
      page,
      (asked) => this.ledger.listStrategies(account, filter, asked),
      (strategy) => strategy.id,
    );
  }

  /** Those that a pause keeps from selling at their stop while they have money at work: in shares, or in orders that may buy some. */
  async unguarded(account: AccountId, strategies: readonly Strategy[]): Promise<ReadonlySet<StrategyId>> {
    const paused = strategies.filter(pausesStop).map(({ id }) => id);
    if (paused.length === 0) return new Set();
    return this.ledger.read({ account, strategies: paused }, (now) => {
      const isAtWork = (id: StrategyId) =>
        [true, false].some((paper) => (now.exposure(id, paper)?.committed ?? 0n) > 0n);
      return new Set(paused.filter(isAtWork));
    });
  }

  /** Every version, newest first; an archived strategy keeps its history. @throws StrategyNotFound */
  async versions(account: AccountId, id: StrategyId, page: Page<number>): Promise<Slice<Strategy, number>> {
    const found = await slice(
      page,
      (asked) => this.ledger.listVersions(account, id, asked),
      (strategy) => strategy.version,
    );
    if (found.items.length > 0) return found;
    const [any] = await this.ledger.listVersions(account, id, { limit: 1 });
    if (any === undefined) throw new StrategyNotFound();
    return found;
  }
}
