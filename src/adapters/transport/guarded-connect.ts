import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type GuardTerms, literalOf, portOf } from './guarded-url.js';

/** An address of a name, as the resolver of the system gives it. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Looks a name up: every address that it has. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** A connection that was not made, because it would have led where requests of users must not go. */
export class AddressRefused extends Error {
  constructor(readonly hostname: string) {
    super(`${hostname} leads to an address that requests must not go to`);
    this.name = 'AddressRefused';
  }
}

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * Connects to checked addresses only: an address in a URL is checked as it is, and a name by all of its addresses, of which
 * the connection uses one. The name is resolved nowhere else, so nothing can change between the check and the connection.
 */
export function guardedConnect(
  { addresses }: GuardTerms,
  timeoutMs: number,
  resolve: Resolve = systemResolve,
): buildConnector.connector {
  const connectors = new Map<number, buildConnector.connector>();
  return (options, callback) => {
    const port = portOf(options);
    const isAllowed = (address: string) => addresses.allows(address, port);
    const literal = literalOf(options.hostname);
    if (literal !== null && !isAllowed(literal)) return callback(new AddressRefused(options.hostname), null);
    const lookup = checked(resolve, isAllowed);
    const connect = connectors.get(port) ?? buildConnector({ timeout: timeoutMs, allowH2: false, lookup });
    connectors.set(port, connect);
    return connect(options, callback);
  };
}

/** Called by the connection itself, in place of the resolver of the system. */
function checked(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const [first] = found;
        if (first === undefined || !found.every(({ address }) => isAllowed(address)))
          callback(new AddressRefused(hostname), '', 0);
        else if (options.all === true) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
}
