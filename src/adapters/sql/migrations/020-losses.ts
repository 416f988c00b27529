import type { Dialect } from '../columns.js';

/** What the losses of accounts are measured from. An account without a limit on them has nothing of it. */
export function lossesSchema(dialect: Dialect['name']): readonly string[] {
  const text = dialect === 'sqlite' ? 'text' : 'text collate "C"';
  return [
    `alter table accounts add column losses ${text}`,
    'create index accounts_measured on accounts (id) where losses is not null',
  ];
}
