import { SigningRefused } from '../signing-refused.js';
import { CheckedSigner } from './checked-signer.js';
import { readKey, unmovedBytes } from './key-bytes.js';
import type { SigningTerms } from './signing-terms.js';

/**
 * Signs with a key from the environment. Prefer a file: an environment is text, and the process keeps that text in its heap
 * until the memory is used again.
 */
export class EnvironmentSigner extends CheckedSigner {
  /**
   * Takes the key out of `environment`, where it is removed in every case, so that no child process inherits it. Call it
   * before the first worker thread starts, since each gets a copy of its own. The kernel goes on showing the environment that
   * the process began with to the user of the process and to root.
   * @throws SigningRefused when it is not 64 hexadecimal digits, or not for this wallet
   */
  static take(environment: NodeJS.ProcessEnv, name: string, terms: SigningTerms): EnvironmentSigner {
    return new EnvironmentSigner(keyFrom(environment, name), terms);
  }
}

function keyFrom(environment: NodeJS.ProcessEnv, name: string): Uint8Array {
  const value = environment[name] ?? '';
  delete environment[name];
  const text = unmovedBytes(Buffer.byteLength(value));
  new TextEncoder().encodeInto(value, text);
  const key = readKey(text);
  text.fill(0);
  if (key === null) throw new SigningRefused('key', `${name} must hold 64 hexadecimal digits and nothing else.`);
  return key;
}
