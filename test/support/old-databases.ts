import pg from 'pg';
import { sqliteDriver } from '../../src/adapters/sql/sqlite-driver.js';
import { freshPostgres, freshSqliteFile } from './databases.js';

/** The first and the last step of the versions before the first release, and an account with money. */
const BEFORE_FIRST_RELEASE = `
  create table schema_steps (name text primary key, applied_at timestamp default current_timestamp);
  insert into schema_steps (name) values ('001_first'), ('039_counted_bets');
  create table accounts (id text not null primary key, live_enabled integer not null);
  insert into accounts values ('alice', 1);
  create table balances (account text not null, paper integer not null, cash bigint not null, primary key (account, paper));
  insert into balances values ('alice', 0, 25000000);`;

/** A SQLite file that a version before the first release left. */
export async function oldSqliteFile() {
  const file = freshSqliteFile();
  const driver = await sqliteDriver();
  const database = new driver.Database(file.path);
  await new Promise<void>((done, fail) => {
    const statements = `pragma journal_mode = wal; ${BEFORE_FIRST_RELEASE}`;
    database.exec(statements, (error) => (error ? fail(error) : done()));
  });
  await new Promise<void>((done, fail) => database.close((error) => (error ? fail(error) : done())));
  return file;
}

/** A Postgres database that a version before the first release left. */
export async function oldPostgres() {
  const { url, drop } = await freshPostgres();
  await asked(url, BEFORE_FIRST_RELEASE);
  return { url, remove: drop };
}

/** What a Postgres database has: each table, index and routine of its schema, and each row, with the transaction that wrote it. */
export async function contentsOfPostgres(url: string): Promise<unknown> {
  const made = await asked(
    url,
    `select relname, relkind, xmin::text from pg_class where relnamespace = 'public'::regnamespace`,
  );
  const routines = await asked(
    url,
    `select proname, xmin::text from pg_proc where pronamespace = 'public'::regnamespace`,
  );
  const tables = ['schema_steps', 'accounts', 'balances'];
  const rows = tables.map((table) => asked(url, `select xmin::text, xmax::text, * from ${table} order by 3`));
  return [made, routines, ...(await Promise.all(rows))];
}

async function asked(url: string, statements: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const result = await client.query(statements).finally(() => client.end());
  return result.rows;
}
