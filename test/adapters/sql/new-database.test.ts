import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { MIGRATIONS, type Migration } from '../../../src/adapters/sql/migrations/index.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import { EACH_DATABASE } from '../../support/databases.js';

/** Two steps of later versions. */
const LATER: readonly Migration[] = [
  { name: '998_notes', up: () => ['create table notes (id text)'] },
  { name: '999_more', up: () => ['create table more (id text)'] },
];

/** How many statements each message to the database has from now on. */
function messagesOf(store: Store): number[] {
  const messages: number[] = [];
  const alone = store.alone.bind(store);
  const counted: Store['alone'] = (work) =>
    alone((run, runAll) => {
      const sent = async (statements: readonly string[]) => void messages.push(statements.length);
      return work(
        (sql) => sent([sql]).then(() => run(sql)),
        (statements) => sent(statements).then(() => runAll(statements)),
      );
    });
  Object.assign(store, { alone: counted });
  return messages;
}

test.each(EACH_DATABASE)('%s: a new database takes one message, an older one single steps', async (_, make) => {
  const [fresh, old] = [await make(), await make()];
  const store = await openDatabase(fresh.url);
  const messages = messagesOf(store);
  await migrate(store);
  expect(messages.filter((statements) => statements > 1)).toEqual([expect.any(Number)]);
  expect(messages.length).toBeLessThan(5);
  await store.close();
  await fresh.remove();

  const older = await openDatabase(old.url);
  await migrate(older);
  const later = messagesOf(older);
  await migrate(older, [...MIGRATIONS, ...LATER]);
  expect(later.filter((statements) => statements > 1)).toEqual([]);
  expect(later.length).toBeGreaterThan(3);
  await older.close();
  await old.remove();
});
