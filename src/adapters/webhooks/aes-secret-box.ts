import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { SecretUnreadable } from '../../core/endpoint/webhook-errors.js';
import type { SecretBox } from '../../ports/webhook-sender.js';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORM = 'v1';
const CODE_BYTES = 16;

/**
 * Seals secrets with AES-256-GCM. A sealed text is `v1.<key>.<text>`: it names the key by the beginning of its hash, so that
 * another key can be distinguished from a changed text.
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto';
 * import { AesSecretBox } from 'stakeport/webhooks';
 *
 * const box = new AesSecretBox(randomBytes(32));
 * console.log(box.open(box.seal('secret'))); // secret
 * ```
 */
export class AesSecretBox implements SecretBox {
  readonly #name: string;

  /** @param key 32 bytes. @throws RangeError for any other number */
  constructor(private readonly key: Uint8Array) {
    if (key.length !== KEY_BYTES) throw new RangeError(`The key of a secret box has ${KEY_BYTES} bytes.`);
    this.#name = createHash('sha256').update(key).digest('hex').slice(0, 8);
  }

  fresh(): string {
    return `whsec_${randomBytes(KEY_BYTES).toString('base64')}`;
  }

  seal(secret: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce);
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${FORM}.${this.#name}.${sealed.toString('base64url')}`;
  }

  open(sealed: string): string {
    const [form, name, text = ''] = sealed.split('.');
    const bytes = Buffer.from(text, 'base64url');
    if (form !== FORM || name !== this.#name || bytes.length < NONCE_BYTES + TAG_BYTES) throw new SecretUnreadable();
    const decipher = createDecipheriv(CIPHER, this.key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const secret = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      return secret.toString('utf8');
    } catch {
      throw new SecretUnreadable();
    }
  }

  /** HMAC-SHA-256, of which half is shown, with a key of its own. */
  codeOf(text: string): string {
    const key = createHmac('sha256', this.key).update('codes').digest();
    return createHmac('sha256', key).update(text).digest().subarray(0, CODE_BYTES).toString('base64url');
  }
}
