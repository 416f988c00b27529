import { DatabaseUnusable } from './database-unusable.js';
import type { Store } from './store.js';

/** How a database is opened; everything has a default. */
export interface DatabaseOptions {
  /** True for a server: on SQLite it must be the only one. False lets the command line in beside it. */
  readonly exclusive?: boolean;
  /** False to open only an existing database with its tables; true by default. */
  readonly create?: boolean;
  /** True to only read: nothing is created, changed or migrated. */
  readonly readOnly?: boolean;
  /** Most connections to Postgres at once, beside two for credentials and one that listens for new events; 10 by default. */
  readonly poolSize?: number;
  /** Longest wait for a connection to Postgres, new or of the pool; 2000 by default. */
  readonly connectMs?: number;
}

const SQLITE = 'sqlite:';
const POSTGRES = ['postgres://', 'postgresql://'];

/**
 * Opens `sqlite:PATH`, `sqlite::memory:`, `postgres://…` or `postgresql://…`; the other's driver is not loaded.
 * @throws DatabaseInUse, DatabaseMissing, and DatabaseUnusable for a URL of another kind
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Store> {
  const { exclusive = false, create = true, readOnly = false, poolSize = 10, connectMs } = options;
  if (POSTGRES.some((scheme) => url.startsWith(scheme))) {
    return (await import('./postgres.js')).openPostgres(url, { poolSize, readOnly, connectMs });
  }
  const path = url.startsWith(SQLITE) ? url.slice(SQLITE.length) : '';
  if (path !== '' && readOnly) return (await import('./sqlite-reading.js')).openSqliteForReading(path);
  if (path !== '') return (await import('./sqlite.js')).openSqlite(path, { exclusive, create });
  throw new DatabaseUnusable('A database is named as sqlite:PATH, sqlite::memory: or postgres://USER@HOST/NAME.');
}
