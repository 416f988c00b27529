import type { Dialect } from '../columns.js';

const TYPES = {
  sqlite: { text: 'text', short: 'strict, without rowid' },
  postgres: { text: 'text collate "C"', short: '' },
} as const;

/** Logins of people, by the digest of their secret. They are few, so nothing but the key is an index. */
export function sessionsSchema(dialect: Dialect['name']): readonly string[] {
  const { text, short } = TYPES[dialect];
  return [
    `create table sessions (
      digest ${text} not null primary key,
      key_id ${text} not null,
      started_at ${text} not null,
      used_at ${text} not null
    ) ${short}`,
  ];
}
