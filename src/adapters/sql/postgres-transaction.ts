import type { Client } from 'pg';
import type { AccountId } from '../../core/ids.js';
import { ACCOUNTS } from './account-table.js';
import { type Cell, postgresDialect, rowsIn, textIn } from './columns.js';
import { type CommitMark, MARK } from './commit-outcome.js';
import { storingLocked } from './postgres-storing.js';
import { newAccountRows } from './snapshot-loader.js';
import type { Transaction, Version } from './store.js';
import { type Change, introducing, readingAll, type Wanted } from './table.js';

// In the order of ids, so that two processes that lock the same accounts never deadlock. Not `for update`: that would
// also block the foreign keys of others, and serialises writers no better.
const LOCK = `select ${MARK} from accounts where id = any($1::text[]) order by id for no key update`;

const INTRODUCE = introducing(ACCOUNTS, postgresDialect)(postgresDialect.parameter(0));

/**
 * A transaction on one connection, at READ COMMITTED: each read after `lock` sees all that was committed before the lock was
 * granted, and no other transaction writes these accounts until the end.
 */
export class PostgresTransaction implements Transaction {
  #mark: CommitMark | null = null;
  #locked: readonly AccountId[] = [];

  constructor(
    private readonly client: Client,
    /** The version of the locked accounts after it; none where it stores nothing. */
    private readonly version: Version = '',
  ) {}

  /** The mark by which to find out later whether this transaction was committed; null before `lock`. */
  get mark(): CommitMark | null {
    return this.#mark;
  }

  async introduce(ids: readonly AccountId[]): Promise<void> {
    await this.#run(INTRODUCE, [newAccountRows(ids)]);
  }

  async lock(ids: readonly AccountId[]): Promise<void> {
    const [row = []] = await this.#run(LOCK, [ids]);
    this.#locked = ids;
    this.#mark = { xid: textIn(row[0]), timeline: textIn(row[1]) };
  }

  async read(wanted: readonly Wanted[]): Promise<void> {
    const json = wanted.map((part) => part.json);
    const [row = []] = await this.#run(readingAll(wanted, postgresDialect), json);
    for (const [index, part] of wanted.entries()) part.take(rowsIn(textIn(row[index])));
  }

  async store(changes: readonly Change[]): Promise<void> {
    const rows = changes.map(([, json]) => json);
    await this.#run(storingLocked(changes.map(([table]) => table)), [this.#locked, this.version, ...rows]);
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

const names = new Map<string, string>();

/** A name for a statement: each connection then plans it once, which takes as long as running it. */
export function nameOf(sql: string, kind = ''): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = `stakeport_${kind}${names.size + 1}`;
  names.set(sql, name);
  return name;
}
