import { DomainError } from '../../core/errors.js';
import type { DatabaseErrorKind, StoreWatch } from '../../ports/ledger.js';
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

  constructor(private readonly watch?: StoreWatch) {}

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
    this.#judge(this.saw(fault));
    return fault;
  }

  /** Reports a failure of what is not repeated, and returns it. */
  saw(fault: StorageFault): StorageFault {
    this.#report(fault, fault.kind === 'conflict' ? 'unavailable' : fault.kind);
    return fault;
  }

  /** Reports a failure of a group, which is repeated after a conflict, and returns it. */
  sawInGroup(fault: StorageFault): StorageFault {
    this.#report(fault, fault.kind);
    return fault;
  }

  /** A group could not be stored, after a failure that was seen. */
  failed(fault: StorageFault): void {
    this.#judge(fault);
    // A group is not repeated after this.
    if (fault.kind === 'conflict') this.saw(fault);
    if (isFull(fault.cause)) this.#full = { fault, until: performance.now() + FULL_FOR_MS };
  }

  /** A group of so many writes was stored; `since` is when that began, in the time of `performance.now`. */
  stored(writes: number, since: number): void {
    this.#full = null;
    this.watch?.committed(writes, performance.now() - since);
  }

  /** @throws StorageUnavailable when a group found no room some seconds ago, and none was stored since. */
  checkRoom(): void {
    if (this.#full !== null && performance.now() < this.#full.until) throw asDomainError(this.#full.fault);
  }

  /** What the caller did wrong is no failure of the database. */
  #report({ cause }: StorageFault, kind: DatabaseErrorKind): void {
    if (!(cause instanceof DomainError)) this.watch?.failed(kind);
  }

  #judge(fault: StorageFault): void {
    if (fault.kind !== 'broken') return;
    this.#broken ??= fault;
    this.#lose(fault.cause);
  }
}

const GOOD_FOR_MS = 1000;

/**
 * Writes and keeps one row, the same each time; only a write shows whether there is room for one. It is as large as what two
 * orders take, because a log that has grown keeps room for a small row on a full disk.
 */
export const SQLITE_WRITING = writing('? || hex(randomblob(65536))');
/** What proves that Postgres takes writes: a small row, since it keeps what a row was. */
export const POSTGRES_WRITING = writing('?');

/** What these statements take. */
export const writingNow = (): string[] => [new Date().toISOString()];

function writing(value: string): string {
  const row = `insert into bookmarks (name, at) values ('readiness', ${value})`;
  return `${row} on conflict (name) do update set at = excluded.at`;
}

/** Knows whether a database takes writes, and has it write for that at most once a second, however many ask. */
export class WriteProof {
  #provenAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;

  constructor(private readonly write: () => Promise<unknown>) {}

  /** Something was committed just now. */
  renew(): void {
    this.#provenAt = performance.now();
  }

  /** Something could not be committed just now. */
  doubt(): void {
    this.#provenAt = Number.NEGATIVE_INFINITY;
  }

  /** @throws what the database says when it takes no write */
  async ask(): Promise<void> {
    if (performance.now() - this.#provenAt < GOOD_FOR_MS) return;
    this.#asking ??= this.#prove().finally(() => {
      this.#asking = null;
    });
    await this.#asking;
  }

  async #prove(): Promise<void> {
    await this.write();
    this.renew();
  }
}
