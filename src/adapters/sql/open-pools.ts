import knexModule, { type Knex } from 'knex';
import type sqlite3 from 'sqlite3';
import { QUIET } from './quiet.js';
import { configure } from './sqlite-connection.js';

const READERS = 2;
const ACQUIRE_MS = 2000;

/** The connections to one file; a database in memory has only one. */
export interface SqlitePools {
  readonly writer: Knex;
  readonly reader: Knex;
  readonly credentialReader: Knex;
  /** For what groups of writes read: they never wait for a list. */
  readonly groupReader: Knex;
}

/** Connects on first use. */
export function sqlitePools(file: string, memory: boolean): SqlitePools {
  const writer = pool(file, 1, { memory, readOnly: false });
  const reading = (size: number) => (memory ? writer : pool(file, size, { memory, readOnly: true }));
  return { writer, reader: reading(READERS), credentialReader: reading(1), groupReader: reading(1) };
}

function pool(filename: string, size: number, use: { memory: boolean; readOnly: boolean }): Knex {
  return knexModule.knex({
    client: 'sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    acquireConnectionTimeout: ACQUIRE_MS,
    log: QUIET,
    compileSqlOnError: false,
    pool: {
      // A connection that leaves the pool could not be closed: its statements are finalized at the end.
      min: size,
      max: size,
      afterCreate: (connection: sqlite3.Database, done: (error?: unknown) => void) => {
        configure(connection, use).then(() => done(), done);
      },
    },
  });
}
