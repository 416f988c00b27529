import * as v from 'valibot';
import type { Clock } from '../../../ports/system.js';
import { bodyOf } from '../../transport/body.js';
import { HttpClient, type LaneAllowances, type SendOptions } from '../../transport/http-client.js';
import type { HttpLimits } from '../../transport/http-limits.js';
import type { NoAnswer, Result } from '../../transport/result.js';
import type { Answered, Call, Delivery } from '../../transport/send-once.js';
import { VenueClock } from '../../venue/venue-clock.js';
import { kalshiAllowances, ONE_ORDER_TOKENS, REQUEST_TOKENS } from './account-allowances.js';
import {
  apiKeys,
  type KalshiBalance,
  type KalshiFill,
  type KalshiLimits,
  type KalshiOrder,
  type KalshiPosition,
  kalshiBalance,
  kalshiFill,
  kalshiLimits,
  kalshiOrder,
  kalshiPosition,
  kalshiSettlement,
  userDataTime,
} from './account-records.js';
import { kalshiErrorIn, kalshiResult } from './answer.js';
import { API_PATH, accessHeaders, type RequestSigner } from './api-key.js';
import { type CreateOutcome, createOutcome } from './create-outcomes.js';
import { type ExchangeStatus, exchangeStatus } from './exchange-status.js';
import { type KalshiList, readKalshiList } from './list.js';

/** The account, its key, and its connection. */
export interface KalshiClientOptions {
  /** The origin of REST, such as `https://external-api.kalshi.com`. */
  readonly api: URL;
  readonly signer: RequestSigner;
  readonly clock: Clock;
  readonly limits?: Partial<HttpLimits> | undefined;
  /** How many tokens of each kind are used in what time; by default those of the lowest tier. */
  readonly allowances?: LaneAllowances<'order' | 'cancel'>;
  /** Called in words that hold none of the venue's text. */
  report(reason: string): void;
}

/** What an answer of a cancellation says. `gone` is the venue's 404, which it gives for cancelled, executed and unknown orders alike. */
export type KalshiCancelAnswer =
  | { readonly kind: 'cancelled'; readonly orderId: string; readonly reduced: string }
  | { readonly kind: 'gone' }
  | NoAnswer;

const oneOrder = v.pipe(
  v.object({ order: kalshiOrder }),
  v.transform(({ order }) => order),
);

const cancelled = v.object({
  order_id: v.pipe(v.string(), v.nonEmpty()),
  reduced_by: v.nullish(v.string(), ''),
});

/**
 * The private interface of the venue for one account (`kalshi.md` 5, 6). What may change something is sent once, and never again here; reads
 * are repeated. Nothing throws. Every request is signed anew, by the venue's time.
 */
export class KalshiClient {
  readonly venueClock: VenueClock;
  readonly #http: HttpClient<'order' | 'cancel'>;
  readonly #signer: RequestSigner;
  readonly #clock: Clock;

  constructor({ api, signer, clock, limits, allowances = kalshiAllowances(null), report }: KalshiClientOptions) {
    this.#http = new HttpClient(new URL(API_PATH, api), allowances, limits, report);
    this.#signer = signer;
    this.#clock = clock;
    this.venueClock = new VenueClock({
      clock,
      readSeconds: () => this.#seconds(),
      reportSkew: (ms) => report(`our clock is ${Math.abs(ms)} ms ${ms > 0 ? 'behind' : 'ahead'}`),
    });
  }

  /** True while the venue does not answer. */
  get isDown(): boolean {
    return this.#http.isDown;
  }

  /** How long the venue holds off orders, in milliseconds; null while they go out within their time. */
  get ordersHeldMs(): number | null {
    return this.#http.heldMs('order');
  }

