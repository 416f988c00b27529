import { asDomainError, isFull, type StorageFault } from './fault.js';

const FULL_FOR_MS = 10_000;

/** What the failures of a database say about it. */
export class Health {
  #broken: StorageFault | null = null;
  #full: { readonly fault: StorageFault; readonly until: number } | null = null;
  #lose: (why: unknown) => void = () => {};
  /** Resolves with the database's error once only a restart of the process can help. */
  readonly lost = new Promise<unknown>((resolve) => {
    this.#lose = resolve;
  });

  /** The failure that only a restart of the process can repair. */
  get broken(): StorageFault | null {
    return this.#broken;
  }

  /** @throws StorageUnavailable after a failure that only a restart of the process can repair. */
  check(): void {
    if (this.#broken !== null) throw asDomainError(this.#broken);
  }

  /** Returns how a write failed, and refuses further ones if only a restart of the process can help. */
  note(fault: StorageFault): StorageFault {
    if (fault.kind === 'broken') {
      this.#broken ??= fault;
      this.#lose(fault.cause);
    }
    return fault;
  }

  /** A group could not be stored. */
  failed(fault: StorageFault): void {
    this.note(fault);
    if (isFull(fault.cause)) this.#full = { fault, until: performance.now() + FULL_FOR_MS };
  }

  /** A group was stored. */
  stored(): void {
    this.#full = null;
  }

  /** @throws StorageUnavailable when a group found no room some seconds ago, and none was stored since. */
  checkRoom(): void {
    if (this.#full !== null && performance.now() < this.#full.until) throw asDomainError(this.#full.fault);
  }
}
