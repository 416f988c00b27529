import { randomBytes } from 'node:crypto';
import type { IssuedSecret, KeyMaker } from '../../ports/key-store.js';
import type { SessionSecret, SessionSecrets } from '../../ports/session-store.js';
import { digestSecret, formatApiKey } from './api-key-authenticator.js';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * Creates the secrets of sessions: 256 random bits each.
 *
 * @example
 * ```ts
 * import { RandomSessionSecrets } from 'stakeport/http';
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

/**
 * Creates keys with 256 random bits. An id is 20 hexadecimal digits: the time in milliseconds, then 32 random bits; each
 * sorts after the one before, because stores list keys by id, newest first.
 *
 * @example
 * ```ts
 * import { RandomKeyMaker } from 'stakeport/http';
 *
 * const secret = new RandomKeyMaker('a pepper of your own').issue();
 * ```
 */
export class RandomKeyMaker implements KeyMaker {
  #lastMoment = 0;

  /** `pepper` is the server's own secret: without it, stored digests cannot be tested against guesses. */
  constructor(private readonly pepper: string) {}

  issue(): IssuedSecret {
    const id = this.#nextId();
    const secret = randomBytes(32).toString('base64url');
    return { id, text: formatApiKey({ id, secret }), digest: digestSecret(this.pepper, secret).toString('hex') };
  }

  #nextId(): string {
    // Two keys of one millisecond, or a clock set back, must not change the order in which keys were created.
    this.#lastMoment = Math.max(Date.now(), this.#lastMoment + 1);
    return this.#lastMoment.toString(16).padStart(12, '0') + randomBytes(4).toString('hex');
  }
}
