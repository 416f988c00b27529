import type { Dialect } from '../columns.js';

/** Which credential made an endpoint, or last changed where it leads; of those from before nobody knows. */
export function webhookMakersSchema(dialect: Dialect['name']): readonly string[] {
  return [`alter table endpoints add column "by" ${dialect === 'sqlite' ? 'text' : 'text collate "C"'}`];
}
