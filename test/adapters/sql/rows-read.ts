import { openDatabase } from '../../../src/adapters/sql/database.js';
import { GROUP_LIMITS } from '../../../src/adapters/sql/group-commit.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { SqlLedger } from '../../../src/adapters/sql/sql-ledger.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import { EACH_DATABASE } from '../../support/databases.js';

/** Each database; Postgres also after it has collected statistics of what a test stored, as it does by itself at any time. */
export const EACH_PLANNER = [
  ...EACH_DATABASE.map(([name, fresh]) => [name, fresh, async () => {}] as const),
  ...EACH_DATABASE.slice(-1).map(
    ([name, fresh]) => [`${name} with statistics`, fresh, (store: Store) => store.writer.raw('analyze')] as const,
  ),
] as const;

/** A database of its own with the tables of today, and its ledger. */
export async function openFresh(fresh: (typeof EACH_PLANNER)[number][1]) {
  const database = await fresh();
  const store = await openDatabase(database.url);
  await migrate(store);
  const ledger = new SqlLedger(store, GROUP_LIMITS);
  const close = async () => {
    await ledger.close();
    await database.remove();
  };
  return { store, ledger, close };
}

/** A statement as the driver got it. */
interface Statement {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** What a read takes from its tables, in rows, those that it looks at and throws away included. */
export async function rowsRead(store: Store, read: () => Promise<unknown>): Promise<number> {
  const asked: Statement[] = [];
  const listen = ({ sql, bindings }: Statement) => asked.push({ sql, bindings });
  const pools = new Set([store.reader, store.credentialReader]);
  for (const pool of pools) pool.on('query', listen);
  await read();
  for (const pool of pools) pool.removeListener('query', listen);
  const measure = store.dialect.name === 'postgres' ? measuredByPostgres : reckonedForSqlite;
  let rows = 0;
  for (const statement of asked) rows += await measure(store, statement);
  return rows;
}

interface Node {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Node[];
}

/** Postgres runs the statement and reports for each scan what it found and what it discarded. */
async function measuredByPostgres(store: Store, { sql, bindings }: Statement): Promise<number> {
  const explain = `explain (analyze, format json) ${sql.replace(/\$\d+/g, '?')}`;
  const { rows } = await store.reader.raw(explain, [...bindings] as string[]);
  return scanned(rows[0]['QUERY PLAN'][0].Plan);
}

function scanned(node: Node): number {
  const { 'Node Type': type, 'Actual Rows': found, 'Actual Loops': loops, Plans = [] } = node;
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const own = /^(Index|Index Only|Seq|Bitmap Heap) Scan$/.test(type) ? (found + removed) * loops : 0;
  return Plans.reduce((sum, part) => sum + scanned(part), own);
}

/**
 * The driver of SQLite hands out no counts, so its plan is taken at its word. Where a plan searches by every condition of a
 * list, in the order of the list, it reads what it answers; so do lists that it merges. Where it does not, it reads all that
 * meets those that it searches by: these rows are counted. Reads by the whole key of a table, such as the fills of an order,
 * or the orders of a page, are few.
 */
async function reckonedForSqlite(store: Store, { sql, bindings }: Statement): Promise<number> {
  const ask = (text: string, values = bindings) => store.reader.raw(text, [...values] as string[]);
  const plan: { detail: string }[] = await ask(`explain query plan ${sql}`);
  const sorts = plan.some(({ detail }) => detail.includes('TEMP B-TREE'));
  const lists = [...`${sql} `.matchAll(/from `?(\w+)`? where (.*?) (?=union all|order by|$)/g)];
  const [, table = ''] = lists[0] ?? [];
  const steps = plan.filter(({ detail }) => detail.includes(` ${table} USING`));
  let [rows, next] = [answered(await ask(sql)) + lists.length - 1, 0];
  for (const [nth, [, , where = '']] of lists.entries()) {
    const wanted = conditionsOf(where, next);
    next += wanted.reduce((sum, { marks }) => sum + marks, 0);
    const step = steps[nth]?.detail ?? '';
    const [, index = '', searched = ''] = /USING (?:COVERING )?INDEX (\w+)(?: \((.*)\))?$/.exec(step) ?? [];
    const free = new Set([...searched.split(' AND '), ...(await conditionsOfIndex(store, index))]);
    const met = wanted.filter(({ name }) => free.has(name));
    if (met.length === wanted.length && !sorts) continue;
    const counted = ['true', ...met.map(({ text }) => text)].join(' and ');
    const values = met.flatMap(({ at, marks }) => bindings.slice(at, at + marks));
    const [row] = await ask(`select count(*) as n from ${table} where ${counted}`, values);
    rows += row.n;
  }
  return rows;
}

/** The number of records in an answer: rows, or one text with all of them. */
function answered(rows: readonly { found?: string; lines?: string }[]): number {
  const { found, lines } = rows[0] ?? {};
  if (lines !== undefined) return lines === '' ? 0 : lines.split('\n').length;
  return found === undefined ? rows.length : JSON.parse(found).length;
}

/** What every row of a partial index meets. */
async function conditionsOfIndex(store: Store, index: string): Promise<string[]> {
  const [row] = await store.reader('sqlite_master').where({ name: index }).select('sql');
  return /where (.*)$/.exec(row?.sql ?? '')?.[1]?.split(' and ') ?? [];
}

/** The conditions of a list: as they stand, as a plan names them, and where their bindings are, of which `next` is the first. */
function conditionsOf(where: string, next: number) {
  let after = next;
  return where.split(' and ').map((part) => {
    const text = part.replaceAll('`', '');
    const marks = text.split('?').length - 1;
    const at = after;
    after += marks;
    const listed = /^(\w+) in \(/.exec(text)?.[1];
    const name = /\|\||^case when/.test(text) ? '<expr>=?' : listed ? `${listed}=?` : text.replaceAll(' ', '');
    return { text, name: marks === 0 ? text : name, marks, at };
  });
}
