import { existsSync } from 'node:fs';
import { openDatabase } from '../adapters/sql/database.js';
import { GROUP_LIMITS } from '../adapters/sql/group-commit.js';
import { SqlLedger } from '../adapters/sql/ledger.js';
import { MIGRATIONS, SchemaTooNew } from '../adapters/sql/migrations.js';
import { silenceOf } from '../adapters/sql/silence.js';
import type { Store } from '../adapters/sql/store.js';
import { StorageUnavailable } from '../core/errors.js';

const SQLITE = 'sqlite:';

/** The database is there, or may be, but gives no answer; the message says why. */
export class DatabaseSilent extends Error {
  constructor(why: string) {
    super(`The database does not answer: ${why}.`);
    this.name = 'DatabaseSilent';
  }
}

/** The error, or DatabaseSilent when it means no more than that. */
export function silenceIn(error: unknown): unknown {
  const why = silenceOf(error);
  return why === null ? error : new DatabaseSilent(why);
}

/**
 * Opens a database as it stands, for reading alone and beside a running server: makes no file and no table, changes
 * nothing, and does not bring it up to date. The ledger is to be closed.
 * @throws Error when there is no database, or one of another version; SchemaTooNew, DatabaseSilent
 */
export async function openStandingStore(url: string): Promise<SqlLedger> {
  if (url.startsWith(SQLITE) && !existsSync(url.slice(SQLITE.length))) throw new Error('There is no such file.');
  const store = await openDatabase(url, { readOnly: true }).catch((error: unknown) => Promise.reject(silenceIn(error)));
  try {
    await checkSteps(store);
  } catch (error) {
    const why = silenceIn(error);
    // What does not answer would not let go either.
    if (!(why instanceof DatabaseSilent)) await store.close();
    throw why;
  }
  return new SqlLedger(store, GROUP_LIMITS);
}

async function checkSteps({ reader }: Store): Promise<void> {
  if (!(await reader.schema.hasTable('schema_steps'))) throw new Error('It is not a database of stakeport.');
  const applied = await reader<{ name: string }>('schema_steps').pluck<string[]>('name');
  const unknown = applied.filter((name) => !MIGRATIONS.some((step) => step.name === name));
  if (unknown.length > 0) throw new SchemaTooNew(unknown);
  if (MIGRATIONS.some(({ name }) => !applied.includes(name)))
    throw new Error('It is from an older version of stakeport: start the server once, which brings it up to date.');
}

/** What to tell a person at the command line: the cause tells what happened, what stands before it is for callers of the API. */
export function wordsOf(error: unknown): string {
  const told = error instanceof StorageUnavailable && error.cause instanceof Error ? error.cause : error;
  return told instanceof Error ? told.message : String(told);
}
