import { DomainError } from '../../core/errors.js';
import { driverCodeOf, isPoolExhausted, StorageFault } from './fault.js';

/** Classifies what SQLite, or the pool of its connections, threw. */
export function faultOf(error: unknown): StorageFault {
  return error instanceof StorageFault ? error : new StorageFault(kindOf(error), error);
}

function kindOf(error: unknown): StorageFault['kind'] {
  if (error instanceof DomainError) return 'refused';
  if (isPoolExhausted(error)) return 'unavailable';
  switch (driverCodeOf(error)) {
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return 'conflict';
    case 'SQLITE_CONSTRAINT':
    case 'SQLITE_MISMATCH':
    case 'SQLITE_TOOBIG':
      return 'refused';
    // After a failed sync the page cache may hold what the disk does not have; a second sync would report success.
    case 'SQLITE_IOERR':
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return 'broken';
    default:
      return 'unavailable';
  }
}
