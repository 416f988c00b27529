import { keccak_256 } from '@noble/hashes/sha3';
import type { Hex } from './signer.js';

const WORD_DIGITS = 64;
const ADDRESS_DIGITS = 40;

/** A number as one ABI word: 64 hexadecimal digits, without `0x`. @throws RangeError unless it fits in a uint256 */
export function uintWord(value: bigint): string {
  const digits = value.toString(16);
  if (value < 0n || digits.length > WORD_DIGITS) throw new RangeError('a number to sign does not fit in a uint256');
  return digits.padStart(WORD_DIGITS, '0');
}

/** An address as one ABI word. @throws RangeError unless it is 20 bytes */
export const addressWord = (address: Hex): string => digitsOf(address, ADDRESS_DIGITS).padStart(WORD_DIGITS, '0');

/** 32 bytes as one ABI word. @throws RangeError unless they are 32 bytes */
export const bytesWord = (bytes: Hex): string => digitsOf(bytes, WORD_DIGITS);

/** Keccak-256 of a text in UTF-8, as one word. */
export const textHash = (text: string): string => hexOf(keccak_256(Buffer.from(text)));

/** Keccak-256 of bytes written in hexadecimal, as one word. */
export const digitsHash = (digits: string): string => hexOf(keccak_256(Buffer.from(digits, 'hex')));

function digitsOf(hex: Hex, length: number): string {
  const digits = hex.slice(2);
  if (digits.length !== length || !hex.startsWith('0x') || !isHexadecimal(digits)) {
    throw new RangeError(`bytes to sign must be 0x and ${length} hexadecimal digits`);
  }
  return digits;
}

/** Node stops reading at the first character that is not a digit. */
const isHexadecimal = (digits: string): boolean => Buffer.from(digits, 'hex').length * 2 === digits.length;

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
