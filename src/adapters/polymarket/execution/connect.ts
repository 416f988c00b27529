import { VenueUnusable } from '../../../core/venues/venues.js';
import type { Exchange } from '../../../ports/exchange.js';
import type { Clock, Stopwatch } from '../../../ports/system.js';
import type { Redemption } from '../../../ports/venue.js';
import type { AccountListener, VenueAccount } from '../../../ports/venue-adapter.js';
import type { HttpLimits } from '../../transport/http-limits.js';
import type { NoAnswer, Result } from '../../transport/result.js';
import type { WebSocketLimits } from '../../transport/websocket-session.js';
import type { Alarm } from '../../venue/order-results.js';
import { VenueClock } from '../../venue/venue-clock.js';
import { apiCredentials } from '../http/api-keys.js';
import { ClobTrading } from '../http/clob-trading.js';
import { type TradingClient, tradingClient } from '../http/trading-client.js';
import { serverTime, serverVersion } from '../http/venue-status.js';
import type { ApiCredentials } from '../signing/l2-headers.js';
import type { Hex, Signer } from '../signing/signer.js';
import { SigningRefused } from '../signing/signing-refused.js';
import { UserStream } from '../websocket/user-stream.js';
import { PolymarketExchange } from './polymarket-exchange.js';
import { PolymarketRedemption } from './polymarket-redemption.js';

/** The venue's addresses, and the account that orders are placed for. */
export interface ConnectOptions {
  readonly clob: URL;
  /** The base URL to which the user channel's path is appended. */
  readonly stream: URL;
  readonly signer: Signer;
  readonly chainId: number;
  /** 0 a plain key, 1 a proxy, 2 a Safe, 3 a deposit wallet (`polymarket.md` 1). */
  readonly signatureType: 0 | 1 | 2 | 3;
  /** The wallet that pays; the key's own address when absent. */
  readonly funder?: Hex;
  /** Null to request those of the signer's key from the venue. */
  readonly credentials: ApiCredentials | null;
  /** True when no order will be signed, so that the order version the venue accepts does not matter. */
  readonly anyVersion?: boolean;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  /** Called when the venue's data about an order is inconsistent. */
  readonly alarm: Alarm;
  /** Called when the connection is interrupted, with a reason that holds none of the venue's text. */
  report(reason: string): void;
  readonly limits?: Partial<HttpLimits>;
  readonly userLimits?: Partial<WebSocketLimits>;
}

/** An account at the venue, ready to trade. */
export interface PolymarketConnection {
  readonly exchange: Exchange & VenueAccount;
  /** How results become cash: no result at this venue pays cash by itself. */
  readonly redemption: Redemption;
  /** The address of the signing key. */
  readonly address: Hex;
  /** How far our clock is off by the venue's, positive when the venue is ahead; measured at most every five minutes. */
  clockOffMs(): number;
  /** Measures that now; false where the venue did not answer. */
  measureClock(): Promise<boolean>;
  /** Begins to listen to the account's order events, until the connection is closed. */
  listen(listener: AccountListener): void;
  /** Places no further orders, lets those in flight end within their own limits, and closes every connection. */
  close(): Promise<void>;
}

/** A connection as other parts of the venue's folder need it. */
export interface OpenConnection extends PolymarketConnection {
  readonly exchange: PolymarketExchange;
  readonly clob: ClobTrading;
}

const ORDER_VERSION = 2;
/** Too early, and too many requests: these say nothing about the key. */
const PASSING = new Set([408, 425, 429]);
const LATER = 'Check the network and the address, and start again.';

/**
 * Connects to the venue: measures its clock before anything is signed, checks that it accepts the order version signed here,
 * and gets credentials.
 * @throws VenueUnusable when it cannot be traded with; every connection is closed by then
 *
 * @example
 * ```ts
 * import { usdc } from 'stakeport';
 * import { connectPolymarket, EnvironmentSigner } from 'stakeport/polymarket';
 * import { monotonic, systemClock } from 'stakeport/memory';
 *
 * const wallet = { chainId: 137, signatureType: 0 } as const;
 * const { exchange, close } = await connectPolymarket({
 *   ...wallet,
 *   signer: EnvironmentSigner.take(process.env, 'KEY', { ...wallet, notionalCap: usdc('10') }),
 *   clob: new URL('https://clob.polymarket.com'),
 *   stream: new URL('wss://ws-subscriptions-clob.polymarket.com'),
 *   credentials: null, clock: systemClock, stopwatch: monotonic, alarm: console.error, report: console.warn,
 * });
 * ```
 */
export const connectPolymarket = (options: ConnectOptions): Promise<PolymarketConnection> => openConnection(options);

/** Connects as `connectPolymarket` does. */
export async function openConnection(options: ConnectOptions): Promise<OpenConnection> {
  const http = tradingClient(options.clob, options.limits);
  try {
    const venueClock = await measuredClock(options, http);
    if (options.anyVersion !== true) await checkVersion(options, http);
    const credentials = options.credentials ?? (await derived(options, http, venueClock));
    const connection = connected(options, http, venueClock, credentials, await options.signer.address());
    await checkCredentials(options, connection.clob);
    return connection;
  } catch (error) {
    await http.close();
    throw error;
  }
}

