import { FairQueue } from '../../core/concurrency/fair-places.js';
import { TooManyLookups } from '../../core/errors.js';
import type { AccountId } from '../../core/ids.js';
import type { Asker } from '../../ports/market-data.js';
import { HttpClient, type LaneAllowances } from '../transport/http-client.js';
import { HTTP_LIMITS, type HttpLimits } from '../transport/http-limits.js';
import type { Call, Delivery } from '../transport/send-once.js';

/** Who asks for a market because it is followed. */
export const FOLLOWED = 'followed';

/** For whom something is read, and what ends the reading. */
export interface ReadFor {
  readonly asker?: Asker | typeof FOLLOWED | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** After so long some of what waits for an account has been sent. */
const CROWDED_MS = 10_000;

/** The share and the queue of reads for several accounts, as if for one account; no account has this name. */
const EVERYBODY = '' as AccountId;

/** The lanes of market data beside that of orders. */
export type MarketDataLane = 'look' | 'follow' | 'result';

/**
 * Reads one host of market data. What no order waits for uses the lane `look`, what is read because a market is followed uses
 * `follow`, results `result`, all else `read`; in `look` and `read`, accounts are served round-robin, whatever one has queued.
 */
export class MarketDataClient {
  readonly #http: HttpClient<MarketDataLane>;
  readonly #queue: Readonly<Record<'read' | 'look', AccountQueue>>;

  /** @param report called once per outage in which the host answers no reads */
  constructor(
    base: URL,
    allowances: LaneAllowances<MarketDataLane>,
    limits: Partial<HttpLimits> = {},
    report: (reason: string) => void = () => {},
  ) {
    const { connections } = { ...HTTP_LIMITS, ...limits };
    this.#http = new HttpClient(base, allowances, limits, report);
    this.#queue = { read: new AccountQueue(connections), look: new AccountQueue(connections) };
  }

  /** Sends a request at most three times, in the turn of the account. @throws TooManyLookups where too much of it waits already */
  async read(call: Call, { asker, signal }: ReadFor = {}): Promise<Delivery> {
    if (asker === FOLLOWED) return this.#http.read(call, { lane: 'follow', signal });
    if (asker?.purpose === 'result') return this.#http.read(call, { lane: 'result', signal });
    const lane = asker?.purpose === 'look' ? 'look' : 'read';
    const account = asker === undefined ? null : (asker.account ?? EVERYBODY);
    if (account === null) return this.#http.read(call, { lane, signal });
    const read = (turn: () => Promise<() => void>) => this.#http.read(call, { lane, account, signal, turn });
    const delivery = await this.#queue[lane].read(account, read);
    if (delivery === null) throw new TooManyLookups(CROWDED_MS);
    return delivery;
  }

  /** Closes every connection. */
  close(): Promise<void> {
    return this.#http.close();
  }
}

/** So many reads of one account may be under way or wait. */
const MOST_WAITING = 256;

/** The round-robin queue of accounts that read over the connections of one lane. */
class AccountQueue {
  readonly #queue: FairQueue;
  readonly #waiting = new Map<AccountId, number>();

  constructor(connections: number) {
    this.#queue = new FairQueue(Math.max(4, connections));
  }

  /** Reads, with what resolves once it is the account's turn to send, with what ends the turn; null at once where too much of it waits already. */
  async read<T>(account: AccountId, read: (turn: () => Promise<() => void>) => Promise<T>): Promise<T | null> {
    const waiting = this.#waiting.get(account) ?? 0;
    if (waiting >= MOST_WAITING) return null;
    this.#waiting.set(account, waiting + 1);
    try {
      return await read(() => this.#queue.take(account));
    } finally {
      const left = (this.#waiting.get(account) ?? 1) - 1;
      if (left === 0) this.#waiting.delete(account);
      else this.#waiting.set(account, left);
    }
  }
}
