import { randomBytes } from 'node:crypto';
import type { SessionSecret, SessionSecrets } from '../../ports/session-store.js';
import { digestSecret } from './api-key-text.js';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * Creates the secrets of sessions: 256 random bits each.
 *
 * @example
 * ```ts
 * import { RandomSessionSecrets } from 'stakeport/auth';
 *
 * const { text, digest } = new RandomSessionSecrets('a pepper of your own').issue();
 * ```
 */
export class RandomSessionSecrets implements SessionSecrets {
  /** `pepper` is the server's own secret, the one of its keys. */
  constructor(private readonly pepper: string) {}

  issue(): SessionSecret {
    const text = randomBytes(32).toString('base64url');
    return { text, digest: this.#digest(text) };
  }

  digestOf(text: string): string | undefined {
    return SECRET.test(text) ? this.#digest(text) : undefined;
  }

  #digest(text: string): string {
    return digestSecret(this.pepper, text).toString('hex');
  }
}
