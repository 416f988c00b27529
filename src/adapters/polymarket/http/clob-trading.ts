import * as v from 'valibot';
import { bodyOf } from '../../transport/body.js';
import type { SendOptions } from '../../transport/http-client.js';
import { type NoAnswer, noAnswer, type Result } from '../../transport/result.js';
import type { Call, Delivery } from '../../transport/send-once.js';
import type { VenueClock } from '../../venue/venue-clock.js';
import { type ApiCredentials, l2Headers } from '../signing/l2-headers.js';
import type { Hex } from '../signing/signer.js';
import { closedOnlyFlag, type VenueBalance, venueBalance } from './account-wire.js';
import { resultOf } from './answer.js';
import { type CancelOutcome, cancelOutcome } from './cancel-wire.js';
import { type VenueOrder, venueOrder } from './order-wire.js';
import { type Paged, readPaged } from './paged.js';
import { type PlaceOutcome, placeOutcome } from './place-outcomes.js';
import { type VenueTrade, venueTrade } from './trade-wire.js';
import type { TradingClient } from './trading-client.js';

/** The account that trades, and its connection. */
export interface ClobTradingOptions {
  readonly http: TradingClient;
  readonly clock: VenueClock;
  readonly credentials: ApiCredentials;
  /** The address of the signing key, for every type of wallet. */
  readonly address: Hex;
  readonly signatureType: 0 | 1 | 2 | 3;
}

/** Which trades to read; all of the account when empty. */
export interface TradeFilter {
  /** From about this moment on: the venue takes whole seconds, so it is rounded down. */
  readonly after?: Date;
  readonly market?: string;
  readonly asset?: string;
  readonly id?: string;
  readonly makerAddress?: string;
}

/** The order as the venue shows it, or `absent`, which proves nothing: the venue hides orders that have ended. */
export type OrderLookup = { readonly kind: 'ok'; readonly value: VenueOrder } | { readonly kind: 'absent' } | NoAnswer;

/** Dollars, or the shares of one token. */
export type BalanceOf = { readonly asset: 'collateral' } | { readonly asset: 'token'; readonly tokenId: string };

/**
 * The trading API of the CLOB for one account (`polymarket.md` 2.3). A request that may change something at the venue is
 * sent once and never repeated here; reads are repeated. Nothing throws: an unusable answer is `no_answer`.
 */
export class ClobTrading {
  readonly #options: ClobTradingOptions;

  constructor(options: ClobTradingOptions) {
    this.#options = options;
  }

  /** True while the venue does not answer. */
  get isDown(): boolean {
    return this.#options.http.isDown;
  }

  /** How long the venue holds off orders, in milliseconds; null while they go out within their time. */
  get ordersHeldMs(): number | null {
    return this.#options.http.heldMs('order');
  }

  /** Sends these bytes as POST /order, once. `orderHash` is the id that the order must get. */
  async placeOrder(body: string, orderHash: Hex, options: Omit<SendOptions, 'cost'> = {}): Promise<PlaceOutcome> {
    const call = this.#signed({ method: 'POST', path: '/order', body });
    return placeOutcome(await this.#options.http.send('order', call, options), orderHash);
  }

  /** Cancels one order. Safe to repeat. */
  async cancelOrder(venueOrderId: string): Promise<CancelOutcome> {
    return this.#cancel('/order', { orderID: venueOrderId });
  }

  /** Cancels every order of the account, including those unknown to us. Safe to repeat. */
  async cancelAll(): Promise<CancelOutcome> {
    return this.#cancel('/cancel-all');
  }

  /** The order with this id. */
  async order(venueOrderId: string): Promise<OrderLookup> {
    const delivery = await this.#read(`/data/order/${encodeURIComponent(venueOrderId)}`);
    if (isNothing(delivery)) return { kind: 'absent' };
    const result = resultOf(venueOrder, delivery);
    const isOther = result.kind === 'ok' && result.value.venueOrderId.toLowerCase() !== venueOrderId.toLowerCase();
    return isOther ? noAnswer('another_order', 200) : result;
  }

  /** The resting orders. */
  async openOrders(
    filter: { readonly market?: string; readonly asset?: string } = {},
  ): Promise<Paged<VenueOrder> | NoAnswer> {
    return readPaged({
      row: venueOrder,
      key: ({ venueOrderId }) => venueOrderId,
      fetch: (cursor) =>
        this.#read('/data/orders', { market: filter.market, asset_id: filter.asset, next_cursor: cursor }),
    });
  }

  /** The trades of the account, newest first. */
  async trades({ after, market, asset, id, makerAddress }: TradeFilter = {}): Promise<Paged<VenueTrade> | NoAnswer> {
    const since = after === undefined ? undefined : `${Math.floor(after.getTime() / 1000)}`;
    const query = { id, maker_address: makerAddress, market, asset_id: asset, after: since };
    return readPaged({
      row: venueTrade,
      key: ({ tradeId, bucket }) => `${tradeId} ${bucket}`,
      fetch: (cursor) => this.#read('/data/trades', { ...query, next_cursor: cursor }),
    });
  }

  /** Our balance as the venue believes it to be. */
  async balance(of: BalanceOf): Promise<Result<VenueBalance>> {
    return resultOf(venueBalance, await this.#read('/balance-allowance', this.#asset(of)));
  }

  /** Makes the venue read the chain again; true once it has confirmed that it did. */
  async refreshBalance(of: BalanceOf): Promise<Result<true>> {
    const delivery = await this.#read('/balance-allowance/update', this.#asset(of));
    if (delivery.kind === 'answered' && delivery.status === 200) return { kind: 'ok', value: true };
    return resultOf(v.never(), delivery);
  }

  /** Whether the account may only reduce its positions. */
  async closedOnly(): Promise<Result<boolean>> {
    return resultOf(closedOnlyFlag, await this.#read('/auth/ban-status/closed-only'));
  }

  async #cancel(path: string, body?: unknown): Promise<CancelOutcome> {
    const written = body === undefined ? {} : { body: JSON.stringify(body) };
    const call = this.#signed({ method: 'DELETE', path, ...written });
    return cancelOutcome(await this.#options.http.send('cancel', call));
  }

  #read(path: string, query: Readonly<Record<string, string | undefined>> = {}): Promise<Delivery> {
    const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return this.#options.http.read(this.#signed({ method: 'GET', path, query: new URLSearchParams(given) }));
  }

  #signed(call: Call): Call {
    const { credentials, address, clock } = this.#options;
    return { ...call, headers: () => l2Headers(credentials, address, call, clock.seconds()) };
  }

  #asset(of: BalanceOf): Readonly<Record<string, string>> {
    const signature_type = `${this.#options.signatureType}`;
    if (of.asset === 'collateral') return { asset_type: 'COLLATERAL', signature_type };
    return { asset_type: 'CONDITIONAL', token_id: of.tokenId, signature_type };
  }
}

/** The venue's forms of an empty result: an empty body, `null`, or a 404 with an error. */
function isNothing(delivery: Delivery): boolean {
  if (delivery.kind !== 'answered') return false;
  if (delivery.status === 200 && delivery.body.toString('latin1').trim() === '') return true;
  const body = bodyOf(delivery);
  if (body.form !== 'json') return false;
  return delivery.status === 404 || (delivery.status === 200 && (body.value === null || body.value === ''));
}
