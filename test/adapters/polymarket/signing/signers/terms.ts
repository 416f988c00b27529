import type { Hex, OrderStruct } from '../../../../../src/adapters/polymarket/signing/signer.js';
import type { SigningTerms } from '../../../../../src/adapters/polymarket/signing/signers/signing-terms.js';
import { usdc } from '../../../../../src/core/money.js';
import { KNOWN_ADDRESS } from '../known-address.js';

/** A wallet that is not the key's own address. */
export const WALLET: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** Thirty-two zero bytes. */
export const ZERO: Hex = `0x${'0'.repeat(64)}`;

/** A plain key on Polygon, with at most 100 USDC an order. */
export const someTerms = (change: Partial<SigningTerms> = {}): SigningTerms => ({
  chainId: 137,
  signatureType: 0,
  notionalCap: usdc('100'),
  ...change,
});

/** A purchase of 100 shares at 0.57 with a plain key. */
export const someOrder = (change: Partial<OrderStruct> = {}): OrderStruct => ({
  salt: 479_249_096_354n,
  maker: KNOWN_ADDRESS,
  signer: KNOWN_ADDRESS,
  tokenId: 71_321_045_679_252_212_594_626_385_532_706_912_750_332_728_571_942_532_289_631_379_312_455_583_992_563n,
  makerAmount: 57_000_000n,
  takerAmount: 100_000_000n,
  side: 0,
  signatureType: 0,
  timestamp: 1_780_449_126_930n,
  metadata: ZERO,
  builder: ZERO,
  ...change,
});
