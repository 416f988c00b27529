import { addressWord, digitsHash, textHash, uintWord } from './abi-words.js';
import { CHAINS } from './exchanges.js';
import { typedDataHash } from './order-hash.js';
import type { Hex } from './signer.js';
import { SigningRefused } from './signing-refused.js';

/**
 * The terms of a request for API credentials, in seconds of the venue's clock. A nonce stands for one set of credentials.
 */
export interface Login {
  readonly chainId: number;
  readonly timestamp: number;
  readonly nonce: number;
}

const DOMAIN_TYPE = textHash('EIP712Domain(string name,string version,uint256 chainId)');
const LOGIN_TYPE = textHash('ClobAuth(address address,string timestamp,uint256 nonce,string message)');
const MESSAGE = textHash('This message attests that I control the given wallet');
const NAME = textHash('ClobAuthDomain');
const VERSION = textHash('1');

const SEPARATORS: ReadonlyMap<number, string> = new Map(
  CHAINS.map((chainId) => [chainId, digitsHash(DOMAIN_TYPE + NAME + VERSION + uintWord(BigInt(chainId)))]),
);

/**
 * What is signed to log in with the key of `address` (`polymarket.md` 4.2).
 * @throws SigningRefused for another chain
 */
export function loginHash(address: Hex, { chainId, timestamp, nonce }: Login): Hex {
  const separator = SEPARATORS.get(chainId);
  if (separator === undefined) throw new SigningRefused('chain', `The venue has no login for chain ${chainId}.`);
  const struct = addressWord(address) + textHash(`${timestamp}`) + uintWord(BigInt(nonce)) + MESSAGE;
  return typedDataHash(separator, digitsHash(LOGIN_TYPE + struct));
}

/** The headers of a request that is made with the key itself, such as the one for API credentials. */
export function l1Headers(address: Hex, signature: Hex, { timestamp, nonce }: Omit<Login, 'chainId'>) {
  return {
    POLY_ADDRESS: address,
    POLY_SIGNATURE: signature,
    POLY_TIMESTAMP: `${timestamp}`,
    POLY_NONCE: `${nonce}`,
  };
}
