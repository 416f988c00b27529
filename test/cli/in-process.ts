import { afterEach, vi } from 'vitest';
import { createProgram, runProgram } from '../../src/cli/cli.js';
import { failureOf } from '../../src/server/failures/failure.js';
import { VARIABLES } from '../../src/server/settings/settings.js';

/** What a command printed, its exit code, and its error as the command line prints it. */
export interface Outcome {
  readonly code: number;
  readonly printed: string;
  readonly error: string;
}

const write = process.stdout.write;
afterEach(() => {
  process.stdout.write = write;
  process.exitCode = undefined;
  vi.unstubAllEnvs();
});

/** Nothing else is set, regardless of the shell that runs the tests. */
export function inEnvironment(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries({ ...Object.fromEntries(VARIABLES.map((one) => [one, ''])), ...env })) {
    vi.stubEnv(name, value);
  }
}

/** What a command, or a part of one, prints; an error as the command line prints it. */
export async function outcomeOf(use: () => Promise<unknown>): Promise<Outcome> {
  let printed = '';
  process.stdout.write = (text: string | Uint8Array) => {
    printed += text;
    return true;
  };
  try {
    await use();
    return { code: 0, printed, error: '' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { code: failure.exit, printed, error: failure.message };
  } finally {
    process.stdout.write = write;
  }
}

/** Runs `stakeport` with these arguments in this process. */
export const stakeport = (...args: string[]): Promise<Outcome> =>
  outcomeOf(async () => (await createProgram()).parseAsync(args, { from: 'user' }));

/** What a program of its own would write, to both of its outputs, and its exit code. */
export interface Written {
  readonly code: number;
  readonly output: string;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `stakeport` with this environment and these arguments in this process, which saves the start of a program. One command
 * waits for the one before: outputs and environment belong to the process.
 */
export function command(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Written> {
  const written = last.then(() => runAlone(env, args));
  last = written.catch(() => {});
  return written;
}

async function runAlone(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<Written> {
  inEnvironment(env);
  const { write: writeError } = process.stderr;
  let refusal = '';
  process.stderr.write = (text: string | Uint8Array) => {
    refusal += text;
    return true;
  };
  try {
    const { code, printed, error } = await outcomeOf(() => runProgram(args));
    const exit = code === 0 ? Number(process.exitCode ?? 0) : code;
    return { code: exit, output: printed + refusal + (error === '' ? '' : `${error}\n`) };
  } finally {
    process.stderr.write = writeError;
    process.exitCode = undefined;
    vi.unstubAllEnvs();
  }
}
