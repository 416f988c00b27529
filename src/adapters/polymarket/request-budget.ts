import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How many requests may go to the paths that begin with `prefix`, in ten seconds (`polymarket.md` 2.5). */
export interface Allowance {
  /** Compared with the whole path below the base address; empty for every request. */
  readonly prefix: string;
  readonly points: number;
}

const WINDOW_SECONDS = 10;
const KEY = 'requests';

interface Meter {
  readonly prefix: string;
  readonly limiter: RateLimiterMemory;
}

/** Counts the requests to one origin; a request is counted by every allowance whose prefix it has. */
export class RequestBudget {
  readonly #meters: readonly Meter[];

  constructor(allowances: readonly Allowance[]) {
    this.#meters = allowances.map(({ prefix, points }) => ({
      prefix,
      limiter: new RateLimiterMemory({ points, duration: WINDOW_SECONDS }),
    }));
  }

  /** Milliseconds to wait before the request may be sent; 0 when it may go now, and then it is counted. */
  async take(path: string): Promise<number> {
    const waits = await Promise.all(this.#for(path).map(({ limiter }) => waitOf(limiter)));
    return Math.max(0, ...waits);
  }

  /** Lets nothing through to this path for as long as the venue said; whatever shares an allowance with it waits too. */
  async hold(path: string, milliseconds: number): Promise<void> {
    await Promise.all(this.#for(path).map(({ limiter }) => limiter.block(KEY, milliseconds / 1000)));
  }

  #for(path: string): readonly Meter[] {
    return this.#meters.filter(({ prefix }) => path.startsWith(prefix));
  }
}

async function waitOf(limiter: RateLimiterMemory): Promise<number> {
  try {
    await limiter.consume(KEY);
    return 0;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
    throw refusal;
  }
}
