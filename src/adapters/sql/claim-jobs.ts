import type { AccountId, OrderId } from '../../core/ids.js';
import type { Job } from '../../core/ledger/job.js';
import { type Dialect, postgresDialect, sqliteDialect } from './dialect.js';
import type { Store } from './store.js';

interface Claimed {
  readonly account: string;
  readonly order_id: string;
  readonly fence: number | string;
}

/** Takes up to a number of due jobs, each for a number of milliseconds. */
function claiming({ now, skipLocked }: Dialect): string {
  const due = `select account, order_id from order_jobs where due_at <= ${now} order by due_at limit ? ${skipLocked}`;
  return `update order_jobs set due_at = ${now} + ?, fence = fence + 1
    where (account, order_id) in (${due}) returning account, order_id, fence`;
}

const SQLITE = claiming(sqliteDialect);
const POSTGRES = claiming(postgresDialect);

/** Takes due jobs, each for the duration of the lease, and skips those that another process is taking. */
export async function claimJobs({ writer, dialect }: Store, limit: number, leaseMs: number): Promise<readonly Job[]> {
  const bindings = [leaseMs, limit];
  const rows: readonly Claimed[] =
    dialect.name === 'postgres' ? (await writer.raw(POSTGRES, bindings)).rows : await writer.raw(SQLITE, bindings);
  return rows.map(({ account, order_id, fence }) => ({
    account: account as AccountId,
    orderId: order_id as OrderId,
    fence: Number(fence),
  }));
}
