import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from './problem.js';

const PER_MINUTE = 10;

/**
 * Bounds how many sessions a key begins in a minute, so that one that loops does not fill the store. Wrong keys are not
 * counted: nobody guesses 256 bits, and a bound on guesses would let strangers keep others from logging in.
 */
export class LoginLimit {
  readonly #limiter = new RateLimiterMemory({ points: PER_MINUTE, duration: 60 });

  /** @throws Problem too-many-sessions */
  async take(keyId: string): Promise<void> {
    try {
      await this.#limiter.consume(keyId);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const headers = { 'retry-after': `${Math.ceil(refused.msBeforeNext / 1000)}` };
      throw new Problem('too-many-sessions', `The key began ${PER_MINUTE} sessions within a minute.`, { headers });
    }
  }
}
