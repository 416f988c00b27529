import { DomainError, InvariantBroken, StorageUnavailable } from '../../core/errors.js';
import type { AccountId } from '../../core/ids.js';

/**
 * What a failure of the database means for the work that it interrupted.
 * `conflict`: nothing was stored, a retry may succeed. `refused`: the database rejects a record as wrong.
 * `unavailable`: no answer now. `broken`: the process can no longer rely on its view of the database.
 */
export type FaultKind = 'conflict' | 'refused' | 'unavailable' | 'broken';

/** A classified failure of the database. Never leaves this folder: callers get `asDomainError`. */
export class StorageFault extends Error {
  constructor(
    readonly kind: FaultKind,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'StorageFault';
  }
}

/** A conflict, because these accounts are no longer as they were when a group was decided. */
export class VersionConflict extends StorageFault {
  constructor(readonly accounts: readonly AccountId[]) {
    super('conflict', new Error('another writer was faster'));
  }
}

const FULL = ['SQLITE_FULL', '53100'];

/** What callers of the ledger see of a fault; the database's own message is in `cause`, for the log only. */
export function asDomainError(fault: StorageFault): DomainError {
  if (fault.cause instanceof DomainError) return fault.cause;
  const error =
    fault.kind === 'refused' ? new InvariantBroken('the database refuses the record') : new StorageUnavailable();
  error.cause = fault.cause;
  return error;
}

/** The `code` that database and socket errors carry; the empty string where there is none. */
export function driverCodeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** True when no connection of the pool became free in time. */
export function isPoolExhausted(error: unknown): boolean {
  return error instanceof Error && error.name === 'KnexTimeoutError';
}

/** True when the disk or its quota was full. */
export function isFull(error: unknown): boolean {
  return FULL.includes(driverCodeOf(error));
}
