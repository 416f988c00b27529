import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, SchemaTooNew } from '../../../src/adapters/sql/index.js';
import { appliedSteps, migrate } from '../../../src/adapters/sql/migrate.js';
import { MIGRATIONS, type Migration } from '../../../src/adapters/sql/migrations/index.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import { ALICE, aStrategy } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';

const ADDS_A_TABLE: Migration = { name: '999_notes', up: () => ['create table notes (id text not null primary key)'] };

/** A step of which statements alone cannot do all: it copies the ids of accounts, letter by letter backwards. */
const TURNS_IDS: Migration = {
  name: '998_turned',
  up: () => ['create table turned (id text not null primary key)'],
  rows: async (run) => {
    for (const { id } of await run('select id from accounts')) {
      await run(`insert into turned (id) values ('${[...`${id}`].reverse().join('')}')`);
    }
  },
};

describe.each(EACH_DATABASE)('the schema on %s', (_, fresh) => {
  let database: { url: string; remove: () => Promise<void> | void };
  beforeEach(async () => {
    database = await fresh();
  });
  afterEach(() => database.remove());

  it('is created once when four connections start at the same instant', async () => {
    // Not more: SQLite waits for a lock in one of the four threads of Node's pool, and the one who has it needs one too.
    const ledgers = await Promise.all(Array.from({ length: 4 }, () => openSqlLedger(database.url)));
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    const store = await openDatabase(database.url);
    expect(await stepsOf(store)).toEqual(MIGRATIONS.map(({ name }) => name));
    await store.close();
  });

  it('is left as it is by every later start, records and all', async () => {
    const first = await openSqlLedger(database.url);
    const strategy = aStrategy();
    await first.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] }));
    await first.close();
    const second = await openSqlLedger(database.url);
    expect(await second.findStrategy(ALICE, strategy.id)).toEqual(strategy);
    await second.close();
  });

  it('is refused when a newer version made it, and not touched', async () => {
    const store = await openDatabase(database.url);
    await migrate(store, [...MIGRATIONS, ADDS_A_TABLE]);
    await expect(openSqlLedger(database.url)).rejects.toThrow(SchemaTooNew);
    await expect(openSqlLedger(database.url)).rejects.toThrow('does not know 999_notes');
    expect(await stepsOf(store)).toEqual([...MIGRATIONS, ADDS_A_TABLE].map(({ name }) => name));
    await store.close();
  });

  it('is not created in a database with another program’s table', async () => {
    const store = await openDatabase(database.url);
    await store.writer.schema.createTable('orders', (table) => table.text('dish'));
    await store.writer('orders').insert({ dish: 'soup' });
    await expect(openSqlLedger(database.url)).rejects.toThrow('with a table orders that stakeport did not make');
    expect(await store.writer('orders').select()).toEqual([{ dish: 'soup' }]);
    expect(await store.writer.schema.hasTable('schema_steps')).toBe(false);
    await store.close();
  });

  it('is not that of another program, whose steps have no names', async () => {
    const store = await openDatabase(database.url);
    expect(await appliedSteps(store)).toBeNull();
    await store.writer.schema.createTable('schema_steps', (table) => table.integer('number'));
    expect(await appliedSteps(store)).toBeNull();
    await store.close();
  });

  it('has rows computed by a step from those that were there', async () => {
    const store = await openDatabase(database.url);
    await migrate(store);
    await store.writer('accounts').insert({ id: 'alice', live_enabled: false });
    await migrate(store, [...MIGRATIONS, TURNS_IDS]);
    expect(await store.writer('turned').pluck('id')).toEqual(['ecila']);
    await store.close();
  });

  it('survives a step that fails halfway, and the next start finishes', async () => {
    const store = await openDatabase(database.url);
    await migrate(store);
    const [statement = ''] = ADDS_A_TABLE.up(store.dialect.name);
    const failing = { ...ADDS_A_TABLE, up: () => [statement, 'create table half (', 'drop table orders'] };
    await expect(migrate(store, [...MIGRATIONS, failing])).rejects.toThrow();
    expect(await stepsOf(store)).toEqual(MIGRATIONS.map(({ name }) => name));
    expect(await store.writer.schema.hasTable('notes')).toBe(false);
    await migrate(store, [...MIGRATIONS, ADDS_A_TABLE]);
    expect(await store.writer.schema.hasTable('notes')).toBe(true);
    await store.close();
  });
});

async function stepsOf(store: Store): Promise<string[]> {
  return store.reader('schema_steps').orderBy('name').pluck('name');
}
