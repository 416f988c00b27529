import { randomBytes } from 'node:crypto';

const SALT_BITS = 53;

/** A number that distinguishes orders with the same terms: 53 cryptographically random bits, which a JSON number holds. */
export const salt = (): bigint => BigInt.asUintN(SALT_BITS, randomBytes(8).readBigUInt64BE());
