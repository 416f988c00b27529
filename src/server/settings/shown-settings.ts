import { SETTINGS } from './settings.js';

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
