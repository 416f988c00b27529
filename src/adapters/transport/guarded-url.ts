import { isIP } from 'node:net';
import type { AddressRule } from './address-rule.js';

/** Where requests of users may go. */
export interface GuardTerms {
  /** Whether http is allowed beside https. */
  readonly allowHttp: boolean;
  readonly addresses: AddressRule;
}

const LONGEST = 2000;
const DEFAULT_PORT: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

const ALLOWED = 'a network that the server allows (WEBHOOK_ALLOWED_NETWORKS)';
const ALLOWED_PORTS = 'one that the server allows (WEBHOOK_ALLOWED_PORTS)';

/**
 * What is wrong with an address that a user gave, in words that follow its name; null where nothing is. A name is resolved only
 * when a connection is made, and where it leads is unknown until then.
 */
export function urlProblem(text: string, { allowHttp, addresses }: GuardTerms): string | null {
  const schemes = allowHttp ? 'an https or http URL' : 'an https URL';
  if (text.length > LONGEST || !URL.canParse(text)) return `must be ${schemes} of at most ${LONGEST} characters`;
  const url = new URL(text);
  if (url.protocol === 'http:' && !allowHttp)
    return `must be ${schemes}: this server allows no http (WEBHOOK_ALLOW_HTTP)`;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `must be ${schemes}`;
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  const port = portOf(url);
  if (!addresses.allowsPort(port)) return `must use the port ${DEFAULT_PORT[url.protocol]}, or ${ALLOWED_PORTS}`;
  const literal = literalOf(url.hostname);
  if (literal === null || addresses.allows(literal, port)) return null;
  return isPublicAt(literal, addresses)
    ? `must use the port ${DEFAULT_PORT[url.protocol]}, except in ${ALLOWED}`
    : `must lead to an address of the public Internet, or to ${ALLOWED}`;
}

const isPublicAt = (address: string, rule: AddressRule): boolean => rule.allows(address, 443);

/** The port that a connection to it uses. */
export const portOf = ({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number =>
  port === '' ? (DEFAULT_PORT[protocol] ?? 0) : Number(port);

/** The address that a host name of a URL spells; null for a name that has to be looked up. */
export function literalOf(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}
