import type { IncomingMessage } from 'node:http';

/** The prefix has browsers refuse it unless it is `Secure`, for this host alone and for every path (RFC 6265bis, 4.1.3.2). */
export const SESSION_COOKIE = '__Host-stakeport';

const RULES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** The secret of the session that a request carries; undefined where there is none, or more than one. */
export function sessionCookieIn({ headers: { cookie = '' } }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim());
  const [found, ...more] = pairs.filter((pair) => pair.startsWith(`${SESSION_COOKIE}=`));
  return more.length > 0 ? undefined : found?.slice(SESSION_COOKIE.length + 1);
}

/** Has a browser keep it until it is closed. */
export const keptCookie = (secret: string): string => `${SESSION_COOKIE}=${secret}; ${RULES}`;

/** Has a browser forget it. */
export const FORGOTTEN_COOKIE = `${SESSION_COOKIE}=; ${RULES}; Max-Age=0`;
