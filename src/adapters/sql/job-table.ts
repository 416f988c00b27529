import type { JobChange } from '../../core/ledger/job.js';
import { as, fromNow, textColumn, wholeColumn } from './columns.js';
import { table } from './table.js';

/**
 * Jobs by their order. A finished one keeps its fencing number, so that no late worker can use it. Only workers use the due
 * time.
 */
export const JOBS = table<JobChange>(
  'order_jobs',
  { account: textColumn(), orderId: textColumn(), fence: wholeColumn(), inMs: as('due_at', fromNow()) },
  { key: ['account', 'order_id'] },
);
