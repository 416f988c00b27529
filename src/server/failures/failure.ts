import { DatabaseGone } from '../../adapters/sql/database-gone.js';
import {
  DomainError,
  ExchangeUnavailable,
  InvariantBroken,
  MarketDataUnavailable,
  StorageUnavailable,
} from '../../core/errors.js';
import { VenueUnusable } from '../../core/venue-unusable.js';
import { ConfigInvalid } from '../settings/config.js';
import { CommandFailed } from './command-failed.js';
import { databaseFailure } from './database-failure.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { SCARCE } from './tape-failure.js';

const SILENT = [StorageUnavailable, ExchangeUnavailable, MarketDataUnavailable];

/**
 * A user error or an outside failure, worded for a person and with its exit code; null for a bug of this program, whose
 * stack shows where it is.
 */
export function failureOf(error: unknown): CommandFailed | null {
  const isOfDatabase = error instanceof StorageUnavailable || error instanceof DatabaseGone;
  const known = isOfDatabase ? databaseFailure(error) : error;
  if (!(known instanceof Error) || known instanceof InvariantBroken) return null;
  if (known instanceof CommandFailed) return known;
  const exit = exitOf(known);
  if (exit === null) return null;
  const more = known instanceof ConfigInvalid ? '\nstakeport --help explains every variable.' : '';
  return new CommandFailed(`${known.message}${more}`, exit, known);
}

function exitOf(error: Error): ExitCode | null {
  if (error instanceof ConfigInvalid) return EXIT.config;
  if (error instanceof VenueUnusable) return error.isPassing ? EXIT.unavailable : EXIT.config;
  if (SILENT.some((silence) => error instanceof silence)) return EXIT.unavailable;
  if (error instanceof DomainError) return EXIT.no;
  if (!('syscall' in error && 'code' in error)) return null;
  return SCARCE.includes(String(error.code)) ? EXIT.unavailable : EXIT.config;
}
