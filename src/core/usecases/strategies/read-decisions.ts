import type { Ledger } from '../../../ports/ledger.js';
import type { Clock } from '../../../ports/system.js';
import type { AccountId, DecisionId, StrategyId } from '../../ids.js';
import { type Page, type Slice, slice } from '../../ledger/query.js';
import type { DecisionRecord, SkipCount } from '../../strategy/record/decision-record.js';
import { type DecisionFilter, isWantedDecision } from '../../strategy/record/listed-decisions.js';
import type { RecentSkips } from '../../strategy/record/recent-skips.js';
import { DecisionNotFound } from '../../strategy/rules/strategy-refusals.js';
import type { MarketFilters } from '../markets/market-filters.js';
import { strategyOnRecord } from './create-strategy.js';

/** Reads what strategies decided: bets are on record for ever, and this process remembers their last skips. */
export class ReadDecisions {
  constructor(
    private readonly ledger: Ledger,
    private readonly skips: Pick<RecentSkips, 'of' | 'find'>,
    private readonly clock: Clock,
    private readonly markets: MarketFilters,
  ) {}

  /** @throws DecisionNotFound for one that is not on record, or a skip that is remembered no longer */
  async one(account: AccountId, id: DecisionId): Promise<DecisionRecord> {
    const found = (await this.ledger.decisions.find(account, id)) ?? this.skips.find(account, id);
    if (found === undefined) throw new DecisionNotFound();
    return found;
  }

  /** Newest first. @throws StrategyNotFound; MarketNotFound, MarketDataUnavailable where the filter names a market without decisions */
  async many(
    account: AccountId,
    strategy: StrategyId,
    filter: DecisionFilter,
    page: Page<DecisionId>,
  ): Promise<Slice<DecisionRecord, DecisionId>> {
    await this.#checkStrategy(account, strategy);
    const read = async (wanted: Page<DecisionId>, narrowed: DecisionFilter) => {
      const recorded = await this.ledger.decisions.list(account, strategy, narrowed, wanted);
      const { limit, after } = wanted;
      const skipped = this.skips
        .of(account, strategy)
        .filter((skip) => isWantedDecision(skip, narrowed) && (after === undefined || skip.id < after));
      return [...recorded, ...skipped].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
    };
    return this.markets.read(account, filter, page, (narrowed, part) =>
      slice(
        part,
        (wanted) => read(wanted, narrowed),
        ({ id }) => id,
      ),
    );
  }

  /** How often it skipped, by hour and reason, from the hour of `since` on, by default of a day ago. @throws StrategyNotFound */
  async counts(account: AccountId, strategy: StrategyId, since?: Date): Promise<readonly SkipCount[]> {
    await this.#checkStrategy(account, strategy);
    const from = since?.getTime() ?? this.clock.now().getTime() - DAY_MS;
    return this.ledger.decisions.counts(account, strategy, new Date(from - (from % HOUR_MS)));
  }

  /** Archived ones keep their decisions. */
  async #checkStrategy(account: AccountId, strategy: StrategyId): Promise<void> {
    const [version] = await this.ledger.listVersions(account, strategy, { limit: 1 });
    strategyOnRecord(version);
  }
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
