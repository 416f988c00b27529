import { DatabaseMissing } from './database-gone.js';
import type { Dialect } from './dialect.js';
import { firstSchema } from './schema.js';
import { leasesSchema } from './schema-leases.js';
import { listsSchema } from './schema-lists.js';
import { liveSchema } from './schema-live.js';
import { marketsSchema } from './schema-markets.js';
import { outstandingSchema } from './schema-outstanding.js';
import type { Store } from './store.js';

/** One step of the schema. Its name is for ever, and so are its statements once a release has run them. */
export interface Migration {
  readonly name: string;
  readonly up: (dialect: Dialect['name']) => readonly string[];
}

/** Every step, in order. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '001_first', up: firstSchema },
  { name: '002_markets', up: (dialect) => marketsSchema(dialect, new Date()) },
  { name: '003_live', up: liveSchema },
  { name: '004_leases', up: leasesSchema },
  { name: '005_lists', up: listsSchema },
  { name: '006_outstanding', up: outstandingSchema },
];

/** The database has steps that this version does not know. */
export class SchemaTooNew extends Error {
  constructor(steps: readonly string[]) {
    super(
      `The database is from a newer version of stakeport: this version does not know ${steps.join(', ')}. ` +
        'Start the newer version, or restore a backup from before the upgrade.',
    );
    this.name = 'SchemaTooNew';
  }
}

/**
 * Brings the schema up to date: all missing steps in one transaction, so that an interrupted start leaves the database
 * as it was, and one process at a time, so that several may start together. Not Knex's own migrator: that one keeps its
 * lock in a table, where it stays after a kill.
 * @throws SchemaTooNew
 */
export function migrate(store: Store, steps: readonly Migration[] = MIGRATIONS): Promise<void> {
  return store.alone(async (run) => {
    await run(
      'create table if not exists schema_steps (name text primary key, applied_at timestamp default current_timestamp)',
    );
    const rows = await run('select name from schema_steps order by name');
    const applied = rows.map((row) => String(row['name']));
    const unknown = applied.filter((name) => !steps.some((step) => step.name === name));
    if (unknown.length > 0) throw new SchemaTooNew(unknown);
    for (const { name, up } of steps) {
      if (applied.includes(name)) continue;
      for (const statement of up(store.dialect.name)) await run(statement);
      await run(`insert into schema_steps (name) values ('${name}')`);
    }
  });
}

/** Changes nothing. @throws DatabaseMissing when the database has no tables of ours */
export async function expectTables({ reader }: Store): Promise<void> {
  if (!(await reader.schema.hasTable('schema_steps'))) throw new DatabaseMissing('the database has no tables of it');
}
