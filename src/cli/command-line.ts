import { failureOf } from '../server/failures/failure.js';
import { withEnvFiles } from './env-file.js';

/**
 * Runs `stakeport` with these arguments; reports a failure in one line on standard error, and by the exit code. A server loads
 * no commands, and a command no server.
 */
export async function runCommandLine(given: readonly string[]): Promise<void> {
  try {
    const args = withEnvFiles(given);
    if (isPlainServe(args)) await (await import('../server/http/run-server.js')).runServer();
    else await (await import('./cli.js')).runProgram(args);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    process.stderr.write(`${failure.message}\n`);
    // Exit at once: a connection that does not answer could not be closed either.
    process.exit(failure.exit);
  }
}

const isPlainServe = ([first = 'serve', ...more]: readonly string[]): boolean => first === 'serve' && more.length === 0;
