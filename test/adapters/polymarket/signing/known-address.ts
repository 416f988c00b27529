import type { Hex } from '../../../../src/adapters/polymarket/signing/signer.js';

/**
 * The address of the publicly known key; in a file of its own, for programs that may not have its text in their memory.
 */
export const KNOWN_ADDRESS: Hex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
