import type { Scope } from '../../core/ledger/decision.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import { SnapshotLoader } from './snapshot-loader.js';
import type { Store } from './store.js';

/** Reads records as of one moment, without the locks under which they are changed. */
export class SnapshotReader {
  readonly #loader: SnapshotLoader;

  constructor(private readonly store: Store) {
    this.#loader = new SnapshotLoader({ ...store.dialect, shared: '' });
  }

  /** What the scope names. @throws StorageFault */
  load(scope: Scope): Promise<WorkingSet> {
    return this.store.snapshot((reads) => this.#loader.load(reads, [scope]));
  }
}
