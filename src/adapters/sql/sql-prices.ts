import type { Page } from '../../core/ledger/query.js';
import type { MarketRef } from '../../core/market/market.js';
import type { MinutePrices, PricePeriod } from '../../core/market/minute-prices.js';
import type { PriceHistory } from '../../ports/price-history.js';
import { microColumn, momentColumn, orNull, postgresDialect, sqliteDialect, textColumn } from './columns.js';
import { comparable, RowReader } from './row-reader.js';
import type { StoreAccess } from './sql-event-log.js';
import type { Store } from './store.js';
import { storing, table } from './table.js';

/** Prices of markets by the minute, in SQLite or Postgres. */
export class SqlPrices implements PriceHistory {
  readonly #rows: RowReader;

  constructor(
    private readonly store: Store,
    private readonly access: StoreAccess,
  ) {
    this.#rows = new RowReader(store);
  }

  async keep(prices: readonly MinutePrices[]): Promise<void> {
    const { dialect, writer } = this.store;
    for (let from = 0; from < prices.length; from += TOGETHER) {
      const json = JSON.stringify(prices.slice(from, from + TOGETHER).map(PRICES.encode));
      await this.access.write(async () => {
        if (dialect.name === 'postgres') await writer.raw(POSTGRES_KEEP, [json]);
        else await writer.raw(SQLITE_KEEP, [json]);
        // A write to a file that was taken away is not stored.
        this.store.check();
      });
    }
  }

  list({ venue, marketId }: MarketRef, period: PricePeriod, page: Page<Date>): Promise<readonly MinutePrices[]> {
    const { limit, after } = page;
    const { from, before } = period;
    return this.access.read(() =>
      this.#rows.newestFirst(PRICES, 'at', { limit, ...(after && { after: comparable(after) }) }, (q) => {
        q.where({ venue, market_id: marketId });
        if (from !== undefined) q.where('at', '>=', comparable(from));
        if (before !== undefined) q.where('at', '<', comparable(before));
      }),
    );
  }

  forget(before: Date, most: number): Promise<number> {
    const { writer } = this.store;
    const key = ['venue', 'market_id', 'at'] as const;
    const oldest = writer(PRICES.name).select(key).where('at', '<', comparable(before)).orderBy('at').limit(most);
    return this.access.write(() => writer(PRICES.name).whereIn(key, oldest).delete());
  }
}

/** Rows of one statement: some milliseconds, in which no order can be written to SQLite. */
const TOGETHER = 200;

const PRICES = table<MinutePrices>(
  'market_prices',
  {
    venue: textColumn(),
    marketId: textColumn(),
    at: momentColumn(),
    bid: orNull(microColumn()),
    ask: orNull(microColumn()),
  },
  { key: ['venue', 'market_id', 'at'] },
);

/** The statement that stores those of a JSON array, on SQLite. */
const SQLITE_KEEP = storing(PRICES, sqliteDialect)('?');
/** The statement that stores those of a JSON array, on Postgres. */
const POSTGRES_KEEP = storing(PRICES, postgresDialect)('?');
