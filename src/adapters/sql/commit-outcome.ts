import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { StorageFault } from './fault.js';

/** Beyond the server's limit for idle transactions: by then it has ended the transaction of a lost connection. */
const RESOLVE_MS = 12_000;
const RESOLVE_STEP_MS = 100;

/** Names one transaction of one history of the server: after a failover the same number can be another transaction. */
export interface CommitMark {
  readonly xid: string;
  readonly timeline: string;
}

const TIMELINE = 'left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)';

/** The select list that reads the mark of the transaction it runs in. */
export const MARK = `pg_current_xact_id()::text as xid, ${TIMELINE} as timeline`;

/** `open`: the server has not noticed yet that the connection is gone. `never known`: it cannot be determined here. */
export type CommitFinding = boolean | 'open' | 'never known';

/**
 * Asks the server for the outcome of a transaction whose COMMIT got no answer. Postgres keeps the outcome of every recent
 * transaction for this purpose, so no row of our own has to be written.
 */
export async function hasLanded(client: Client, mark: CommitMark | null): Promise<CommitFinding> {
  if (mark === null) return 'never known';
  const { rows } = await client.query<{ status: string | null; timeline: string }>(
    `select pg_xact_status($1::text::xid8) as status, ${TIMELINE} as timeline`,
    [mark.xid],
  );
  const [row] = rows;
  if (row === undefined || row.timeline !== mark.timeline) return 'never known';
  if (row.status === 'in progress') return 'open';
  return row.status === null ? 'never known' : row.status === 'committed';
}

/** Asks again while the outcome is open, or there is no answer. @throws StorageFault when it cannot be determined. */
export async function askUntilKnown(ask: () => Promise<CommitFinding>): Promise<boolean> {
  const until = performance.now() + RESOLVE_MS;
  for (;;) {
    const found = await ask().catch((fault: StorageFault) => fault);
    if (found === true || found === false) return found;
    if (performance.now() > until || found === 'never known') throw new StorageFault('unavailable', found);
    await delay(RESOLVE_STEP_MS);
  }
}
