import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { connectPolymarket } from '../../adapters/polymarket/execution/connect.js';
import type { PolymarketExchange } from '../../adapters/polymarket/execution/polymarket-exchange.js';
import type { Alarm } from '../../adapters/polymarket/execution/trade-evidence.js';
import { isOver } from '../../adapters/polymarket/http/cancel-wire.js';
import type { ClobTrading } from '../../adapters/polymarket/http/clob-trading.js';
import {
  EnvironmentSigner,
  KeyFileSigner,
  type SigningTerms,
} from '../../adapters/polymarket/signing/signers/index.js';
import { eraseFromProc } from '../../adapters/polymarket/signing/signers/proc-environment.js';
import { monotonic } from '../../adapters/system/system.js';
import type { Order } from '../../core/order/order.js';
import type { Exchange } from '../../ports/exchange.js';
import type { Hex, Signer } from '../../ports/signer.js';
import type { Clock } from '../../ports/system.js';
import type { MassStatus, VenueAccount } from '../../ports/venue-account.js';
import type { LiveConfig } from '../settings/live-config.js';

/** Who is told what the venue tells by itself. */
export interface LiveListener {
  /** One message about the wallet's orders. */
  received(massStatus: MassStatus): void;
  /** Something may have been missed: all has to be looked at again. */
  gap(): void;
}

/** What became of cancelling everything. */
export interface CancelledAll {
  readonly cancelled: number;
  /** Orders that had ended before. */
  readonly gone: number;
  /** Why each of the others was not cancelled. */
  readonly kept: ReadonlyMap<string, string>;
}

/** The venue that moves real money, connected. */
export interface LiveVenue {
  readonly exchange: Exchange & VenueAccount;
  /** Of the key that signs. */
  readonly address: Hex;
  /** Of the wallet that pays, and holds the shares. */
  readonly wallet: Hex;
  /** False of an order that another wallet paid for, of which this one's key is shown nothing. */
  isOwn(order: Order): boolean;
  /** Cancels every order of the wallet; null when the venue does not say what it did. */
  cancelAll(): Promise<CancelledAll | null>;
  /** What the wallet holds of a token now, in millionths of a share; null when the venue does not tell. */
  freshShares(tokenId: string): Promise<bigint | null>;
  /** Has new orders refused for as long as this is true; what is on its way goes on. */
  withholdWhile(isWithheld: () => boolean): void;
  /** Begins to listen to what happens to the wallet's orders. */
  listen(listener: LiveListener): void;
  /** Ends every connection; what is under way then has no answer. */
  close(): Promise<void>;
}

const VARIABLE = 'POLYMARKET_PRIVATE_KEY';
const MOST_TOLD = 10_000;

/**
 * Opens what signs orders, and takes a key out of the environment in any case. To be called before anything else is opened:
 * threads get a copy of the environment. Null where no order moves real money.
 * @throws SigningRefused when the key cannot be used
 */
export async function openSigner(live: LiveConfig | null): Promise<Signer | null> {
  if (live?.key.kind === 'environment') return EnvironmentSigner.take(process.env, live.key.variable, termsOf(live));
  if (process.env[VARIABLE] !== undefined) {
    delete process.env[VARIABLE];
    eraseFromProc(VARIABLE);
  }
  return live === null ? null : KeyFileSigner.open(live.key.path, termsOf(live));
}

/**
 * Connects to the venue with this key; `anyVersion` where no order is to be signed.
 * @throws VenueUnusable when it cannot be traded with
 */
export async function openLiveVenue(
  live: LiveConfig,
  signer: Signer,
  clock: Clock,
  logger: Logger,
  anyVersion = false,
): Promise<LiveVenue> {
  const { clob, stream, chainId, signatureType, funder, credentials } = live;
  const connection = await connectPolymarket({
    ...{ clob, stream, signer, chainId, signatureType, credentials, clock, stopwatch: monotonic },
    ...(funder === null ? {} : { funder }),
    ...{ orderCap: live.orderCap, anyVersion },
    alarm: onceEach((what, venueOrderId) =>
      logger.error({ venueOrderId }, `a person should look at an order: ${what}`),
    ),
    report: (reason: string) => logger.warn({ reason }, 'the exchange for real money is interrupted'),
  });
  const { clob: trading, address } = connection;
  let isWithheld = () => false;
  return {
    ...connection,
    exchange: withheldWhile(connection.exchange, () => isWithheld()),
    withholdWhile: (asked) => {
      isWithheld = asked;
    },
    wallet: funder ?? address,
    isOwn: (order) => connection.exchange.isOwn(order),
    cancelAll: async () => {
      const result = await connection.exchange.cancelAll();
      if (result.kind === 'no_answer') return null;
      const kept = new Map([...result.refused].filter(([, reason]) => !isOver(reason)));
      return { cancelled: result.cancelled.size, gone: result.refused.size - kept.size, kept };
    },
    freshShares: (tokenId) => freshShares(trading, tokenId),
  };
}

/** Whatever keeps orders back here passes within seconds, or needs a person. */
const WITHHELD_MS = 1000;

function withheldWhile(exchange: PolymarketExchange, isWithheld: () => boolean): Exchange & VenueAccount {
  const { venue, local, signing } = exchange;
  return {
    ...{ venue, local, signing },
    closedForMs: () => (isWithheld() ? WITHHELD_MS : exchange.closedForMs()),
    place: (...asked) => exchange.place(...asked),
    cancel: (order) => exchange.cancel(order),
    find: (order) => exchange.find(order),
    massStatus: (since) => exchange.massStatus(since),
  };
}

/** The same word about the same order is told once by a process, lest it bury others. */
function onceEach(tell: Alarm): Alarm {
  const result = new LRUCache<string, true>({ max: MOST_TOLD });
  return (what, venueOrderId) => {
    const name = `${what} ${venueOrderId}`;
    if (!result.has(name)) tell(what, venueOrderId);
    result.set(name, true);
  };
}

/** The venue keeps balances for a while: it is made to look at the chain first. */
async function freshShares(trading: ClobTrading, tokenId: string): Promise<bigint | null> {
  const of = { asset: 'token', tokenId } as const;
  const refreshed = await trading.refreshBalance(of);
  const result = refreshed.kind === 'ok' ? await trading.balance(of) : refreshed;
  return result.kind === 'ok' ? result.value.balance : null;
}

function termsOf({ chainId, signatureType, funder, orderCap }: LiveConfig): SigningTerms {
  return { chainId, signatureType, notionalCap: orderCap, ...(funder === null ? {} : { funder }) };
}
