/**
 * A ledger in SQLite or Postgres, which several processes may share.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { createStakeport } from 'stakeport';
 * import { openSqlLedger } from 'stakeport/sql';
 *
 * const stakeport = createStakeport({ ledger: await openSqlLedger('sqlite:mine.db') });
 * await stakeport.close();
 * ```
 */

export type { DecisionNews, OrderStep } from '../../core/ledger/event-log.js';
export type { DatabaseErrorKind, StoreWatch } from '../../ports/ledger.js';
export type { DatabaseOptions } from './database.js';
export { DatabaseGone, DatabaseMissing } from './database-gone.js';
export { DatabaseUnusable } from './database-unusable.js';
export type { GroupLimits } from './group-commit.js';
export { DatabaseInUse } from './lock.js';
export { openSqlLedger, type SqlLedgerOptions } from './open-ledger.js';
export { SchemaTooNew } from './schema-too-new.js';
export type { SqlLedger } from './sql-ledger.js';
