import { DomainError } from '../../core/errors.js';
import { driverCodeOf, type FaultKind, isPoolExhausted } from './fault.js';

/** Deadlock, serialization, lock timeout, and a server that is stopping, starting or out of connections. */
const PASSING = new Set(['40001', '40P01', '55P03', '57P01', '57P02', '57P03', '53300']);
const CONNECTION_CLASS = '08';
/** Data that a type cannot hold, and constraints. */
const WRONG_CLASSES = ['22', '23'];
const SOCKET = /^E[A-Z]+$/;
/** The driver's own errors for a connection that ended or went silent have no code. */
const LOST = /connection|queryable|timeout/i;

/** Classifies an error from before COMMIT was sent: nothing was stored. */
export function kindOf(error: unknown): FaultKind {
  if (error instanceof DomainError) return 'refused';
  if (isPoolExhausted(error)) return 'unavailable';
  const code = driverCodeOf(error);
  if (isConnectionLost(error) || PASSING.has(code) || code.startsWith(CONNECTION_CLASS)) return 'conflict';
  return severityOf(error) !== '' && WRONG_CLASSES.includes(code.slice(0, 2)) ? 'refused' : 'unavailable';
}

/** True when the server itself reported that the statement failed, and the connection continues: nothing was committed. */
export const isDefinite = (error: unknown): boolean => severityOf(error) === 'ERROR';

/** True when the connection ended, was never made, or went silent. */
export function isConnectionLost(error: unknown): boolean {
  const severity = severityOf(error);
  if (severity !== '') return severity !== 'ERROR';
  return error instanceof Error && (SOCKET.test(driverCodeOf(error)) || LOST.test(error.message));
}

/** How the server rates its own error; the empty string for an error that is not the server's. */
function severityOf(error: unknown): string {
  if (!(error instanceof Error) || !('severity' in error)) return '';
  return String(error.severity);
}
