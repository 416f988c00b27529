import { AUTH_SCOPES } from '../../core/access/principal.js';
import type { ManageSessions } from '../../core/usecases/accounts/manage-sessions.js';
import { credentialsIn } from './guard.js';
import type { LoginLimit } from './login-limit.js';
import { OwnPages, type ServerNames } from './own-pages.js';
import { Problem } from './problem.js';
import { type Route, route } from './route.js';
import { FORGOTTEN_COOKIE, keptCookie, sessionCookieIn } from './session-cookie.js';
import { callerOut, presentCaller } from './session-wire.js';

/** What sessions are begun and ended with; null where callers have no keys, and so there are none. */
export interface SessionRouteParts extends ServerNames {
  readonly sessions: ManageSessions | null;
}

const PATH = '/v1/session';
const SHARED = { path: PATH, tag: 'session', scopes: AUTH_SCOPES, answer: callerOut, answerName: 'Caller' } as const;

/** `/v1/session`: a login for pages in a browser. Anybody may ask who they are; sessions exist where keys do. */
export function sessionRoutes({ sessions, ...names }: SessionRouteParts): Route[] {
  if (sessions === null) return [reading(null)];
  return [starting(sessions, new OwnPages(names)), reading(sessions), ending(sessions)];
}

function starting(sessions: ManageSessions, pages: OwnPages): Route {
  let limit: Promise<LoginLimit> | undefined;
  return route({
    ...SHARED,
    method: 'POST',
    operationId: 'startSession',
    status: 201,
    takesKey: false,
    summary: 'Exchange an API key for a session',
    description:
      'For pages of this server: a browser keeps the session as the cookie `__Host-stakeport`, which scripts cannot read, and adds it to their requests. Send the key in `Authorization`. The session may do what the key may, ends after 30 minutes without a request, after 12 hours in any case, and when the key is revoked or expires. The cookie counts only for requests of pages of this server, and not beside an `Authorization` header. It takes the place of the session that the request carries. What risks more than before it may do for five minutes after it began, and what risks real money only with `UI_TRADING=on`. An open stream is no request: whoever only watches asks `GET /v1/session` now and then.',
    answerHeaders: ['set-cookie'],
    problems: ['session-needs-key', 'too-many-sessions'],
    async handle({ principal, req }) {
      const showsKey = req.headers.authorization !== undefined && principal.kind === 'key';
      if (!showsKey)
        throw new Problem('session-needs-key', 'A session begins with an API key in the Authorization header.');
      const refusal = pages.refusal(req, false);
      if (refusal !== null) throw refusal;
      limit ??= loginLimit();
      await (await limit).take(principal.credential);
      const { session, text } = await sessions.start(principal.credential);
      const before = sessionCookieIn(req);
      if (before !== undefined) await sessions.end(before);
      return { status: 201, body: presentCaller(principal, session), headers: { 'set-cookie': keptCookie(text) } };
    },
  });
}

/** With the first login: a server starts without it. */
async function loginLimit(): Promise<LoginLimit> {
  const { LoginLimit } = await import('./login-limit.js');
  return new LoginLimit();
}

function reading(sessions: ManageSessions | null): Route {
  return route({
    ...SHARED,
    method: 'GET',
    operationId: 'getSession',
    status: 200,
    summary: 'Tell who is calling, and when the session ends',
    description: 'Also for callers without a session. It is a use of the session.',
    problems: [],
    async handle({ principal, req }) {
      const text = credentialsIn(req).session;
      const session = (text !== undefined && (await sessions?.find(text))) || null;
      return { status: 200, body: presentCaller(principal, session) };
    },
  });
}

function ending(sessions: ManageSessions): Route {
  return route({
    ...SHARED,
    method: 'DELETE',
    operationId: 'endSession',
    status: 200,
    summary: 'End the session',
    description:
      'Of the cookie of this request. It is refused from the next request on; the key and other sessions stay.',
    answerHeaders: ['set-cookie'],
    problems: ['not-found'],
    async handle({ principal, req }) {
      const text = credentialsIn(req).session;
      const session = text === undefined ? undefined : await sessions.find(text);
      if (text === undefined || session === undefined)
        throw new Problem('not-found', 'The request is by no session: its Authorization header counts alone.');
      await sessions.end(text);
      return { status: 200, body: presentCaller(principal, session), headers: { 'set-cookie': FORGOTTEN_COOKIE } };
    },
  });
}
