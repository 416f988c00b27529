import { domainSeparator, hashStruct, hashTypedData, recoverTypedDataAddress, toHex } from 'viem';
import { isPlainSignature } from './auth.js';
import type { Hex } from './wire.js';

/** The two contracts that settle orders of version 2. */
export const EXCHANGES = {
  plain: '0xE111180000d2663C0091e4f400237545B87B996B',
  negRisk: '0xe2222d279d744050d28e00520010520000310F59',
} as const;

const ORDER = [
  { name: 'salt', type: 'uint256' },
  { name: 'maker', type: 'address' },
  { name: 'signer', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'makerAmount', type: 'uint256' },
  { name: 'takerAmount', type: 'uint256' },
  { name: 'side', type: 'uint8' },
  { name: 'signatureType', type: 'uint8' },
  { name: 'timestamp', type: 'uint256' },
  { name: 'metadata', type: 'bytes32' },
  { name: 'builder', type: 'bytes32' },
] as const;
const TYPE_TEXT = `Order(${ORDER.map(({ type, name }) => `${type} ${name}`).join(',')})`;
const WRAPPED = [
  { name: 'contents', type: 'Order' },
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const;
const NO_SALT: Hex = `0x${'0'.repeat(64)}`;

/** What is signed. */
export interface OrderMessage {
  readonly salt: bigint;
  readonly maker: Hex;
  readonly signer: Hex;
  readonly tokenId: bigint;
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
  readonly side: number;
  readonly signatureType: number;
  readonly timestamp: bigint;
  readonly metadata: Hex;
  readonly builder: Hex;
}

export interface OrderContract {
  readonly chainId: number;
  readonly negRisk: boolean;
}

/** What a wallet is asked to sign. */
export function typedData(message: OrderMessage, { chainId, negRisk }: OrderContract) {
  const verifyingContract: Hex = negRisk ? EXCHANGES.negRisk : EXCHANGES.plain;
  return {
    domain: { name: 'Polymarket CTF Exchange', version: '2', chainId, verifyingContract },
    types: { Order: ORDER },
    primaryType: 'Order' as const,
    message,
  };
}

/** The id of an order at the venue. */
export function orderHash(message: OrderMessage, contract: OrderContract): Hex {
  return hashTypedData(typedData(message, contract));
}

/** The address, in lower case, whose key made this signature; undefined when it is not well-formed. */
export async function signerOf(
  message: OrderMessage,
  contract: OrderContract,
  signature: Hex,
): Promise<string | undefined> {
  const data = typedData(message, contract);
  const recovered =
    message.signatureType === 3
      ? await unwrapped(data, signature)
      : isPlainSignature(signature) && (await recoverTypedDataAddress({ ...data, signature }).catch(() => undefined));
  return recovered ? recovered.toLowerCase() : undefined;
}

/** Takes a deposit wallet's signature apart (`polymarket.md` 4.4): every part must be what the contract computes itself. */
async function unwrapped(data: ReturnType<typeof typedData>, signature: Hex): Promise<string | undefined> {
  const inner = signature.slice(0, 132);
  const { domain, types, message } = data;
  const rest = [
    domainSeparator({ domain }),
    hashStruct({ data: { ...message }, primaryType: 'Order', types }),
    toHex(TYPE_TEXT),
    toHex(TYPE_TEXT.length, { size: 2 }),
  ].map((part) => part.slice(2));
  if (signature.slice(132).toLowerCase() !== rest.join('') || !isPlainSignature(inner)) return undefined;
  return recoverTypedDataAddress({
    domain,
    types: { TypedDataSign: WRAPPED, Order: ORDER },
    primaryType: 'TypedDataSign',
    message: {
      contents: message,
      name: 'DepositWallet',
      version: '1',
      chainId: BigInt(domain.chainId),
      verifyingContract: message.signer,
      salt: NO_SALT,
    },
    signature: inner,
  }).catch(() => undefined);
}
