import type { AccountId, OrderId } from '../../core/ids.js';
import type { JobChange } from '../../core/ledger/job.js';
import { text, whole } from './cells.js';
import type { Table } from './tables.js';

/** Jobs by the order that they are about. One that is done keeps its number, so that nobody who comes late can use it. */
export const JOBS: Table<JobChange> = {
  name: 'order_jobs',
  columns: { account: 'text', order_id: 'text', fence: 'integer', due_at: 'delay' },
  key: ['account', 'order_id'],
  replaced: ['fence', 'due_at'],
  encode: ({ account, orderId, fence, inMs }) => [account, orderId, fence, inMs],
  // When it is due matters to nobody but those who take jobs.
  decode: ([account, orderId, fence]) => ({
    account: text(account) as AccountId,
    orderId: text(orderId) as OrderId,
    fence: whole(fence),
    inMs: null,
  }),
};
