import { BlockList, isIP } from 'node:net';

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
