import type { StoreWatch } from '../../ports/ledger.js';

/** What only some processes do; nothing by default. */
export interface LedgerTerms {
  /** Whether what is remembered is compared with the database after every group of writes. */
  readonly isProven?: boolean | undefined;
  /** Whether other processes are notified of new events at once. */
  readonly isServer?: boolean;
  /** Notified of what is stored, and of what fails. */
  readonly watch?: StoreWatch | undefined;
}
