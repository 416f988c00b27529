import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { openSqlLedger } from '../../src/adapters/sql/index.js';

/** An empty database of its own on the Postgres of this run. */
export interface FreshPostgres {
  readonly url: string;
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>;
}

/** A SQLite file that does not exist yet, in a folder of its own. */
export interface FreshSqliteFile {
  /** As `DATABASE_URL` takes it. */
  readonly url: string;
  readonly path: string;
  /** Removes the file, and the files of SQLite beside it. */
  remove(): void;
}

/** Makes an empty database. Several may be made at once. */
export async function freshPostgres(): Promise<FreshPostgres> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

/** Names a database file in a new temporary folder. */
export function freshSqliteFile(): FreshSqliteFile {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-sqlite-'));
  const path = join(folder, 'stakeport.db');
  return { url: `sqlite:${path}`, path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

let migrated: Promise<Buffer> | undefined;

/** Makes a file with the newest schema and no records: a copy of one that was migrated once for all tests of a file. */
export async function migratedSqliteFile(): Promise<FreshSqliteFile> {
  migrated ??= migratedOnce();
  const file = freshSqliteFile();
  writeFileSync(file.path, await migrated);
  return file;
}

async function migratedOnce(): Promise<Buffer> {
  const { url, path, remove } = freshSqliteFile();
  await (await openSqlLedger(url)).close();
  const bytes = readFileSync(path);
  remove();
  return bytes;
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A fresh database of each durable kind, for a test that every one of them has to pass. */
export const EACH_DATABASE = [
  ['SQLite', async () => freshSqliteFile()],
  ['Postgres', async () => freshPostgres().then(({ url, drop }) => ({ url, remove: drop }))],
] as const;
