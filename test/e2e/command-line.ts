import { command } from '../cli/in-process.js';
import { SERVER, type Start, startProgram } from '../support/processes.js';

/** What a command wrote, and its exit code. */
export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** Runs `stakeport` with these arguments to its end. */
export async function stakeport(start: Start, ...args: readonly string[]): Promise<Outcome> {
  const program = startProgram(process.execPath, { ...start, args: [SERVER, ...args] });
  const { code } = await program.ended;
  return { code, output: program.output() };
}

/** A key, as `keys create --json` prints it. */
export interface PrintedKey {
  readonly id: string;
  readonly key: string;
  readonly account: string;
  readonly scopes: readonly string[];
}

/** Makes a key with the command line, in this process. */
export async function createKey(
  { env = {} }: Pick<Start, 'env'>,
  account: string,
  scopes: string,
  ...more: readonly string[]
): Promise<PrintedKey> {
  const words = ['keys', 'create', '--account', account, '--scopes', scopes, '--json', ...more];
  const { code, output } = await command(env, ...words);
  if (code !== 0) throw new Error(output);
  return JSON.parse(output) as PrintedKey;
}
