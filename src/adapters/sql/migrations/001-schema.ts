import type { Dialect } from '../columns.js';
import { accessTables } from './001-access.js';
import { moneyTables, versionsOfAccounts } from './001-money.js';
import { orderTables } from './001-orders.js';
import { strategyTables } from './001-strategies.js';
import { TYPES } from './001-types.js';

/**
 * The first tables. Their checks repeat the invariants of the core, so that neither a bug nor a manual change can store what
 * the core would refuse.
 *
 * Moments are ISO 8601 text in UTC with milliseconds in both databases: exact, equal, and in order as text.
 * Keys start with the account, so that an account's rows can only be reached through its name; text that is compared or sorted
 * does so bytewise in both databases.
 */
export function schema(dialect: Dialect['name']): readonly string[] {
  const types = TYPES[dialect];
  return [
    ...moneyTables(dialect, types),
    ...strategyTables(types),
    ...orderTables(types),
    ...accessTables(types),
    ...(dialect === 'postgres' ? versionsOfAccounts() : []),
  ];
}
