import { readFileSync } from 'node:fs';
import pg from 'pg';
import { sqliteDriver } from '../../src/adapters/sql/sqlite-driver.js';
import { freshPostgres, freshSqliteFile } from './databases.js';

const textOf = (name: string): string =>
  readFileSync(new URL(`../fixtures/databases/${name}.sql`, import.meta.url), 'utf8');

/** A SQLite file as a version of then left it. */
export async function oldSqliteFile(version: string) {
  const file = freshSqliteFile();
  const driver = await sqliteDriver();
  const database = new driver.Database(file.path);
  await new Promise<void>((done, fail) => {
    database.exec(textOf(`sqlite-${version}`), (error) => (error ? fail(error) : done()));
  });
  await new Promise<void>((done, fail) => database.close((error) => (error ? fail(error) : done())));
  return file;
}

/** A Postgres database as a version of then left it. */
export async function oldPostgres(version: string) {
  const { url, drop } = await freshPostgres();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(textOf(`postgres-${version}`));
  await client.end();
  return { url, remove: drop };
}

/** A database of each kind that a version of then left. */
export const EACH_OLD_DATABASE = [
  ['SQLite', oldSqliteFile],
  ['Postgres', oldPostgres],
] as const;
