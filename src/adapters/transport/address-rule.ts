import ipaddr from 'ipaddr.js';

/** What IPv6 gives to hosts of the Internet; the rest is for other uses, or for networks of one's own. */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3');
/** A cloud provider's address for the keys of a machine, although it looks like any other. */
const MACHINE_KEYS = '168.63.129.16';

/** Ports from the first to the last, both included. */
export type PortRange = readonly [first: number, last: number];

/** Every port of a host. */
export const EVERY_PORT: PortRange = [1, 65_535];
const USUAL_PORTS = [80, 443];

/**
 * Which addresses may be connected to: those of the public Internet at the ports 80 and 443, and the networks that the
 * operator named, where other ports may be allowed too.
 *
 * @example
 * ```ts
 * import { AddressRule } from 'stakeport/webhooks';
 *
 * const rule = new AddressRule(['192.168.1.0/24'], [[8000, 8999]]);
 * console.log(rule.allows('10.0.0.1', 443), rule.allows('192.168.1.7', 8080)); // false true
 * ```
 */
export class AddressRule {
  readonly #networks: readonly ReturnType<typeof ipaddr.parseCIDR>[];

  /**
   * @param networks such as `192.168.1.0/24`
   * @param ports which may be used in these networks beside 80 and 443
   */
  constructor(
    networks: readonly string[],
    private readonly ports: readonly PortRange[] = [],
  ) {
    this.#networks = networks.map((network) => ipaddr.parseCIDR(network));
  }

  /** True of a public address, or one in a named network, at a port that is allowed there; never of a text that is no address. */
  allows(address: string, port: number): boolean {
    if (!ipaddr.isValid(address) || !this.allowsPort(port)) return false;
    return this.#isNamed(address) || (USUAL_PORTS.includes(port) && isPublic(ipaddr.process(address)));
  }

  /** True of a port that is allowed at some address. */
  allowsPort(port: number): boolean {
    return USUAL_PORTS.includes(port) || this.ports.some(([first, last]) => first <= port && port <= last);
  }

  #isNamed(address: string): boolean {
    const given = ipaddr.process(address);
    return this.#networks.some(([network, bits]) => network.kind() === given.kind() && given.match(network, bits));
  }
}

/** True of a network as text, such as `192.168.1.0/24` or `fd00::/8`. */
export const isNetwork = (text: string): boolean => ipaddr.isValidCIDR(text);

function isPublic(address: ReturnType<typeof ipaddr.process>): boolean {
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv6') return address.match(...GLOBAL_V6);
  return address.toString() !== MACHINE_KEYS;
}
