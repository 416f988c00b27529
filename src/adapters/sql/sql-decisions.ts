import type { AccountId, DecisionId, StrategyId } from '../../core/ids.js';
import type { DecisionRecord, SkipCount } from '../../core/strategy/record/decision-record.js';
import type { DecisionLog } from '../../ports/decision-log.js';
import { addingSkips, DECISIONS, decisionIn, SKIPS } from './decision-table.js';
import { postgresDialect, sqliteDialect } from './dialect.js';
import { Lookup } from './lookup.js';
import { comparable, RowReader } from './row-reader.js';
import type { StoreAccess } from './sql-event-log.js';
import type { Store } from './store.js';

const SQLITE_ADD = addingSkips(sqliteDialect)('?');
const POSTGRES_ADD = addingSkips(postgresDialect)('?');

/** Decisions of strategies in SQLite or Postgres. */
export class SqlDecisions implements DecisionLog {
  readonly #rows: RowReader;
  readonly #lookup;

  constructor(
    private readonly store: Store,
    private readonly access: StoreAccess,
  ) {
    this.#rows = new RowReader(store);
    this.#lookup = new Lookup(DECISIONS, store, store.reads);
  }

  async find(account: AccountId, id: DecisionId): Promise<DecisionRecord | undefined> {
    const found = await this.access.read(() => this.#lookup.find(account, id));
    return found && decisionIn(found);
  }

  async list(
    ...[account, strategy, filter, page]: Parameters<DecisionLog['list']>
  ): Promise<readonly DecisionRecord[]> {
    const { verdict, code, marketId } = filter;
    const found = await this.access.read(() =>
      this.#rows.newestFirst(DECISIONS, 'id', page, (q) => {
        q.where({ account, strategy_id: strategy });
        if (verdict !== undefined) q.where({ verdict });
        if (code !== undefined) q.where({ code });
        if (marketId !== undefined) q.where({ market_id: marketId });
      }),
    );
    return found.map(decisionIn);
  }

  async count(skips: readonly SkipCount[]): Promise<void> {
    if (skips.length === 0) return;
    const { dialect, writer } = this.store;
    const json = JSON.stringify(skips.map(SKIPS.encode));
    await this.access.write(() =>
      dialect.name === 'postgres' ? writer.raw(POSTGRES_ADD, [json]) : writer.raw(SQLITE_ADD, [json]),
    );
  }

  counts(account: AccountId, strategy: StrategyId, since: Date): Promise<readonly SkipCount[]> {
    return this.access.read(() =>
      this.#rows.all(SKIPS, (q) => {
        q.where({ account, strategy_id: strategy }).where('hour', '>=', comparable(since)).orderBy(['hour', 'code']);
      }),
    );
  }
}
