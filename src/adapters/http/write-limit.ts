import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Principal } from '../../core/access/principal.js';
import { Problem } from './problem.js';
import type { Route, Tag } from './route.js';

/** What is not counted here: orders have limits of their own, a halt and a decision always pass, and logins have their bound. */
const UNCOUNTED: readonly Tag[] = ['orders', 'trading', 'approvals', 'session'];

/** True of the routes whose requests are counted: those that put something on record, except orders and what stops trading. */
export const isCounted = ({
  method,
  tag,
  takesKey,
  operationId,
}: Pick<Route, 'method' | 'tag' | 'takesKey' | 'operationId'>) =>
  method !== 'GET' &&
  !UNCOUNTED.includes(tag) &&
  !(tag === 'strategies' && takesKey === false) &&
  operationId !== 'pauseStrategy';

/** Bounds what a key puts on record in a minute: much of it stays for ever. Tokens of an account are counted together. */
export class WriteLimit {
  readonly #limiter: RateLimiterMemory;

  constructor(private readonly perMinute: number) {
    this.#limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  }

  /** @throws Problem too-many-writes */
  async take({ kind, account, credential }: Principal): Promise<void> {
    try {
      await this.#limiter.consume(kind === 'key' ? `key ${credential}` : `${kind} ${account}`);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const headers = { 'retry-after': `${Math.ceil(refused.msBeforeNext / 1000)}` };
      const detail = `The key may change ${this.perMinute} things within a minute.`;
      throw new Problem('too-many-writes', detail, { headers });
    }
  }
}
