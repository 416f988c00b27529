import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { Problem } from './problem.js';

const SAFE = ['GET', 'HEAD', 'OPTIONS'];

/** The names of a server. */
export interface ServerNames {
  /** The host name or address that it listens on, as configured. */
  readonly host: string;
  /** Names besides its own by which it may be called. */
  readonly allowedHosts: readonly string[];
}

/**
 * Distinguishes requests of the server's own pages from all others: a session, which browsers send by themselves, counts only
 * with the former. A cookie belongs to all ports of a host, so pages of other programs on it send it too.
 */
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

const HOST = /^(\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/;
const WILDCARDS = ['0.0.0.0', '::'];

/**
 * The name in a `Host`: without port, brackets and the dot at its end, in lower case. Undefined where the value is not a
 * host (RFC 9110, 7.2).
 */
export function hostName(host: string): string | undefined {
  const name = HOST.exec(host)?.[1];
  if (name === undefined) return undefined;
  if (name.startsWith('[')) return isIP(name.slice(1, -1)) === 6 ? name.slice(1, -1) : undefined;
  return name.toLowerCase().replace(/\.$/, '');
}

/** The names by which a server may be called: those of this machine, its listening address, and the allowed names. */
export class OwnHosts {
  readonly #names = new Set(['localhost']);
  readonly #addresses = new BlockList();
  readonly #everyAddress: boolean;
  /** The last name that matched: nearly all requests use the same. */
  #last = '';

  /** If it listens on every address, any address is its own: a page can point its own name here, but not an address. */
  constructor(listening: string, allowed: readonly string[]) {
    this.#everyAddress = WILDCARDS.includes(listening);
    this.#addresses.addSubnet('127.0.0.0', 8, 'ipv4');
    this.#addresses.addAddress('::1', 'ipv6');
    for (const host of [listening, ...allowed]) {
      const family = familyOf(host);
      if (family === undefined) this.#names.add(host.toLowerCase().replace(/\.$/, ''));
      else this.#addresses.addAddress(host, family);
    }
  }

  /** `name` is as `hostName` returns it. */
  has(name: string): boolean {
    if (name !== '' && name === this.#last) return true;
    const family = familyOf(name);
    const own =
      family === undefined ? this.#names.has(name) : this.#everyAddress || this.#addresses.check(name, family);
    if (own) this.#last = name;
    return own;
  }
}

function familyOf(host: string): 'ipv4' | 'ipv6' | undefined {
  const family = isIP(host);
  if (family === 0) return undefined;
  return family === 4 ? 'ipv4' : 'ipv6';
}
