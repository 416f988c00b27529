import { type Running, startProgram, testProgram } from '../../support/processes.js';

/** The arguments of Node that run the program, which opens a ledger in a process of its own. */
export const ledgerArguments = (...args: readonly string[]): string[] => [testProgram('hold-ledger'), ...args];

/** Opens a ledger in a process of its own: as a server does, or as the command line does. */
export function startLedger(url: string, how: 'exclusive' | 'shared'): Running {
  return startProgram(process.execPath, { args: ledgerArguments(url, how) });
}

/** What the program says once it has the ledger. */
export const OPEN = /the ledger is open/;
