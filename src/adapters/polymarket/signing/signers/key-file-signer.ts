import { openKeyFile } from '../../../venue/key-file.js';
import { SigningRefused } from '../signing-refused.js';
import { CheckedSigner } from './checked-signer.js';
import { LONGEST_KEY, readKey, unmovedBytes } from './key-bytes.js';
import type { SigningTerms } from './signing-terms.js';

/** Signs with the key in a file: 64 hexadecimal digits, with or without `0x`. No text is made of the key. */
export class KeyFileSigner extends CheckedSigner {
  /**
   * Reads the file, which must be a plain one with mode 0400 that belongs to the user of this process.
   * @throws SigningRefused when it is not, when it holds no key, or when the key is not for this wallet
   */
  static async open(path: string, terms: SigningTerms): Promise<KeyFileSigner> {
    return new KeyFileSigner(await keyIn(path), terms);
  }
}

async function keyIn(path: string): Promise<Uint8Array> {
  const file = await openKeyFile(path, refused);
  const text = unmovedBytes(LONGEST_KEY + 1);
  try {
    const { bytesRead } = await file.read(text, 0, text.length, 0);
    const key = readKey(text.subarray(0, bytesRead));
    if (key === null) throw refused(`The key file ${path} must hold 64 hexadecimal digits and nothing else.`);
    return key;
  } finally {
    text.fill(0);
    await file.close();
  }
}

const refused = (message: string): SigningRefused => new SigningRefused('key', message);
