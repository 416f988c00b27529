import { keccak_256 } from '@noble/hashes/sha3';
import { isPrivate, pointFromScalar, type RecoveryIdType, recover, signRecoverable } from 'tiny-secp256k1';
import { textHash } from './abi-words.js';
import type { Hex } from './signer.js';

const V_OFFSET = 27;
const RS_BYTES = 64;
const ADDRESS_BYTES = 20;

/** Whether 32 bytes are a private key of secp256k1. */
export const isKey = (bytes: Uint8Array): boolean => isPrivate(bytes);

/** The address of a private key, with its EIP-55 checksum. */
export function addressOf(key: Uint8Array): Hex {
  const point = pointFromScalar(key, false);
  if (point === null) throw new Error('the key has no public key');
  const digits = addressDigits(point);
  const checksum = textHash(digits);
  return `0x${[...digits].map((digit, i) => ((checksum[i] ?? '') >= '8' ? digit.toUpperCase() : digit)).join('')}`;
}

/** Signs a hash: r, s and v in 65 bytes, with v 27 or 28, the low s, and the nonce of RFC 6979. */
export function signHash(hash: Hex, key: Uint8Array): Hex {
  const { signature, recoveryId } = signRecoverable(bytesOf(hash), key);
  return `0x${Buffer.from(signature).toString('hex')}${(V_OFFSET + recoveryId).toString(16)}`;
}

/**
 * The address of the key that made a 65-byte signature of this hash, in lower case; null when there can be none.
 * @throws TypeError for r or s out of range
 */
export function signerOf(hash: Hex, signature: Hex): Hex | null {
  const bytes = bytesOf(signature);
  const recoveryId = (bytes[RS_BYTES] ?? 0) - V_OFFSET;
  if (bytes.length !== RS_BYTES + 1 || !isRecoveryId(recoveryId)) return null;
  const point = recover(bytesOf(hash), bytes.subarray(0, RS_BYTES), recoveryId, false);
  return point === null ? null : `0x${addressDigits(point)}`;
}

const addressDigits = (point: Uint8Array): string =>
  Buffer.from(keccak_256(point.subarray(1)).subarray(-ADDRESS_BYTES)).toString('hex');

const bytesOf = (hex: Hex): Uint8Array => Buffer.from(hex.slice(2), 'hex');

const isRecoveryId = (id: number): id is RecoveryIdType => id === 0 || id === 1;
