import type { Bookmarks } from './bookmarks.js';
import type { ExternalOrders } from './external-orders.js';
import type { JobQueue } from './job-queue.js';
import type { KeyStore } from './key-store.js';
import type { Leasing } from './leases.js';
import type { Ledger } from './ledger.js';
import type { SessionKeeping } from './session-store.js';

/** Everything that a server keeps, in one place. */
export interface WholeStore extends Ledger, KeyStore, JobQueue, Bookmarks, ExternalOrders, Leasing, SessionKeeping {}
