/**
 * Holds the key that signs orders with real money at Polymarket, and signs no order above a cap.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { usdc } from 'stakeport';
 * import { KeyFileSigner } from 'stakeport/polymarket/signers';
 *
 * const terms = { chainId: 137, signatureType: 0, notionalCap: usdc('10') } as const;
 * const signer = await KeyFileSigner.open('/home/me/stakeport.key', terms);
 * ```
 */

export type { CheckedSigner } from './checked-signer.js';
export { EnvironmentSigner } from './environment-signer.js';
export { KeyFileSigner } from './key-file-signer.js';
export type { SigningTerms } from './signing-terms.js';