function connected(
  options: ConnectOptions,
  http: TradingClient,
  venueClock: VenueClock,
  credentials: ApiCredentials,
  address: Hex,
): OpenConnection {
  const { signer, chainId, signatureType, funder, clock, stopwatch, alarm } = options;
  const clob = new ClobTrading({ http, clock: venueClock, credentials, address, signatureType });
  const ending = new AbortController();
  const exchange = new PolymarketExchange({
    clob,
    signer,
    apiKey: credentials.apiKey,
    clock,
    venueClock,
    stopwatch,
    alarm,
    ending: ending.signal,
    wallet: { chainId, signatureType, address, funder },
  });
  const streams: UserStream[] = [];
  return {
    exchange,
    address,
    clob,
    redemption: new PolymarketRedemption(funder ?? address, (tokenId) => freshShares(clob, tokenId)),
    clockOffMs: () => venueClock.offsetMs,
    measureClock: () => venueClock.measure(),
    listen: (listener) => {
      if (!ending.signal.aborted) streams.push(listening(options, exchange, credentials, funder ?? address, listener));
    },
    close: async () => {
      ending.abort();
      await Promise.all(streams.map((stream) => stream.close()));
      await http.drain();
    },
  };
}

/** The venue caches balances: it is first made to read the chain. */
async function freshShares(trading: ClobTrading, tokenId: string): Promise<bigint | null> {
  const of = { asset: 'token', tokenId } as const;
  const refreshed = await trading.refreshBalance(of);
  const result = refreshed.kind === 'ok' ? await trading.balance(of) : refreshed;
  return result.kind === 'ok' ? result.value.balance : null;
}

function listening(
  { stream, userLimits = {}, report }: ConnectOptions,
  exchange: PolymarketExchange,
  credentials: ApiCredentials,
  wallet: Hex,
  listener: AccountListener,
): UserStream {
  return new UserStream({
    url: new URL(`${stream.href.replace(/\/$/, '')}/ws/user`),
    credentials,
    wallet,
    limits: userLimits,
    report,
    onEvent: (event) => listener.received(exchange.massStatusOf(event)),
    onReconnected: () => listener.gap(),
    onUnreadable: () => listener.gap(),
  });
}

async function measuredClock({ clob, clock, report }: ConnectOptions, http: TradingClient): Promise<VenueClock> {
  let result: Result<number> | null = null;
  const venueClock = new VenueClock({
    clock,
    readSeconds: async () => {
      result = await serverTime(http);
      return result.kind === 'ok' ? result.value : null;
    },
    reportSkew: (milliseconds) =>
      report(`our clock is ${Math.abs(milliseconds)} ms ${milliseconds > 0 ? 'behind' : 'ahead'}`),
  });
  if (await venueClock.measure()) return venueClock;
  const failure = result as Result<number> | null;
  if (failure?.kind === 'no_answer' && failure.status === null) throw unreachable(failure, clob.origin);
  throw new VenueUnusable(
    'clock_untold',
    `The venue does not return its time, which orders are signed with. ${LATER}`,
    true,
  );
}

async function checkVersion({ clob: { origin } }: ConnectOptions, http: TradingClient): Promise<void> {
  const result = await serverVersion(http);
  if (result.kind === 'no_answer') throw unreachable(result, origin);
  if (result.value === ORDER_VERSION) return;
  throw new VenueUnusable(
    'version_mismatch',
    `The venue accepts orders of version ${result.value}, and version ${ORDER_VERSION} is signed here. Update stakeport before trading.`,
    false,
  );
}

/** Checks that the venue accepts the credentials; the flag that is read is not used. */
async function checkCredentials({ clob: { origin } }: ConnectOptions, clob: ClobTrading): Promise<void> {
  const result = await clob.closedOnly();
  if (result.kind === 'ok') return;
  if (result.status === null || result.status >= 500 || PASSING.has(result.status)) throw unreachable(result, origin);
  if (result.status !== 401 && result.status !== 403) return;
  throw new VenueUnusable(
    'credentials_refused',
    'The venue rejects the API credentials. Unset POLYMARKET_API_KEY, _SECRET and _PASSPHRASE to have them requested with the key, or correct them. The clock may also be wrong.',
    false,
  );
}

async function derived(
  { clob, signer, chainId }: ConnectOptions,
  http: TradingClient,
  clock: VenueClock,
): Promise<ApiCredentials> {
  try {
    const result = await apiCredentials({ http, signer, clock, chainId });
    if (result.kind === 'ok') return result.value;
    if (result.status === null || result.status >= 500 || PASSING.has(result.status))
      throw unreachable(result, clob.origin);
    const said = result.said === '' ? '' : ` It said: ${result.said}`;
    throw new VenueUnusable(
      'credentials_refused',
      `The venue returns no API credentials for this key. Check the key, its wallet and the chain.${said}`,
      false,
    );
  } catch (error) {
    if (!(error instanceof SigningRefused)) throw error;
    throw new VenueUnusable('credentials_refused', `The login was not signed. ${error.message}`, false);
  }
}

function unreachable({ reason, status }: NoAnswer, origin: string): VenueUnusable {
  const how = status === null ? reason : `${reason}, status ${status}`;
  return new VenueUnusable(
    'venue_unreachable',
    `The venue at ${origin} does not answer as expected (${how}). ${LATER}`,
    true,
  );
}
