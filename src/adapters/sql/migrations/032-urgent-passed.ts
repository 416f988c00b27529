import type { Dialect } from '../columns.js';

/** Up to where the urgent events of an account were told to a person, who may wait for others before them. */
export function urgentPassedSchema(dialect: Dialect['name']): readonly string[] {
  const integer = dialect === 'sqlite' ? 'integer' : 'bigint';
  return [`alter table endpoint_progress add column urgent_passed ${integer} not null default 0`];
}
