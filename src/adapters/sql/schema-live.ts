import type { Dialect } from './dialect.js';

const TYPES = {
  sqlite: { text: 'text', integer: 'integer', short: 'strict, without rowid' },
  postgres: { text: 'text collate "C"', integer: 'bigint', short: '' },
} as const;

/**
 * What orders at a real venue need: the envelope of each, and jobs, due by the clock of the database: machines that share it
 * need not agree on the time. And how far each tape was played.
 */
export function liveSchema(dialect: Dialect['name']): readonly string[] {
  const { text, integer, short } = TYPES[dialect];
  return [
    'alter table orders add column envelope text',
    'alter table orders add column send_by text',
    `create table order_jobs (
      account ${text} not null,
      order_id ${text} not null,
      fence ${integer} not null check (fence >= 1),
      due_at ${integer},
      primary key (account, order_id)
    ) ${short}`,
    'create index order_jobs_due on order_jobs (due_at) where due_at is not null',
    `create table bookmarks (name ${text} primary key, at ${text} not null) ${short}`,
  ];
}
