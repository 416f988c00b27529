import type { Client } from 'pg';
import type { Account } from '../../core/account/account.js';
import type { AccountId } from '../../core/ids.js';
import { type Cell, flag, text } from './cells.js';
import { type CommitMark, MARK } from './commit-outcome.js';
import type { Transaction } from './store.js';

// In the order of ids, so that two processes which lock the same accounts never wait for each other. Not `for update`:
// that would also keep out the foreign keys of others, and serialises writers no better.
const LOCK = `select id, live_enabled, ${MARK} from accounts where id = any($1::text[]) order by id for no key update`;

/**
 * A transaction on one connection, at READ COMMITTED: each read after `lock` sees all that was committed before the
 * lock was given, and nobody else writes these accounts until the end.
 */
export class PostgresTransaction implements Transaction {
  #mark: CommitMark | null = null;

  constructor(private readonly client: Client) {}

  /** What tells later whether this transaction was committed; null before `lock`. */
  get mark(): CommitMark | null {
    return this.#mark;
  }

  async lock(ids: readonly AccountId[]): Promise<readonly Account[]> {
    const rows = await this.#run(LOCK, ids);
    return rows.map(([id, liveEnabled, xid, timeline]) => {
      this.#mark = { xid: text(xid), timeline: text(timeline) };
      return { id: text(id) as AccountId, liveEnabled: flag(liveEnabled) };
    });
  }

  async read(sql: string, json: string): Promise<string> {
    const [row] = await this.#run(sql, json);
    return text(row?.[0]);
  }

  async write(sql: string, json: string): Promise<void> {
    await this.#run(sql, json);
  }

  async #run(sql: string, parameter: unknown): Promise<readonly (readonly Cell[])[]> {
    const { rows } = await this.client.query<Cell[]>({
      name: nameOf(sql),
      text: sql,
      values: [parameter],
      rowMode: 'array',
    });
    return rows;
  }
}

const names = new Map<string, string>();

/** A name for a statement: with one, each connection plans it once, which takes as long as running it. */
function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = `stakeport_${names.size + 1}`;
  names.set(sql, name);
  return name;
}
