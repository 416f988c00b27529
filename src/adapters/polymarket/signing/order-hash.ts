import { addressWord, bytesWord, digitsHash, textHash, uintWord } from './abi-words.js';
import { exchangeSeparator } from './exchanges.js';
import type { Hex, OrderDomain, OrderStruct } from './signer.js';

/** The EIP-712 type of an order, as the contracts know it (`polymarket.md` 4.1). */
export const ORDER_TYPE =
  'Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,' +
  'uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)';

const ORDER_TYPE_HASH = textHash(ORDER_TYPE);
const EIP712 = '1901';

/** The EIP-712 hash of the struct alone, as one word. @throws RangeError for a field that its type cannot hold */
export function orderStructHash(order: OrderStruct): string {
  return digitsHash(
    ORDER_TYPE_HASH +
      uintWord(order.salt) +
      addressWord(order.maker) +
      addressWord(order.signer) +
      uintWord(order.tokenId) +
      uintWord(order.makerAmount) +
      uintWord(order.takerAmount) +
      uintWord(BigInt(order.side)) +
      uintWord(BigInt(order.signatureType)) +
      uintWord(order.timestamp) +
      bytesWord(order.metadata) +
      bytesWord(order.builder),
  );
}

/** What is signed for a struct within a domain, both given as one word. */
export const typedDataHash = (separator: string, structHash: string): Hex =>
  `0x${digitsHash(EIP712 + separator + structHash)}`;

/**
 * The EIP-712 hash of an order: its id at the venue, known before it is sent.
 * @throws SigningRefused for a chain without contracts, RangeError for a field that its type cannot hold
 */
export const orderHash = (order: OrderStruct, domain: OrderDomain): Hex =>
  typedDataHash(exchangeSeparator(domain), orderStructHash(order));
