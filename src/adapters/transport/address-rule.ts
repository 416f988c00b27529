import ipaddr from 'ipaddr.js';

/** What IPv6 gives to hosts of the Internet; the rest is for other uses, or for networks of one's own. */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3');
/** A cloud provider's address for the keys of a machine, although it looks like any other. */
const MACHINE_KEYS = '168.63.129.16';

/**
 * Which addresses may be connected to: those of the public Internet, and the networks that the operator named.
 *
 * @example
 * ```ts
 * import { AddressRule } from 'stakeport/webhooks';
 *
 * console.log(new AddressRule(['192.168.1.0/24']).allows('10.0.0.1')); // false
 * ```
 */
export class AddressRule {
  readonly #networks: readonly ReturnType<typeof ipaddr.parseCIDR>[];

  /** @param networks such as `192.168.1.0/24` */
  constructor(networks: readonly string[]) {
    this.#networks = networks.map((network) => ipaddr.parseCIDR(network));
  }

  /** True of a public address, or one in a named network; never of a text that is no address. */
  allows(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    return this.isNamed(address) || isPublic(ipaddr.process(address));
  }

  /** True of an address in a named network. */
  isNamed(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
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
