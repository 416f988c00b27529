import { eraseFromProc } from '../../settings/proc-environment.js';
import { VENUE_ADAPTERS } from '../venues.js';
import { settingOf, VARIABLES } from './settings.js';

/**
 * A key that signs orders is not kept at all: its signer removes it. The Postgres driver reads PGPASSWORD by itself, and the
 * commands against a server the last one.
 */
const KEYS = VENUE_ADAPTERS.flatMap(({ keyVariables }) => keyVariables);
const HIDDEN = [
  ...VARIABLES.filter((name) => settingOf(name).secret && !KEYS.includes(name)),
  'PGPASSWORD',
  'STAKEPORT_KEY',
];

/**
 * Erases possible secrets from the environment that the kernel shows of this process, as far as the system allows, and keeps
 * them readable in `process.env`. Call before any thread starts.
 */
export function hideSecrets(): void {
  for (const name of HIDDEN) {
    const value = process.env[name];
    if (value === undefined) continue;
    eraseFromProc(name);
    // A variable that is set again lies elsewhere in memory, where the kernel does not look.
    process.env[name] = value;
  }
}
