export type { DatabaseOptions } from './database.js';
export { DatabaseGone, DatabaseMissing } from './database-gone.js';
export { DatabaseUnusable } from './database-unusable.js';
export type { GroupLimits } from './group-commit.js';
export type { SqlLedger } from './ledger.js';
export { DatabaseInUse } from './lock.js';
export { SchemaTooNew } from './migrate.js';
export { openSqlLedger, type SqlLedgerOptions } from './open-ledger.js';
