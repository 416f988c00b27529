import type { Dialect } from './columns.js';
import { DatabaseMissing } from './database-gone.js';
import { DatabaseUnusable } from './database-unusable.js';
import { driverCodeOf } from './fault.js';
import { MIGRATIONS, type Migration } from './migrations/index.js';
import { SchemaTooNew } from './schema-too-new.js';
import type { RunStatement, Store } from './store.js';

/** On Postgres including those that this user may not use: information_schema does not show them. */
const TABLES_OF = {
  sqlite: `select name from sqlite_master where type in ('table', 'view')`,
  postgres: `select relname as name from pg_class where relkind in ('r', 'p', 'v', 'm', 'f')
    and relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
} as const;

const STEPS = 'schema_steps';

/** The first step of the versions before the first release, whose databases no migration changes. */
const FIRST_UNRELEASED = '001_first';
const UNRELEASED =
  'DATABASE_URL names a database that stakeport made before its first release. This version does not read it, and changed ' +
  'nothing. The last that does is commit 4320d0daf4c4: keep the books with `stakeport backup` of that commit, or with pg_dump, ' +
  'and give this version a database of its own.';

/**
 * Migrates the schema: all missing steps in one transaction, so that an interrupted start leaves the database unchanged, and
 * one process at a time, so that several may start together. Not Knex's own migrator: that one keeps its lock in a table,
 * where it stays after a kill. A file that already has steps is copied first; returns the copy's path, else null.
 * @throws SchemaTooNew, and DatabaseUnusable when a table name is taken, the copy cannot be written, or the database is from
 * before the first release
 */
export async function migrate(store: Store, steps: readonly Migration[] = MIGRATIONS): Promise<string | null> {
  let copy: string | null = null;
  await store.alone(async (run, runAll) => {
    const tables = (await run(TABLES_OF[store.dialect.name])).map((row) => String(row['name']));
    if (!tables.includes(STEPS)) {
      const taken = tablesMadeBy(steps, store.dialect.name).find((name) => tables.includes(name));
      if (taken !== undefined) throw new DatabaseUnusable(foreign(taken));
      await run(`create table ${STEPS} (name text primary key, applied_at timestamp default current_timestamp)`);
    }
    const rows = await run('select name from schema_steps order by name');
    const applied = rows.map((row) => String(row['name']));
    checkSteps(applied, steps);
    const missing = steps.filter(({ name }) => !applied.includes(name));
    const [first] = missing;
    if (first !== undefined && applied.length > 0) copy = await store.copyBefore(numberOf(first));
    const { name } = store.dialect;
    // A new database has no rows that a statement could need time for, and is made in one go.
    await (applied.length === 0
      ? runAll(missing.flatMap((step) => statementsOf(step, name)))
      : runEach(run, missing, name));
  });
  return copy;
}

/** Refuses a database whose steps are not those of this version. @throws SchemaTooNew, DatabaseUnusable */
export function checkSteps(applied: readonly string[], steps: readonly Migration[] = MIGRATIONS): void {
  if (applied.includes(FIRST_UNRELEASED)) throw new DatabaseUnusable(UNRELEASED);
  const unknown = applied.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) throw new SchemaTooNew(unknown);
}

async function runEach(run: RunStatement, steps: readonly Migration[], dialect: Dialect['name']): Promise<void> {
  for (const step of steps) {
    for (const statement of statementsOf(step, dialect)) await run(statement);
    await step.rows?.(run);
  }
}

const statementsOf = ({ name, up }: Migration, dialect: Dialect['name']): readonly string[] => [
  ...up(dialect),
  recorded(name),
];

const recorded = (step: string): string => `insert into schema_steps (name) values ('${step}')`;

/** The number that the name of a step begins with. */
const numberOf = ({ name }: Migration): string => name.slice(0, name.indexOf('_'));

/** Changes nothing. @throws DatabaseMissing when the database has no tables of ours */
export async function expectTables(store: Store): Promise<void> {
  if (!(await hasSteps(store))) throw new DatabaseMissing('the database has no tables of it');
}

/** The names of the steps that a database has; null when it is not one of stakeport. Changes nothing. */
export async function appliedSteps(store: Store): Promise<readonly string[] | null> {
  if (!(await hasSteps(store))) return null;
  try {
    return await store.reader<{ name: string }>(STEPS).pluck<string[]>('name');
  } catch (error) {
    const isOfAnother =
      driverCodeOf(error) === '42703' || (error instanceof Error && error.message.includes('no such column'));
    if (isOfAnother) return null;
    throw error;
  }
}

async function hasSteps({ reader, dialect }: Store): Promise<boolean> {
  const found =
    dialect.name === 'sqlite'
      ? await reader('sqlite_master').where({ name: STEPS }).first('name')
      : await reader('pg_class')
          .where({ relname: STEPS })
          .whereRaw('relnamespace = (select oid from pg_namespace where nspname = current_schema())')
          .first('relname');
  return found !== undefined;
}

function tablesMadeBy(steps: readonly Migration[], dialect: Dialect['name']): readonly string[] {
  const statements = steps.flatMap(({ up }) => up(dialect));
  return statements.flatMap((statement) => /^create table (\w+)/.exec(statement)?.[1] ?? []);
}

const foreign = (table: string): string =>
  `DATABASE_URL names a database with a table ${table} that stakeport did not make. ` +
  'Give stakeport a database of its own: an empty one, or a file that does not exist yet.';
