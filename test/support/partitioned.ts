import pg from 'pg';
import { afterEachFile } from './after-file.js';

/**
 * What must be found without knowing the account: a key before its account is known, an order by the venue's name for it,
 * because a venue's report names no account. Their identities are unique over all accounts, so they cannot be divided by one.
 */
export const FOUND_WITHOUT_ACCOUNT = ['api_keys', 'venue_orders'];

interface Reference {
  readonly table: string;
  readonly rule: string;
}

/**
 * Divides every table that has an account into partitions by its hash, and the accounts by their id. Between divided tables,
 * references cost Postgres more than all the rest: see docs/performance.md.
 */
export const partitionByAccount = (url: string, partitions: number, withReferences = true): Promise<void> =>
  connected(url, async (client) => {
    const { rows: owned } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = current_schema() and column_name = 'account' and table_name <> all ($1) order by 1`,
      [FOUND_WITHOUT_ACCOUNT],
    );
    const divided = [...owned.map(({ name }) => [name, 'account'] as const), ['accounts', 'id'] as const];
    const references = await referencesIn(client);
    for (const { table, rule } of references) await client.query(`alter table ${table} drop constraint ${rule}`);
    for (const [table, column] of divided) await divide(client, table, column, partitions);
    for (const { table, rule, definition } of withReferences ? references : [])
      await client.query(`alter table ${table} add constraint ${rule} ${definition}`);
  });

/** The tables whose rows lie in one place, and not in partitions. */
export const wholeTables = (url: string): Promise<string[]> => connected(url, (client) => tablesOf(client, 'r'));

/** Connections that empty a database, by its address: what a connection knows of its tables it has to find out once. */
const emptying = new Map<string, Promise<pg.Client>>();

afterEachFile(async () => {
  const clients = await Promise.all(emptying.values());
  emptying.clear();
  await Promise.all(clients.map((client) => client.end()));
});

async function connectToEmpty(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // A database that is removed ends its connections.
  client.on('error', () => {});
  await client.connect();
  // In any order: the references are not checked.
  await client.query('set session_replication_role = replica');
  return client;
}

/** Deletes every row, in less time than a new database takes. */
export async function emptyTables(url: string): Promise<void> {
  const connecting = emptying.get(url) ?? connectToEmpty(url);
  emptying.set(url, connecting);
  const client = await connecting;
  const tables = [...(await tablesOf(client, 'r')), ...(await tablesOf(client, 'p'))];
  const deletions = tables.filter((name) => name !== 'schema_steps').map((name) => `delete from ${name}`);
  await client.query(deletions.join('; '));
}

/** Tables and divided tables, without the partitions. */
async function tablesOf(client: pg.Client, kind: 'r' | 'p'): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = $1 and not relispartition
     and relnamespace = current_schema()::regnamespace order by 1`,
    [kind],
  );
  return rows.map(({ name }) => name);
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function referencesIn(client: pg.Client): Promise<(Reference & { readonly definition: string })[]> {
  const { rows } = await client.query(
    `select conrelid::regclass::text as table, conname as rule, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
  );
  return rows;
}

/** The same table with the same keys, checks, indexes and triggers, in parts. Postgres refuses a unique index without the column. */
async function divide(client: pg.Client, table: string, column: string, partitions: number): Promise<void> {
  const later = [...(await indexesOf(client, table)), ...(await triggersOf(client, table))];
  await client.query(`alter table ${table} rename to ${table}_whole`);
  await client.query(
    `create table ${table} (like ${table}_whole including all excluding indexes) partition by hash (${column})`,
  );
  for (let part = 0; part < partitions; part += 1) {
    const values = `with (modulus ${partitions}, remainder ${part})`;
    await client.query(`create table ${table}_${part} partition of ${table} for values ${values}`);
  }
  await client.query(`insert into ${table} select * from ${table}_whole`);
  await client.query(`drop table ${table}_whole`);
  // Last, because only now are their names free, and by these names a later migration finds them.
  for (const statement of later) await client.query(statement);
}

/** The statements that make the primary key of a table, and its other indexes. */
async function indexesOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %I add constraint %I %s', $1::text, conname, pg_get_constraintdef(oid)) as statement
     from pg_constraint where contype in ('p', 'u') and conrelid = $1::regclass
     union all select pg_get_indexdef(indexrelid) from pg_index
     where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  return rows.map(({ statement }) => statement);
}

/** The statements that make the triggers of a table, but for those of its references. */
async function triggersOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    'select pg_get_triggerdef(oid) as statement from pg_trigger where tgrelid = $1::regclass and not tgisinternal',
    [table],
  );
  return rows.map(({ statement }) => statement);
}
