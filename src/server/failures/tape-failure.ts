import { TapeUnreadable } from '../../adapters/tape/tape-unreadable.js';
import { CommandFailed } from './command-failed.js';
import { EXIT, type ExitCode } from './exit-codes.js';

/** Errors of the operating system for resources that may be available again later. */
export const SCARCE: readonly string[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO'];

/** Why a tape cannot be used, named as the user named it; an error of this program is returned as it is. */
export function tapeFailure(error: unknown, named: string, exit: ExitCode = EXIT.config): unknown {
  if (error instanceof TapeUnreadable) return new CommandFailed(`${named}: ${error.message}.`, exit, error);
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  if (SCARCE.includes(String(error.code)))
    return new CommandFailed(`${named}: ${error.message}.`, EXIT.unavailable, error);
  const why = error.code === 'ENOENT' ? 'there is no such file or folder' : `the file cannot be used (${error.code})`;
  const where = `A path is relative to the working directory, ${process.cwd()}`;
  return new CommandFailed(`${named}: ${why}. ${where}.`, exit, error);
}
