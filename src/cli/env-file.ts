import { CommandFailed } from '../server/failures/command-failed.js';
import { EXIT } from '../server/failures/exit-codes.js';

const OPTION = '--env-file';

/**
 * Reads the files that `--env-file` names before the command, and returns the arguments without them. A variable that is set
 * already keeps its value, so of two files the first wins. @throws CommandFailed
 */
export function withEnvFiles(args: readonly string[]): readonly string[] {
  const [first, ...rest] = args;
  if (first === OPTION) {
    const [path, ...more] = rest;
    if (path === undefined) throw new CommandFailed(`${OPTION} takes a file. See stakeport --help`, EXIT.usage);
    load(path);
    return withEnvFiles(more);
  }
  if (first?.startsWith(`${OPTION}=`) === true) {
    load(first.slice(OPTION.length + 1));
    return withEnvFiles(rest);
  }
  return args;
}

function load(path: string): void {
  try {
    process.loadEnvFile(path);
  } catch (error) {
    throw new CommandFailed(`${OPTION} names a file that cannot be read: ${path} (${error}).`, EXIT.config, error);
  }
}
