import { DatabaseUnusable } from './database-unusable.js';

/**
 * The SQLite driver, loaded when a database is opened: Postgres and memory do not need it.
 * @throws DatabaseUnusable, which says what to do when it is not installed or not built.
 */
export async function sqliteDriver() {
  try {
    return (await import('sqlite3')).default;
  } catch (cause) {
    const instead = 'or set DATABASE_URL to memory:, which keeps nothing, or to a Postgres database';
    throw new DatabaseUnusable(
      `SQLite needs the npm package sqlite3 with its native module: \`npm install sqlite3\`, ${instead}.`,
      cause,
    );
  }
}
