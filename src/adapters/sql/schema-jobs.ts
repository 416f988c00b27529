import type { Dialect } from './dialect.js';

const TYPES = {
  sqlite: { text: 'text', integer: 'integer', short: 'strict, without rowid' },
  postgres: { text: 'text collate "C"', integer: 'bigint', short: '' },
} as const;

/** Jobs, due by the clock of the database: machines that share it need not agree on the time. */
export function jobsSchema(dialect: Dialect['name']): readonly string[] {
  const { text, integer, short } = TYPES[dialect];
  return [
    `create table order_jobs (
      account ${text} not null,
      order_id ${text} not null,
      fence ${integer} not null check (fence >= 1),
      due_at ${integer},
      primary key (account, order_id)
    ) ${short}`,
    'create index order_jobs_due on order_jobs (due_at) where due_at is not null',
  ];
}
