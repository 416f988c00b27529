import { addressWord, digitsHash, textHash, uintWord } from './abi-words.js';
import type { Hex, OrderDomain } from './signer.js';
import { SigningRefused } from './signing-refused.js';

/** The chains that the venue has contracts on: Polygon, and Amoy for tests. */
export const CHAINS: readonly number[] = [137, 80_002];

/** The contracts that settle orders, at the same address on both chains (`polymarket.md` 1). */
export const EXCHANGES = {
  standard: '0xE111180000d2663C0091e4f400237545B87B996B',
  negRisk: '0xe2222d279d744050d28e00520010520000310F59',
} as const satisfies Readonly<Record<string, Hex>>;

const DOMAIN_TYPE = textHash('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)');
const NAME = textHash('Polymarket CTF Exchange');
const VERSION = textHash('2');

const SEPARATORS: ReadonlyMap<string, string> = new Map(
  CHAINS.flatMap((chainId) =>
    [false, true].map((negRisk) => {
      const contract = addressWord(negRisk ? EXCHANGES.negRisk : EXCHANGES.standard);
      return [
        keyOf({ chainId, negRisk }),
        digitsHash(DOMAIN_TYPE + NAME + VERSION + uintWord(BigInt(chainId)) + contract),
      ];
    }),
  ),
);

/** The EIP-712 domain separator of an exchange contract, as one word. @throws SigningRefused for another chain */
export function exchangeSeparator(domain: OrderDomain): string {
  const separator = SEPARATORS.get(keyOf(domain));
  if (separator === undefined) {
    throw new SigningRefused('chain', `There is no exchange contract on chain ${domain.chainId}; use 137 or 80002.`);
  }
  return separator;
}

function keyOf({ chainId, negRisk }: OrderDomain): string {
  return `${chainId}/${negRisk}`;
}
