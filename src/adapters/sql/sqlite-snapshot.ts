import { SqliteReads } from './sqlite-connection.js';
import type { SqlitePool } from './sqlite-pool.js';
import type { Reads } from './store.js';

/** After its first read, a transaction keeps that view, regardless of later commits. */
export function sqliteSnapshot<T>(pool: SqlitePool, work: (reads: Reads) => Promise<T>): Promise<T> {
  return pool.connected(async (connection) => {
    await connection.all('begin');
    try {
      return await work(new SqliteReads(connection));
    } finally {
      await connection.all('rollback');
    }
  });
}
