import { afterEach, vi } from 'vitest';
import { createProgram } from '../../src/cli/cli.js';
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
  outcomeOf(() => createProgram().parseAsync(args, { from: 'user' }));
