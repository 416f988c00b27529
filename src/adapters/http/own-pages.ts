import type { IncomingMessage } from 'node:http';
import { hostName, OwnHosts } from './own-hosts.js';
import { Problem } from './problem.js';

const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/** The names of a server. */
export interface ServerNames {
  /** The host name or address that it listens on, as configured. */
  readonly host: string;
  /** Names besides its own by which it may be called. */
  readonly allowedHosts: readonly string[];
}

/** Tells requests of the server's own pages from all others: only with those a session counts, which browsers add by themselves. */
export class OwnPages {
  readonly #hosts: OwnHosts;

  constructor({ host, allowedHosts }: ServerNames) {
    this.#hosts = new OwnHosts(host, allowedHosts);
  }

  /**
   * Why the request may be of another page; null where it is of ours, or only reads and no browser says whose it is.
   * @param saysWhose false where what sends the request need not be a browser, because it shows its key
   */
  refusal(req: IncomingMessage, saysWhose = !isSafe(req)): Problem | null {
    const { host = '', origin, 'sec-fetch-site': site } = req.headers;
    if (!this.#hosts.has(hostName(host) ?? '')) return misdirected(host);
    if (site !== undefined) return site === 'same-origin' || (site === 'none' && isSafe(req)) ? null : foreign();
    if (origin !== undefined) return isOwnOrigin(origin, host) ? null : foreign();
    return saysWhose ? foreign() : null;
  }
}

/** Whether a request of this method changes nothing (RFC 9110, 9.2.1). */
export const isSafe = ({ method = '' }: Pick<IncomingMessage, 'method'>): boolean => SAFE.includes(method);

/** Whether a page of this origin was sent by this host. The scheme is the origin's: a proxy may have terminated TLS. */
export function isOwnOrigin(origin: string, host: string): boolean {
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  const own = `${url.protocol}//${host}`;
  return url.origin === origin && URL.canParse(own) && new URL(own).host === url.host;
}

function foreign(): Problem {
  const detail =
    'A session counts only for requests of pages of this server. Programs send their key in `Authorization`.';
  return new Problem('foreign-origin', detail);
}

function misdirected(host: string): Problem {
  const detail = `A session counts only under a name of this server, and ${host.slice(0, 100)} is none. List it in ALLOWED_HOSTS.`;
  return new Problem('misdirected-request', detail);
}
