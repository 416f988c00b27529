import { CommandFailed } from '../failures/command-failed.js';
import { EXIT } from '../failures/exit-codes.js';
import type { Config } from '../settings/config.js';

/** Why the server cannot listen at HOST and PORT, and what to change; another error is returned as it is. */
export function listenFailure(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  switch (code) {
    case 'EADDRINUSE': {
      const words = `PORT ${port} is in use by another program on ${host}. Stop that one, or set another PORT.`;
      return new CommandFailed(`${words} 0 takes any free port.`, EXIT.taken, error);
    }
    case 'EADDRNOTAVAIL':
      return new CommandFailed(`HOST ${host} is not an address of this machine. ${INSTEAD}`, EXIT.config, error);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CommandFailed(`HOST ${host} is a name without an address (${code}). ${INSTEAD}`, EXIT.config, error);
    case 'EACCES':
      return new CommandFailed(
        `PORT ${port} is not permitted for this user (EACCES). Set one of 1024 or above.`,
        EXIT.config,
        error,
      );
    default:
      return error;
  }
}

const INSTEAD = 'Set 127.0.0.1 for this machine alone, 0.0.0.0 or :: for every address of it.';
