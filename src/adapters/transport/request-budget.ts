import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How many requests may go to the paths that begin with `prefix` in a window of time. */
export interface Allowance {
  /** Compared with the whole path below the base address; empty for every request. */
  readonly prefix: string;
  readonly points: number;
  /** How many of them one account may use, where requests name accounts; all of them when absent. */
  readonly each?: number;
  /** The window, which begins with its first request; ten seconds when absent. */
  readonly seconds?: number;
}

const WINDOW_SECONDS = 10;
const KEY = 'requests';

interface Meter {
  readonly prefix: string;
  readonly limiter: RateLimiterMemory;
  /** By account. */
  readonly shares: RateLimiterMemory | null;
}

/** Counts the requests to one origin; each counts against every allowance whose prefix it has. */
export class RequestBudget {
  readonly #meters: readonly Meter[];

  constructor(allowances: readonly Allowance[]) {
    this.#meters = allowances.map(({ prefix, points, each, seconds: duration = WINDOW_SECONDS }) => ({
      prefix,
      limiter: new RateLimiterMemory({ points, duration }),
      shares: each === undefined ? null : new RateLimiterMemory({ points: each, duration }),
    }));
  }

  /** Milliseconds to wait before the request may be sent; 0 when it may go now: then it is counted `cost` times. */
  async take(path: string, cost = 1, account: string | null = null): Promise<number> {
    const meters = this.#for(path);
    // What an account may not send yet takes nothing from the others.
    const own = account === null ? 0 : await longest(meters.map(({ shares }) => waitOf(shares, account, cost)));
    return own > 0 ? own : longest(meters.map(({ limiter }) => waitOf(limiter, KEY, cost)));
  }

  /** Blocks this path for as long as the venue said; other paths that share an allowance with it wait too. */
  async hold(path: string, milliseconds: number): Promise<void> {
    // The limiter treats a block of length zero as one without an end.
    if (milliseconds <= 0) return;
    await Promise.all(this.#for(path).map(({ limiter }) => limiter.block(KEY, milliseconds / 1000)));
  }

  #for(path: string): readonly Meter[] {
    return this.#meters.filter(({ prefix }) => path.startsWith(prefix));
  }
}

const longest = async (waits: readonly Promise<number>[]): Promise<number> =>
  Math.max(0, ...(await Promise.all(waits)));

async function waitOf(limiter: RateLimiterMemory | null, key: string, cost: number): Promise<number> {
  try {
    await limiter?.consume(key, cost);
    return 0;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
    throw refusal;
  }
}
