import { CommanderError } from 'commander';
import { afterEach, vi } from 'vitest';
import type { Terminal } from '../../../src/cli/api/terminal.js';
import { createProgram } from '../../../src/cli/cli.js';
import { failureOf } from '../../../src/server/failures/failure.js';

/** What a command printed on each output, and its exit code. */
export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A person who gives these answers, one after another, or nobody. */
export function person(...answers: readonly string[]): Terminal & { readonly questions: string[] } {
  const [left, questions] = [[...answers], [] as string[]];
  const ask = async (question: string) => {
    questions.push(question);
    return left.shift() ?? '';
  };
  return { isInteractive: answers.length > 0, ask, askHidden: ask, questions };
}

const { stdout, stderr } = process;
const [out, err] = [stdout.write, stderr.write];
afterEach(() => {
  Object.assign(stdout, { write: out });
  Object.assign(stderr, { write: err });
  vi.unstubAllEnvs();
});

/** Nothing of the shell that runs the tests names a server, or has a say about colours. */
export function against(env: Readonly<Record<string, string>>): void {
  const none = { STAKEPORT_URL: '', STAKEPORT_KEY: '', XDG_CONFIG_HOME: '/nowhere', NO_COLOR: '1' };
  for (const [name, value] of Object.entries({ ...none, ...env })) vi.stubEnv(name, value);
}

/** Runs `stakeport` with these arguments in this process, before this person. */
export async function asked(terminal: Terminal, ...args: readonly string[]): Promise<Said> {
  const said = { code: 0, out: '', err: '' };
  const into = (name: 'out' | 'err') => (text: string | Uint8Array) => {
    said[name] += text;
    return true;
  };
  Object.assign(stdout, { write: into('out') });
  Object.assign(stderr, { write: into('err') });
  try {
    await (await createProgram(terminal)).parseAsync(args, { from: 'user' });
  } catch (error) {
    const failure = failureOf(error);
    if (failure !== null) Object.assign(said, { code: failure.exit, err: `${said.err}${failure.message}\n` });
    else if (error instanceof CommanderError) said.code = error.exitCode === 0 ? 0 : 64;
    else throw error;
  } finally {
    Object.assign(stdout, { write: out });
    Object.assign(stderr, { write: err });
  }
  return said;
}

/** Runs `stakeport` where nobody can be asked. */
export const stakeport = (...args: readonly string[]): Promise<Said> => asked(person(), ...args);
