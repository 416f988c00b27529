import { driverCodeOf, isPoolExhausted } from './fault.js';
import { isConnectionLost } from './postgres-errors.js';

const LOCKED = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED']);
/** Postgres: a statement or a lock took too long, the server stops or starts, no connection is free. */
const BUSY = new Set(['57014', '55P03', '57P01', '57P02', '57P03', '53300']);

/** Why a database gave no answer in time, in our own words; null for an error that is an answer. */
export function silenceOf(error: unknown): string | null {
  const code = driverCodeOf(error);
  if (LOCKED.has(code)) return 'another program keeps it locked';
  if (BUSY.has(code)) return `it is busy, starting or stopping (${code})`;
  if (isPoolExhausted(error)) return 'no connection could be made in time';
  if (!code.startsWith('SQLITE_') && !isOfFile(error) && isConnectionLost(error))
    return code === '' ? 'the connection was lost, or no answer came in time' : `there is no connection (${code})`;
  return error instanceof Error && error.cause !== undefined ? silenceOf(error.cause) : null;
}

const isOfFile = (error: unknown): boolean => error instanceof Error && 'path' in error;
