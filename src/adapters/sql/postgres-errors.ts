import { DomainError } from '../../core/errors.js';
import { codeOf, type FaultKind, isPoolExhausted } from './fault.js';

/** Deadlock, serialization, lock timeout, and a server that goes away, comes back or has no connection free. */
const PASSING = new Set(['40001', '40P01', '55P03', '57P01', '57P02', '57P03', '53300']);
const CONNECTION_CLASS = '08';
/** Data that a type cannot hold, and constraints. */
const WRONG_CLASSES = ['22', '23'];
const SOCKET = /^E[A-Z]+$/;
/** The driver's own errors for a connection that ended, or fell silent, carry no code. */
const LOST = /connection|queryable|timeout/i;

/** What an error means that came before COMMIT was sent: nothing was stored. */
export function kindOf(error: unknown): FaultKind {
  if (error instanceof DomainError) return 'refused';
  if (isPoolExhausted(error) || !(error instanceof Error)) return 'unavailable';
  const code = codeOf(error);
  if (!('severity' in error)) return SOCKET.test(code) || LOST.test(error.message) ? 'conflict' : 'unavailable';
  if (PASSING.has(code) || code.startsWith(CONNECTION_CLASS)) return 'conflict';
  return WRONG_CLASSES.includes(code.slice(0, 2)) ? 'refused' : 'unavailable';
}

/** True when the server itself said that the statement failed, and lives on: then nothing was committed. */
export function isDefinite(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}
