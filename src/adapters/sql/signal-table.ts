import type { OutcomeProbability, Signal } from '../../core/signal/signal.js';
import { as, group, microColumn, momentColumn, orNull, textColumn } from './columns.js';
import { type Dialect, postgresDialect, sqliteDialect } from './dialect.js';
import { type Table, table } from './table.js';
import { storing } from './tables.js';

const outcome = (place: string) =>
  group<OutcomeProbability>({
    label: as(`${place}_label`, textColumn()),
    probability: as(`${place}_probability`, microColumn()),
  });

/** What models say of markets, a row each. */
export const SIGNALS: Table<Signal> = table<Signal>(
  'signals',
  {
    account: textColumn(),
    name: textColumn(),
    venue: textColumn(),
    marketId: textColumn(),
    first: outcome('first'),
    second: outcome('second'),
    expiresAt: momentColumn(),
    source: orNull(textColumn()),
    updatedAt: momentColumn(),
  },
  { key: ['account', 'name', 'venue', 'market_id'] },
);

/** Deletes those of a JSON array of keys that have expired by a moment: one that was renewed meanwhile stays. */
function forgetting(dialect: Dialect): string {
  const key = SIGNALS.key.map((_, at) => dialect.member(at, 'text')).join(', ');
  const named = `(${SIGNALS.key.join(', ')}) in (select ${key} from ${dialect.elements('?')})`;
  return `delete from signals where ${named} and expires_at <= ? returning name`;
}

/** The statement that stores the signals of a JSON array, on SQLite. */
export const SQLITE_PUT = storing(SIGNALS, sqliteDialect)('?');
/** The same on Postgres. */
export const POSTGRES_PUT = storing(SIGNALS, postgresDialect)('?');
/** The statement that deletes expired ones, on SQLite. */
export const SQLITE_FORGET = forgetting(sqliteDialect);
/** The same on Postgres. */
export const POSTGRES_FORGET = forgetting(postgresDialect);
