import type { Scope } from '../../core/ledger/decision.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import { StorageFault } from './fault.js';
import { SnapshotLoader } from './snapshot-loader.js';
import type { Reads, Store } from './store.js';

/** Scopes of one snapshot. */
const TOGETHER = 64;

interface Waiting {
  readonly scope: Scope;
  read(set: WorkingSet): void;
  failed(error: unknown): void;
}

/**
 * Reads records as of one moment, without the locks under which they are changed. Scopes that are asked for in one turn of the event
 * loop, or while no connection is free, share a snapshot: many small reads at once wait for a few statements, and not for each other.
 */
export class SnapshotReader {
  readonly #loader: SnapshotLoader;
  readonly #waiting: Waiting[] = [];

  constructor(private readonly store: Pick<Store, 'dialect' | 'snapshot'>) {
    this.#loader = new SnapshotLoader({ ...store.dialect, shared: '' });
  }

  /** What the scope names, and perhaps more. @throws StorageFault */
  load(scope: Scope): Promise<WorkingSet> {
    return new Promise((read, failed) => {
      const isFirst = this.#waiting.push({ scope, read, failed }) === 1;
      if (isFirst) this.#next();
    });
  }

  #next(): void {
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    let early = this.#waiting.length;
    let taken: readonly Waiting[] = [];
    try {
      const set = await this.store.snapshot((reads) => {
        early = 0;
        taken = this.#take();
        if (this.#waiting.length > 0) this.#next();
        return this.#load(reads, taken);
      });
      for (const { read } of taken) read(set);
    } catch (error) {
      await this.#separately(taken, error);
      // There was no connection. Those who came later have not waited as long.
      for (const { failed } of this.#waiting.splice(0, early)) failed(error);
      if (early > 0 && this.#waiting.length > 0) this.#next();
    }
  }

  /** Those that came first; all that an account holds is read by itself, so that nobody waits for the rows of another. */
  #take(): readonly Waiting[] {
    const [first] = this.#waiting;
    if (first !== undefined && isWide(first.scope)) return this.#waiting.splice(0, 1);
    const next = this.#waiting.findIndex(({ scope }, at) => at === TOGETHER || isWide(scope));
    return this.#waiting.splice(0, next === -1 ? this.#waiting.length : next);
  }

  #load(reads: Reads, waiting: readonly Waiting[]): Promise<WorkingSet> {
    return this.#loader.load(
      reads,
      waiting.map(({ scope }) => scope),
    );
  }

  /** A scope that the database cannot even read fails alone, and not those that happened to be asked for beside it. */
  async #separately(taken: readonly Waiting[], error: unknown): Promise<void> {
    const isOfOne = error instanceof StorageFault && error.kind === 'refused' && taken.length > 1;
    for (const one of taken) {
      if (isOfOne) await this.store.snapshot((reads) => this.#load(reads, [one])).then(one.read, one.failed);
      else one.failed(error);
    }
  }
}

/** True of what grows with all that an account ever did. */
const isWide = ({ holdings, risks = [] }: Scope): boolean =>
  holdings !== undefined || risks.some(({ strategyId }) => strategyId === null);
