import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { SigningRefused } from '../signing-refused.js';
import { CheckedSigner } from './checked-signer.js';
import { LONGEST_KEY, readKey, unmovedBytes } from './key-bytes.js';
import type { SigningTerms } from './signing-terms.js';

const MODE_BITS = 0o7777;
const OWNER_READS = 0o400;

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
  const file = await opened(path);
  const text = unmovedBytes(LONGEST_KEY + 1);
  try {
    await checkFile(path, file);
    const { bytesRead } = await file.read(text, 0, text.length, 0);
    const key = readKey(text.subarray(0, bytesRead));
    if (key === null) throw refused(`The key file ${path} must hold 64 hexadecimal digits and nothing else.`);
    return key;
  } finally {
    text.fill(0);
    await file.close();
  }
}

/** A pipe is not waited for, and a link is not followed. */
async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ELOOP') throw refused(`The key file ${path} is a symbolic link; name the file itself.`);
    const why = code === 'ENOENT' ? ': there is no such file' : ` (${code})`;
    throw refused(`The key file ${path} cannot be read${why}.`);
  }
}

async function checkFile(path: string, file: FileHandle): Promise<void> {
  const found = await file.stat();
  if (!found.isFile()) throw refused(`The key file ${path} is not a plain file.`);
  if (found.uid !== process.getuid?.()) {
    throw refused(`The key file ${path} belongs to another user: chown it to the user that runs this.`);
  }
  if ((found.mode & MODE_BITS) !== OWNER_READS) {
    const mode = (found.mode & MODE_BITS).toString(8).padStart(4, '0');
    throw refused(
      `The key file ${path} has mode ${mode}, and must have 0400, so that only its owner can read it and no one can write it: chmod 0400 ${path}`,
    );
  }
}

const refused = (message: string): SigningRefused => new SigningRefused('key', message);
