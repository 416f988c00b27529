import { isIP } from 'node:net';
import type { AddressRule } from './address-rule.js';

/** Where requests of users may go. */
export interface GuardTerms {
  /** Whether http is allowed beside https. */
  readonly allowHttp: boolean;
  readonly addresses: AddressRule;
}

const LONGEST = 2000;
const USUAL_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

const ALLOWED = 'a network that the server allows (WEBHOOK_ALLOWED_NETWORKS)';

/**
 * What is wrong with an address that a user gave, in words that follow its name; null where nothing is. A name is looked up
 * when a connection is made, and only then is it known where it leads.
 */
export function urlProblem(text: string, { allowHttp, addresses }: GuardTerms): string | null {
  const schemes = allowHttp ? 'an https or http URL' : 'an https URL';
  if (text.length > LONGEST || !URL.canParse(text)) return `must be ${schemes} of at most ${LONGEST} characters`;
  const url = new URL(text);
  if (url.protocol === 'http:' && !allowHttp)
    return `must be ${schemes}: this server allows no http (WEBHOOK_ALLOW_HTTP)`;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `must be ${schemes}`;
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  const literal = literalOf(url.hostname);
  if (literal !== null && !addresses.allows(literal))
    return `must lead to an address of the public Internet, or to ${ALLOWED}`;
  if (literal !== null && !isUsualPort(url.protocol, portOf(url)) && !addresses.isNamed(literal))
    return `must use the port ${USUAL_PORTS[url.protocol]}, except in ${ALLOWED}`;
  return null;
}

/** The port that a connection to it uses. */
export const portOf = ({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number =>
  port === '' ? (USUAL_PORTS[protocol] ?? 0) : Number(port);

/** True of the port that a scheme has by itself: only those are used outside of named networks. */
export const isUsualPort = (protocol: string, port: number): boolean => USUAL_PORTS[protocol] === port;

/** The address that a host name of a URL spells; null for a name that has to be looked up. */
export function literalOf(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}
