import { addressWord, digitsHash, textHash, uintWord } from './abi-words.js';
import { exchangeSeparator } from './exchanges.js';
import { ORDER_TYPE, orderStructHash, typedDataHash } from './order-hash.js';
import type { Hex, OrderDomain, OrderStruct } from './signer.js';

const DEPOSIT_WALLET = 3;
const WRAPPED_TYPE = textHash(
  'TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,' +
    `bytes32 salt)${ORDER_TYPE}`,
);
const WALLET_NAME = textHash('DepositWallet');
const WALLET_VERSION = textHash('1');
const NO_SALT = uintWord(0n);
const TYPE_DIGITS = Buffer.from(ORDER_TYPE).toString('hex');
const TYPE_LENGTH_DIGITS = ORDER_TYPE.length.toString(16).padStart(4, '0');

/**
 * The signature in the venue's form: 65 bytes made by `sign` from a hash; for a deposit wallet, 317 bytes that wrap a
 * signature that only this wallet accepts (ERC-7739; `polymarket.md` 4.4).
 * @throws SigningRefused for a chain without contracts, RangeError for a field that its type cannot hold
 */
export function orderSignature(order: OrderStruct, domain: OrderDomain, sign: (hash: Hex) => Hex): Hex {
  const separator = exchangeSeparator(domain);
  const contents = orderStructHash(order);
  if (order.signatureType !== DEPOSIT_WALLET) return sign(typedDataHash(separator, contents));
  const wrapped = digitsHash(
    WRAPPED_TYPE +
      contents +
      WALLET_NAME +
      WALLET_VERSION +
      uintWord(BigInt(domain.chainId)) +
      addressWord(order.signer) +
      NO_SALT,
  );
  const inner = sign(typedDataHash(separator, wrapped));
  return `${inner}${separator}${contents}${TYPE_DIGITS}${TYPE_LENGTH_DIGITS}`;
}
