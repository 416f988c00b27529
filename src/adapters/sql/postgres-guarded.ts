import type { Client } from 'pg';
import { SERVICE } from '../../core/account/account.js';
import type { AccountId } from '../../core/ids.js';
import type { Scope } from '../../core/ledger/decision.js';
import { type Cell, textIn } from './columns.js';
import { askUntilKnown } from './commit-outcome.js';
import { StorageFault, VersionConflict } from './fault.js';
import { isDefinite } from './postgres-errors.js';
import { dispose, type Pooled } from './postgres-pool.js';
import { COMPARING, ENDING, FINDING, FORGETTING, storingGuarded } from './postgres-storing.js';
import { nameOf, PostgresTransaction } from './postgres-transaction.js';
import type { GuardedStore, Version, Versions } from './store.js';
import type { Change, Wanted } from './table.js';
import type { WriterName } from './writer-name.js';

/** Runs work on a connection. @throws StorageFault */
export type Connected = <T>(use: (client: Pooled) => Promise<T>) => Promise<T>;

const VERSIONS = 'select id, version from accounts where id = any ($1::text[])';

interface Answer {
  readonly row: readonly Cell[];
  /** Why it was lost. */
  readonly lost?: unknown;
}

/**
 * Stores groups of one Postgres database, each with one statement under the versions of its accounts. Every writer names a
 * new version for each account that it writes; for those who do not, the database does.
 */
export class PostgresGuarded implements GuardedStore {
  #isFirst = true;

  constructor(
    private readonly connected: Connected,
    private readonly writer: WriterName,
    /** Called after each commit. */
    private readonly committed: () => void,
  ) {}

  versions(accounts: readonly AccountId[]): Promise<Versions> {
    return this.connected(async (client) => {
      const found = await read(client, accounts);
      const missing = accounts.filter((account) => !found.has(account));
      if (missing.length === 0) return found;
      await new PostgresTransaction(client).introduce([...missing].sort());
      return new Map([...found, ...(await read(client, missing))]);
    });
  }

  /** A lease and a job may be taken by others, who lock no account. What holds for every account is compared, and not locked. */
  needsTransaction({ lease, jobs = [], logs = [] }: Scope): boolean {
    return lease !== undefined || jobs.length > 0 || logs.includes(SERVICE);
  }

  async store(changes: readonly Change[], versions: Versions): Promise<Version | null> {
    const [accounts, given] = [[...versions.keys()], [...versions.values()]];
    if (changes.length === 0) {
      hold((await this.connected((client) => run(client, COMPARING, [accounts, given]))) ?? []);
      return null;
    }
    const [number, version] = this.writer.next();
    const sql = storingGuarded(changes.map(([table]) => table));
    const rows = changes.map(([, json]) => json);
    const { row, lost } = await this.#send(sql, [accounts, version, given, this.writer.name, number, ...rows]);
    if (lost === undefined) hold(row);
    else if (!(await this.#isStored(number))) throw new StorageFault('conflict', lost);
    this.committed();
    return version;
  }

  read(wanted: readonly Wanted[]): Promise<void> {
    return this.connected((client) => new PostgresTransaction(client).read(wanted));
  }

  #send(sql: string, values: readonly unknown[]): Promise<Answer> {
    return this.connected(async (client) => {
      if (this.#isFirst) await client.query(FORGETTING);
      this.#isFirst = false;
      try {
        return { row: await run(client, sql, values, 'group') };
      } catch (lost) {
        if (isDefinite(lost)) throw lost;
        dispose(client, lost);
        return { row: [], lost };
      }
    });
  }

  /**
   * Whether a statement that got no answer took place. One that the server still runs, or has not received yet, is ended first:
   * a group is marked only once, and a second mark waits for the first. @throws StorageFault when it cannot be determined
   */
  #isStored(number: number): Promise<boolean> {
    const group = [this.writer.name, number];
    return askUntilKnown(() =>
      this.connected(async (client) => {
        await run(client, ENDING, group);
        const [stored] = await run(client, FINDING, group);
        return typeof stored === 'boolean' ? stored : 'never known';
      }),
    );
  }
}

/** @throws VersionConflict unless all versions hold */
function hold([holds, others]: readonly Cell[]): void {
  if (holds !== true) throw new VersionConflict(JSON.parse(textIn(others)));
}

async function read(client: Client, accounts: readonly AccountId[]): Promise<Map<AccountId, Version>> {
  const { rows } = await client.query<[AccountId, Version]>({
    name: nameOf(VERSIONS),
    text: VERSIONS,
    values: [accounts],
    rowMode: 'array',
  });
  return new Map(rows);
}

async function run(client: Client, text: string, values: readonly unknown[], kind = ''): Promise<readonly Cell[]> {
  const { rows } = await client.query<Cell[]>({
    name: nameOf(text, kind),
    text,
    values: [...values],
    rowMode: 'array',
  });
  return rows[0] ?? [];
}
