import { eraseFromProc } from '../../settings/proc-environment.js';
import { VENUE_ADAPTERS } from '../venues.js';
import { SETTINGS, settingOf, VARIABLES } from './settings.js';

/**
 * The value of every setting of this environment, or its default, for the first line of the log. Of a setting that may hold a
 * secret it says only that it is set; DATABASE_URL and addresses are shown without user and password.
 */
export function shownSettings(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const shown = Object.entries(SETTINGS).flatMap(([name, { default: fallback, secret }]) => {
    const text = env[name]?.trim() || fallback;
    if (text === null) return [];
    return [[name, secret && name !== 'DATABASE_URL' ? 'set' : withoutUser(text)] as const];
  });
  return Object.fromEntries(shown);
}

/** Keeps what names the place: a query may hold a password too. */
function withoutUser(text: string): string {
  if (!text.includes('://')) return text;
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname}`;
}

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
