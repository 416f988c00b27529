import type { JobChange } from '../../core/ledger/job.js';
import { as, fromNow, textColumn, wholeColumn } from './columns.js';
import { table } from './table.js';

/**
 * Jobs by the order that they are about. One that is done keeps its number, so that nobody who comes late can use it. When it is
 * due matters to nobody but those who take jobs.
 */
export const JOBS = table<JobChange>(
  'order_jobs',
  { account: textColumn(), orderId: textColumn(), fence: wholeColumn(), inMs: as('due_at', fromNow()) },
  { key: ['account', 'order_id'] },
);
