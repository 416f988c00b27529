import type { Dialect } from '../columns.js';

/** What a simulated fill took of a level on display; of the fills of before nothing is known. */
export function takenLevelsSchema(dialect: Dialect['name']): readonly string[] {
  return [`alter table fills add column taken ${dialect === 'sqlite' ? 'text' : 'text collate "C"'}`];
}
