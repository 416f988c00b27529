import { join } from 'node:path';
import { ROOT } from '../../support/build.js';
import { type Running, startProgram } from '../../support/processes.js';

const PROGRAM = join(ROOT, 'test/adapters/sql/programs/hold-ledger.ts');

/** The arguments of Node that run the program, which opens a ledger in a process of its own. */
export const ledgerArguments = (...args: readonly string[]): string[] => ['--import', 'tsx', PROGRAM, ...args];

/** Opens a ledger in a process of its own: as a server does, or as the command line does. */
export function startLedger(url: string, how: 'exclusive' | 'shared'): Running {
  return startProgram(process.execPath, { args: ledgerArguments(url, how), cwd: ROOT });
}

/** What the program says once it has the ledger. */
export const OPEN = /the ledger is open/;
