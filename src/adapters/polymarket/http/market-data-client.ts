import { TooManyLookups } from '../../../core/errors.js';
import type { Asker } from '../../../ports/market-data.js';
import { HttpClient, type LaneAllowances } from '../../transport/http-client.js';
import { HTTP_LIMITS, type HttpLimits } from '../../transport/http-limits.js';
import type { Call, Delivery } from '../../transport/send-once.js';
import { AccountTurns } from './account-turns.js';

/** For whom something is read, and what ends the reading. */
export interface ReadFor {
  readonly asker?: Asker | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** After so long some of what waits for an account has been sent. */
const CROWDED_MS = 10_000;

/**
 * Reads one host of market data. What no order waits for is in the lane `look`, all else in `read`; in each, accounts take turns,
 * whatever one has waiting.
 */
export class MarketDataClient {
  readonly #http: HttpClient<'look'>;
  readonly #turns: Readonly<Record<'read' | 'look', AccountTurns>>;

  /** @param report called once per outage in which the host answers no reads */
  constructor(
    base: URL,
    allowances: LaneAllowances<'look'>,
    limits: Partial<HttpLimits> = {},
    report: (reason: string) => void = () => {},
  ) {
    const { connections } = { ...HTTP_LIMITS, ...limits };
    this.#http = new HttpClient(base, allowances, limits, report);
    this.#turns = { read: new AccountTurns(connections), look: new AccountTurns(connections) };
  }

  /** Sends a request at most three times, in the turn of the account. @throws TooManyLookups where too much of it waits already */
  async read(call: Call, { asker, signal }: ReadFor = {}): Promise<Delivery> {
    const lane = asker?.purpose === 'look' ? 'look' : 'read';
    const account = asker?.account ?? null;
    if (account === null) return this.#http.read(call, { lane, signal });
    const end = await this.#turns[lane].take(account);
    if (end === null) throw new TooManyLookups(CROWDED_MS);
    try {
      return await this.#http.read(call, { lane, account, signal });
    } finally {
      end();
    }
  }

  /** Closes every connection. */
  close(): Promise<void> {
    return this.#http.close();
  }
}
