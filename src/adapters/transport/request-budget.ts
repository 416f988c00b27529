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

/**
 * Counts the requests to one origin; each counts against every allowance whose prefix it has. Windows are of the machine's time: the
 * library takes no clock.
 */
export class RequestBudget {
  readonly #meters: readonly Meter[];

  constructor(allowances: readonly Allowance[]) {
    this.#meters = allowances.map(({ prefix, points, each, seconds: duration = WINDOW_SECONDS }) => ({
      prefix,
      limiter: new RateLimiterMemory({ points, duration }),
      shares: each === undefined ? null : new RateLimiterMemory({ points: each, duration }),
    }));
  }

  /**
   * Milliseconds to wait before the request may be sent; 0 when it may go now: then it is counted `cost` times. What has to wait takes
   * nothing from anybody.
   */
  async take(path: string, cost = 1, account: string | null = null): Promise<number> {
    const meters = this.#for(path);
    const common = meters.map(({ limiter }) => new Count(limiter, KEY, cost));
    const own =
      account === null ? [] : meters.flatMap(({ shares }) => (shares ? [new Count(shares, account, cost)] : []));
    for (const counts of [own, common]) {
      const wait = Math.max(0, ...(await Promise.all(counts.map((count) => count.take()))));
      if (wait === 0) continue;
      const taken = counts === own ? own : [...own, ...common];
      await Promise.all(taken.map((count) => count.giveBack()));
      return wait;
    }
    return 0;
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

/** What one request counts in one limiter. */
class Count {
  constructor(
    private readonly limiter: RateLimiterMemory,
    private readonly key: string,
    private readonly cost: number,
  ) {}

  /** Milliseconds to wait; 0 when there was room for it. Counted either way. */
  async take(): Promise<number> {
    try {
      await this.limiter.consume(this.key, this.cost);
      return 0;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return Math.max(1, refusal.msBeforeNext);
      throw refusal;
    }
  }

  async giveBack(): Promise<void> {
    await this.limiter.reward(this.key, this.cost);
  }
}
