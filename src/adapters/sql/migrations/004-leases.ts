import type { Dialect } from '../columns.js';

const TYPES = {
  sqlite: { text: 'text', integer: 'integer', short: 'strict, without rowid' },
  postgres: { text: 'text collate "C"', integer: 'bigint', short: '' },
} as const;

/**
 * Which server holds each lease, and until when by the clock of the database. Rows are never deleted: the fence must grow.
 */
export function leasesSchema(dialect: Dialect['name']): readonly string[] {
  const { text, integer, short } = TYPES[dialect];
  return [
    `create table leases (
      name ${text} primary key,
      owner ${text} not null,
      fence ${integer} not null check (fence >= 1),
      expires_at ${integer} not null
    ) ${short}`,
  ];
}
