import type { Dialect } from '../columns.js';

/**
 * Which server decides the writes of each account without locks, until when by the clock of the database, and until when
 * others are expected to write it too. A hint: nothing has to be right here. A file of SQLite has one server.
 */
export function homesSchema(dialect: Dialect['name']): readonly string[] {
  if (dialect === 'sqlite') return [];
  return [
    `create table account_homes (
      account text collate "C" not null primary key,
      server text collate "C" not null,
      expires_at bigint not null,
      visited_until bigint not null
    ) with (fillfactor = 50)`,
  ];
}
