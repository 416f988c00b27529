import type { Client } from 'pg';
import type { AccountId } from '../../core/ids.js';
import { ACCOUNTS } from './account-table.js';
import { type Cell, rowsIn, textIn } from './cells.js';
import { newAccountRows, storingAll } from './change-writer.js';
import { type CommitMark, MARK } from './commit-outcome.js';
import { postgresDialect } from './dialect.js';
import type { Transaction } from './store.js';
import { type Change, introducing, readingAll, type Wanted } from './tables.js';

// In the order of ids, so that two processes that lock the same accounts never deadlock. Not `for update`: that would
// also block the foreign keys of others, and serialises writers no better.
const LOCK = `select ${MARK} from accounts where id = any($1::text[]) order by id for no key update`;

const STORING = storingAll(postgresDialect);
const INTRODUCE = introducing(ACCOUNTS, postgresDialect)(postgresDialect.parameter(0));

/**
 * A transaction on one connection, at READ COMMITTED: each read after `lock` sees all that was committed before the lock was
 * granted, and no other transaction writes these accounts until the end.
 */
export class PostgresTransaction implements Transaction {
  #mark: CommitMark | null = null;

  constructor(private readonly client: Client) {}

  /** The mark by which to find out later whether this transaction was committed; null before `lock`. */
  get mark(): CommitMark | null {
    return this.#mark;
  }

  async introduce(ids: readonly AccountId[]): Promise<void> {
    await this.#run(INTRODUCE, [newAccountRows(ids)]);
  }

  async lock(ids: readonly AccountId[]): Promise<void> {
    const [row = []] = await this.#run(LOCK, [ids]);
    this.#mark = { xid: textIn(row[0]), timeline: textIn(row[1]) };
  }

  async read(wanted: readonly Wanted[]): Promise<void> {
    const json = wanted.map((part) => part.json);
    const [row = []] = await this.#run(readingAll(wanted, postgresDialect), json);
    for (const [index, part] of wanted.entries()) part.take(rowsIn(textIn(row[index])));
  }

  async store(changes: readonly Change[]): Promise<void> {
    const json = changes.map(([, rows]) => rows);
    await this.#run(storingTogether(changes.map(([table]) => table)), json);
  }

  async #run(sql: string, values: readonly unknown[]): Promise<readonly (readonly Cell[])[]> {
    const { rows } = await this.client.query<Cell[]>({
      name: nameOf(sql),
      text: sql,
      values: [...values],
      rowMode: 'array',
    });
    return rows;
  }
}

const together = new Map<string, string>();

/** One statement for these tables. Postgres runs its parts on one snapshot, and checks references at its end. */
function storingTogether(tables: readonly string[]): string {
  const name = tables.join(' ');
  const known = together.get(name);
  if (known !== undefined) return known;
  const parts = tables.map(
    (table, index) => `${table}_stored as (${STORING.get(table)?.(postgresDialect.parameter(index))})`,
  );
  const sql = `with ${parts.join(', ')} select 1`;
  together.set(name, sql);
  return sql;
}

const names = new Map<string, string>();

/** A name for a statement: each connection then plans it once, which takes as long as running it. */
export function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = `stakeport_${names.size + 1}`;
  names.set(sql, name);
  return name;
}
