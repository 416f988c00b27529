import { VERSION } from '../adapters/system/version.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';

/**
 * Runs `stakeport` with these arguments; reports a failure in one line on standard error, and by the exit code. A server loads
 * no commands, and a command no server.
 */
export async function runCommandLine(given: readonly string[]): Promise<void> {
  try {
    const args = withEnvFiles(given);
    if (args.length === 1 && args[0] === '--version') process.stdout.write(`${VERSION}\n`);
    else if (isPlainServe(args)) await (await import('../server/http/run-server.js')).runServer();
    else await (await import('./cli.js')).runProgram(args);
  } catch (error) {
    const failure = error instanceof CommandFailed ? error : await failureIn(error);
    if (failure === null) throw error;
    process.stderr.write(`${failure.message}\n`);
    // Exit at once: a connection that does not answer could not be closed either.
    process.exit(failure.exit);
  }
}

/** Loaded for what is not worded yet: a command that goes well needs none of what may fail. */
const failureIn = async (error: unknown) => (await import('../server/failures/failure.js')).failureOf(error);

const isPlainServe = ([first = 'serve', ...more]: readonly string[]): boolean => first === 'serve' && more.length === 0;

const OPTION = '--env-file';

/**
 * Reads the files that `--env-file` names before the command, and returns the arguments without them. A variable that is set
 * already keeps its value, so of two files the first wins. @throws CommandFailed
 */
function withEnvFiles(args: readonly string[]): readonly string[] {
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
