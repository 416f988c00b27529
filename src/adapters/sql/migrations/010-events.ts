import type { Dialect } from '../columns.js';

const TYPES = {
  sqlite: { text: 'text', integer: 'integer', short: 'strict, without rowid' },
  postgres: { text: 'text collate "C"', integer: 'bigint', short: '' },
} as const;

/** The event log of every account: empty at first, because what happened before has no place in an order of commits. */
export function eventsSchema(dialect: Dialect['name']): readonly string[] {
  const { text, integer, short } = TYPES[dialect];
  return [
    `create table account_events (
      account ${text} not null,
      seq ${integer} not null check (seq >= 1),
      type ${text} not null,
      recorded_at ${text} not null,
      subject ${text},
      number ${integer},
      body ${text},
      primary key (account, seq)
    ) ${short}`,
  ];
}
