import type { Dialect } from '../columns.js';

/** What is wrong with an account, or, in the row of the account `*`, with the service. Where nothing is, there is nothing. */
export function alarmsSchema(dialect: Dialect['name']): readonly string[] {
  return [`alter table accounts add column alarms ${dialect === 'sqlite' ? 'text' : 'text collate "C"'}`];
}