  /** Sends this body as it is, once. `clientOrderId` is the identity in it. */
  async create(body: string, clientOrderId: string, options: Omit<SendOptions, 'cost'> = {}): Promise<CreateOutcome> {
    const call = this.#signed({ method: 'POST', path: '/portfolio/events/orders', body });
    return createOutcome(await this.#http.send('order', call, { ...options, cost: REQUEST_TOKENS }), clientOrderId);
  }

  /** Cancels one order. Without the ticker the venue would look on the first shard only (K16). Safe to repeat. */
  async cancel(orderId: string, ticker: string): Promise<KalshiCancelAnswer> {
    const path = `/portfolio/events/orders/${encodeURIComponent(orderId)}`;
    const query = new URLSearchParams({ market_ticker: ticker });
    const call = this.#signed({ method: 'DELETE', path, query });
    const delivery = await this.#inTime(() => this.#http.send('cancel', call, { cost: ONE_ORDER_TOKENS }));
    const result = kalshiResult(cancelled, delivery);
    if (result.kind === 'ok') {
      return { kind: 'cancelled', orderId: result.value.order_id, reduced: result.value.reduced_by };
    }
    return result.status === 404 && result.reason === 'refused' ? { kind: 'gone' } : result;
  }

  /** The orders of the account that match, the newest first. */
  orders(query: {
    readonly ticker?: string;
    readonly status?: 'resting';
    readonly since?: Date;
  }): Promise<KalshiList<KalshiOrder> | NoAnswer> {
    const { ticker, status, since } = query;
    return this.#list('/portfolio/orders', 'orders', kalshiOrder, ({ orderId }) => orderId, {
      ticker,
      status,
      min_ts: secondsOf(since),
    });
  }

  /** One order by the venue's own name; a fresh one may not be shown for a moment. */
  async order(orderId: string): Promise<Result<KalshiOrder>> {
    const path = `/portfolio/orders/${encodeURIComponent(orderId)}`;
    return kalshiResult(oneOrder, await this.#read(path, {}, ONE_ORDER_TOKENS));
  }

  /** Orders that ended longer ago than the live list goes back (K24). */
  pastOrders(ticker: string): Promise<KalshiList<KalshiOrder> | NoAnswer> {
    return this.#list('/historical/orders', 'orders', kalshiOrder, ({ orderId }) => orderId, { ticker });
  }

  /** The fills of the account, or of one order. */
  fills(query: {
    readonly orderId?: string;
    readonly ticker?: string;
    readonly since?: Date;
  }): Promise<KalshiList<KalshiFill> | NoAnswer> {
    const { orderId, ticker, since } = query;
    const named = { order_id: orderId, ticker, min_ts: secondsOf(since) };
    return this.#list('/portfolio/fills', 'fills', kalshiFill, fillKey, named);
  }

  /** Fills older than the live list goes back. */
  pastFills(ticker: string): Promise<KalshiList<KalshiFill> | NoAnswer> {
    return this.#list('/historical/fills', 'fills', kalshiFill, fillKey, { ticker });
  }

  /** The net positions of the account in markets whose results are not paid. */
  positions(): Promise<KalshiList<KalshiPosition> | NoAnswer> {
    const query = { settlement_status: 'unsettled' };
    return this.#list('/portfolio/positions', 'market_positions', kalshiPosition, ({ ticker }) => ticker, query);
  }

  /** The results of a market that were paid to the account. */
  settlements(ticker: string): Promise<KalshiList<v.InferOutput<typeof kalshiSettlement>> | NoAnswer> {
    return this.#list('/portfolio/settlements', 'settlements', kalshiSettlement, (row) => row.settled_time, { ticker });
  }

  /** The cash of the account. */
  async balance(): Promise<Result<KalshiBalance>> {
    return kalshiResult(kalshiBalance, await this.#read('/portfolio/balance'));
  }

  /** The keys of the account, their scopes, and until when its location is attested. */
  async keys() {
    return kalshiResult(apiKeys, await this.#read('/api_keys'));
  }

  /** Reads what the venue allows the account, and keeps to that from now on: to the lowest tier for what it says nothing usable of. */
  async keepLimits(): Promise<Result<KalshiLimits>> {
    const limits = kalshiResult(kalshiLimits, await this.#read('/account/limits'));
    if (limits.kind === 'ok') this.#http.allow(kalshiAllowances(limits.value));
    return limits;
  }

  /** About how current the private reads are; null where the venue does not say. */
  async currentAsOf(): Promise<Date | null> {
    const result = kalshiResult(userDataTime, await this.#read('/exchange/user_data_timestamp'));
    return result.kind === 'ok' ? result.value.as_of_time : null;
  }

  /** Whether the exchange and its shards trade. Its body comes with statuses of failure too (`kalshi.md` 2.3). */
  async status(): Promise<Result<ExchangeStatus>> {
    const delivery = await this.#readStatus();
    const isFailure = delivery.kind === 'answered' && [500, 503, 504].includes(delivery.status);
    return kalshiResult(exchangeStatus, isFailure ? { ...delivery, status: 200 } : delivery);
  }

  /** Lets calls in progress end within their own limits, and closes every connection. */
  drain(): Promise<void> {
    return this.#http.drain();
  }

  /** Closes every connection. */
  close(): Promise<void> {
    return this.#http.close();
  }

  #list<T>(
    path: string,
    member: string,
    row: v.GenericSchema<unknown, T>,
    key: (item: T) => string,
    query: Readonly<Record<string, string | undefined>>,
  ): Promise<KalshiList<T> | NoAnswer> {
    return readKalshiList({
      member,
      row,
      key,
      fetch: (cursor) => this.#read(path, { ...query, limit: '1000', cursor }),
    });
  }

  #read(
    path: string,
    query: Readonly<Record<string, string | undefined>> = {},
    cost = REQUEST_TOKENS,
  ): Promise<Delivery> {
    const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const call = this.#signed({ method: 'GET', path, query: new URLSearchParams(given) });
    return this.#inTime(() => this.#http.read(call, { cost }));
  }

  #readStatus(): Promise<Delivery> {
    return this.#http.read({ method: 'GET', path: '/exchange/status' }, { cost: REQUEST_TOKENS });
  }

  /** Once more by the venue's time, where it refuses ours: the clock of this machine was set since it was measured (K18). */
  async #inTime(send: () => Promise<Delivery>): Promise<Delivery> {
    const delivery = await send();
    return isOutOfTime(delivery) && (await this.venueClock.measure()) ? send() : delivery;
  }

  #signed(call: Call): Call {
    const signed = { method: call.method, path: `${API_PATH}${call.path}` };
    return { ...call, headers: () => accessHeaders(this.#signer, signed, this.#now()) };
  }

  #now(): number {
    return this.#clock.now().getTime() + this.venueClock.offsetMs;
  }

  /** There is no endpoint for the time: an answer's date tells it (`kalshi.md` 2.2). */
  async #seconds(): Promise<number | null> {
    const delivery = await this.#readStatus();
    return delivery.kind === 'answered' ? dateOf(delivery) : null;
  }
}

function isOutOfTime(delivery: Delivery): boolean {
  if (delivery.kind !== 'answered' || delivery.status !== 401) return false;
  const body = bodyOf(delivery);
  return body.form === 'json' && kalshiErrorIn(body.value).code.startsWith('header_timestamp_expired');
}

const fillKey = ({ tradeId, orderId }: KalshiFill): string => `${tradeId} ${orderId}`;

function dateOf({ headers }: Answered): number | null {
  const ms = Date.parse(String(headers['date'] ?? ''));
  return Number.isNaN(ms) ? null : ms / 1000;
}

const secondsOf = (moment: Date | undefined): string | undefined =>
  moment === undefined ? undefined : `${Math.max(0, Math.floor(moment.getTime() / 1000))}`;
