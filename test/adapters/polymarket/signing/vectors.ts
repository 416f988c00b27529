import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Login } from '../../../../src/adapters/polymarket/signing/login.js';
import type { SignedOrderTerms } from '../../../../src/adapters/polymarket/signing/order-body.js';
import type { Hex, OrderStruct } from '../../../../src/adapters/polymarket/signing/signer.js';
import { ROOT } from '../../../support/build.js';

/** The first key of Anvil and Hardhat, publicly known. */
export const KNOWN_KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export { KNOWN_ADDRESS } from './known-address.js';

/** A copy of the bytes of `KNOWN_KEY`. */
export const knownKey = (): Uint8Array => Uint8Array.from(Buffer.from(KNOWN_KEY, 'hex'));

/** An order as it is on the wire. */
export interface WireOrder {
  readonly salt: string;
  readonly maker: string;
  readonly signer: string;
  readonly tokenId: string;
  readonly makerAmount: string;
  readonly takerAmount: string;
  readonly side: string;
  readonly signatureType: number;
  readonly timestamp: string;
  readonly metadata: string;
  readonly builder: string;
}

/** An order signed by another implementation. */
export interface SignedVector {
  readonly chainId: number;
  readonly negRisk: boolean;
  readonly order: WireOrder;
  readonly hash: Hex;
  readonly signature: Hex;
}

/** An order that the official client has built. */
export interface OrderVector extends SignedVector, AmountVector {
  readonly id: string;
  readonly terms: SignedOrderTerms;
  readonly digest: Hex;
  readonly body: string;
}

/** What an order is made from; `size` is in dollars for a market purchase, and in shares otherwise. */
export interface AmountVector {
  readonly kind: 'limit' | 'market';
  readonly side: 'BUY' | 'SELL';
  readonly tick: string;
  readonly price: string;
  readonly size: string;
}

/** A login that the official client has signed. */
export interface LoginVector {
  readonly id: string;
  readonly login: Login;
  readonly digest: Hex;
  readonly headers: Readonly<Record<string, string>>;
}

/** The rows of a file of vectors. */
export const vectors = <Row>(name: string): Row[] =>
  readFileSync(join(ROOT, `test/fixtures/vectors/${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

/** The struct behind an order on the wire. */
export function structOf(order: WireOrder): OrderStruct {
  return {
    salt: BigInt(order.salt),
    maker: order.maker as Hex,
    signer: order.signer as Hex,
    tokenId: BigInt(order.tokenId),
    makerAmount: BigInt(order.makerAmount),
    takerAmount: BigInt(order.takerAmount),
    side: order.side === 'BUY' ? 0 : 1,
    signatureType: order.signatureType as OrderStruct['signatureType'],
    timestamp: BigInt(order.timestamp),
    metadata: order.metadata as Hex,
    builder: order.builder as Hex,
  };
}
