import { DatabaseGone } from '../../adapters/sql/index.js';
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
 * An error of a user or of the world in words for a person, with the exit code that goes with it; null for an error of this
 * program, whose stack tells where it is.
 */
export function failureOf(error: unknown): CommandFailed | null {
  const isOfDatabase = error instanceof StorageUnavailable || error instanceof DatabaseGone;
  const told = isOfDatabase ? databaseFailure(error) : error;
  if (!(told instanceof Error) || told instanceof InvariantBroken) return null;
  if (told instanceof CommandFailed) return told;
  const exit = exitOf(told);
  if (exit === null) return null;
  const more = told instanceof ConfigInvalid ? '\nstakeport --help explains every variable.' : '';
  return new CommandFailed(`${told.message}${more}`, exit, told);
}

function exitOf(error: Error): ExitCode | null {
  if (error instanceof ConfigInvalid) return EXIT.config;
  if (error instanceof VenueUnusable) return error.isPassing ? EXIT.unavailable : EXIT.config;
  if (SILENT.some((silence) => error instanceof silence)) return EXIT.unavailable;
  if (error instanceof DomainError) return EXIT.no;
  if (!('syscall' in error && 'code' in error)) return null;
  return SCARCE.includes(String(error.code)) ? EXIT.unavailable : EXIT.config;
}
