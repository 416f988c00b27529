import type { IncomingMessage } from 'node:http';
import { checkHeaders } from './headers.js';
import { hostName, isOwnOrigin, isSafe, OwnHosts, OwnPages } from './own-pages.js';
import { Problem } from './problem.js';
import { sessionCookieIn } from './session-cookie.js';

/** What decides which requests are considered: before anything is done, and regardless of their credentials. */
export interface GateParts {
  /** Whether callers are development users. */
  readonly dev: boolean;
  /** The host name or address that the server listens on, as configured. */
  readonly host: string;
  /** Names besides its own by which the server may be called; if empty, any name outside of dev mode. */
  readonly allowedHosts: readonly string[];
  /** Exact origins that a browser may call from; none means no CORS at all. */
  readonly corsOrigins: readonly string[];
}

/** Passes a request or throws its problem. */
export type Gate = (req: IncomingMessage) => void;

const FORWARDED =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-original-host|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip)$/;
const OWN_SITES = ['same-origin', 'none'];
const SHOWN = 100;

/**
 * Checks before everything else: complete headers, a readable target, a `Host` that is ours, and no foreign web page. A page
 * that points a name of its own at this machine is recognised by its `Host`; one that calls across origins by the headers
 * that browsers add. What passes carries a session only if it is of a page of ours.
 */
export function gateOf({ dev, host, allowedHosts, corsOrigins }: GateParts): Gate {
  const own = dev || allowedHosts.length > 0 ? new OwnHosts(host, allowedHosts) : null;
  const origins = new Set(corsOrigins);
  const pages = new OwnPages({ host, allowedHosts });
  return (req) => {
    checkHeaders(req);
    settleTarget(req);
    if (own !== null) checkHost(req, own);
    if (dev) checkDirect(req);
    checkOrigin(req, origins);
    if (req.headers.cookie !== undefined) settleSession(req, pages);
  };
}

function checkHost({ headers: { host } }: IncomingMessage, own: OwnHosts): void {
  if (host === undefined || host === '')
    throw misdirected('The request names no host, so it may have been meant for another.');
  if (own.has(hostName(host) ?? '')) return;
  throw misdirected(`This server is not called ${shown(host)}. List further names of it in ALLOWED_HOSTS.`);
}

/** Behind a proxy, dev mode would trust every client. */
function checkDirect({ headers }: IncomingMessage): void {
  for (const name in headers) {
    if (!FORWARDED.test(name)) continue;
    throw misdirected(`The header ${shown(name)} indicates a proxy, and AUTH_MODE=dev accepts only direct requests.`);
  }
}

/** Takes a session away from what may be a request of another page; one that would change something by it is refused. */
function settleSession(req: IncomingMessage, pages: OwnPages): void {
  if (sessionCookieIn(req) === undefined) return;
  const refusal = pages.refusal(req);
  if (refusal === null) return;
  delete req.headers.cookie;
  if (!isSafe(req) && req.headers.authorization === undefined) throw refusal;
}

function checkOrigin(req: IncomingMessage, origins: ReadonlySet<string>): void {
  const { origin, host = '', 'sec-fetch-site': site, 'sec-fetch-mode': mode } = req.headers;
  if (origin !== undefined && origins.has(origin)) return;
  if (mode === 'navigate' && (req.method === 'GET' || req.method === 'HEAD')) return;
  const foreignSite = site !== undefined && !OWN_SITES.includes(String(site));
  // A browser that reports the same origin saw the name before a proxy changed `Host`; no page can set that header.
  const foreignOrigin = origin !== undefined && site !== 'same-origin' && !isOwnOrigin(origin, host);
  if (!foreignSite && !foreignOrigin) return;
  const page = origin === undefined ? 'another site' : shown(origin);
  throw new Problem(
    'foreign-origin',
    `Pages of ${page} may not call this server: CORS_ORIGINS does not name their origin.`,
  );
}

const shown = (value: string): string => (value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);

function misdirected(detail: string): Problem {
  return new Problem('misdirected-request', detail);
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Normalises the target of a request to a path with its query. The host of an absolute URL replaces `Host` (RFC 9112,
 * 3.2.2).
 * @throws Problem bad-request for an invalid target or `Host`.
 */
function settleTarget(req: IncomingMessage): void {
  const { url = '', method, headers } = req;
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS')) {
    const [, host = '', path = ''] = ABSOLUTE.exec(url) ?? [];
    if (host === '') throw malformed('The target of the request is neither a path nor an http URL.');
    headers.host = host;
    req.url = path.startsWith('/') ? path : `/${path}`;
  }
  if (headers.host !== undefined && hostName(headers.host) === undefined) {
    throw malformed('The host in the request is not a valid host, with or without a port.');
  }
}

function malformed(detail: string): Problem {
  return new Problem('bad-request', detail);
}
