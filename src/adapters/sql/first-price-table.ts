import type { FirstPrice } from '../../core/strategy/watch/first-price.js';
import { microColumn, momentColumn, textColumn } from './columns.js';
import { postgresDialect, sqliteDialect } from './dialect.js';
import { type Table, table } from './table.js';
import { introducing } from './tables.js';

/** At which price strategies first saw what they would buy, a row each. */
export const FIRST_PRICES: Table<FirstPrice> = table<FirstPrice>(
  'first_prices',
  {
    account: textColumn(),
    strategyId: textColumn(),
    venue: textColumn(),
    marketId: textColumn(),
    outcome: textColumn(),
    price: microColumn(),
    at: momentColumn(),
  },
  { key: ['account', 'strategy_id', 'venue', 'market_id', 'outcome'], replaces: 'nothing' },
);

/** The statement that stores those of a JSON array that are not on record yet, on SQLite. */
export const SQLITE_KEEP = introducing(FIRST_PRICES, sqliteDialect)('?');
/** The same on Postgres. */
export const POSTGRES_KEEP = introducing(FIRST_PRICES, postgresDialect)('?');
