import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import { EACH_DATABASE } from '../../support/databases.js';

/** What is asked for before anybody knows whose it is: who is calling, and which order a venue means. Each names the account. */
const DIRECTORIES = ['api_keys', 'venue_orders'];

/** A key of a table, be it the primary one or another that no two rows share, by its columns in order. */
interface Key {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Columns of a table that name a row of another one, each with the column there that it equals. */
interface Reference {
  readonly table: string;
  readonly to: string;
  readonly pairs: readonly (readonly [own: string, there: string])[];
}

interface Schema {
  /** Tables with an account, but for the directories. */
  readonly owned: readonly string[];
  readonly keys: readonly Key[];
  readonly references: readonly Reference[];
}

type Rows = readonly Readonly<Record<string, string>>[];

const SQLITE = {
  owned: `select m.name as "table" from sqlite_master m, pragma_table_info(m.name) c
    where m.type = 'table' and c.name = 'account'`,
  keys: `select m.name as "table", group_concat(i.name, ' ') as columns
    from sqlite_master m, pragma_index_list(m.name) l, pragma_index_info(l.name) i
    where m.type = 'table' and l."unique" group by m.name, l.name`,
  references: `select m.name as "table", f."table" as "to", group_concat(f."from" || ':' || f."to", ' ') as pairs
    from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table' group by m.name, f.id`,
};

const NAMES = (columns: string, table: string) => `(select string_agg(attname, ' ' order by place)
  from unnest(${columns}) with ordinality as k(number, place) join pg_attribute on attnum = number and attrelid = ${table})`;

const POSTGRES = {
  owned: `select table_name as "table" from information_schema.columns where table_schema = current_schema() and column_name = 'account'`,
  keys: `select c.relname as "table", ${NAMES('i.indkey', 'i.indrelid')} as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
  references: `select c.relname as "table", t.relname as "to", (
      select string_agg(own || ':' || there, ' ') from unnest(
        string_to_array(${NAMES('f.conkey', 'f.conrelid')}, ' '), string_to_array(${NAMES('f.confkey', 'f.confrelid')}, ' ')
      ) as p(own, there)) as pairs
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class t on t.oid = f.confrelid
    where f.contype = 'f' and f.connamespace = (select oid from pg_namespace where nspname = current_schema())`,
};

async function schemaOf(store: Store): Promise<Schema> {
  const asked = store.dialect.name === 'sqlite' ? SQLITE : POSTGRES;
  const ask = async (sql: string): Promise<Rows> => {
    const answer = await store.reader.raw(sql);
    return store.dialect.name === 'sqlite' ? answer : answer.rows;
  };
  const names = (await ask(asked.owned)).map(({ table = '' }) => table);
  return {
    owned: names.filter((name) => !DIRECTORIES.includes(name)),
    keys: (await ask(asked.keys)).map(({ table = '', columns = '' }) => ({ table, columns: columns.split(' ') })),
    references: (await ask(asked.references)).map(({ table = '', to = '', pairs = '' }) => ({
      table,
      to,
      pairs: pairs.split(' ').map((pair) => pair.split(':') as [string, string]),
    })),
  };
}

/** Keys that could not tell one account's rows from another's by their beginning. */
const straying = ({ owned, keys }: Schema): readonly Key[] =>
  keys.filter(({ table, columns }) => owned.includes(table) && columns[0] !== 'account');

/** References between tables of accounts that could lead from one account to another. */
const crossing = ({ owned, references }: Schema): readonly Reference[] =>
  references.filter(
    ({ table, to, pairs }) =>
      owned.includes(table) &&
      !(owned.includes(to) && pairs.some(([own, there]) => own === 'account' && there === own)),
  );

describe.each(EACH_DATABASE)('what an account owns on %s', (_, fresh) => {
  let database: { url: string; remove: () => Promise<void> | void };
  let store: Store;
  beforeAll(async () => {
    database = await fresh();
    store = await openDatabase(database.url);
    await migrate(store);
  });
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  it('has only keys that begin with the account', async () => {
    const schema = await schemaOf(store);
    expect(schema.owned).toEqual(expect.arrayContaining(['orders', 'order_events', 'fills', 'balances', 'positions']));
    for (const table of schema.owned) expect(schema.keys.map((key) => key.table)).toContain(table);
    expect(straying(schema)).toEqual([]);
  });

  it('refers to nothing of another account', async () => {
    const schema = await schemaOf(store);
    expect(schema.references.length).toBeGreaterThan(4);
    expect(crossing(schema)).toEqual([]);
  });

  it('fails the check with a key or reference without its account', async () => {
    await store.alone(async (run) => {
      await run('create table probes (id text not null primary key, account text not null)');
      await run('create unique index probes_too on orders (id)');
      await run(
        'create table hints (account text not null, n text not null, probe text references probes (id), primary key (account, n))',
      );
    });
    const schema = await schemaOf(store);
    expect(straying(schema)).toHaveLength(2);
    expect(crossing(schema)).toMatchObject([{ table: 'hints', to: 'probes' }]);
  });
});
