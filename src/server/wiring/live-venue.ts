import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { monotonic } from '../../adapters/system/system.js';
import type { Exchange } from '../../ports/exchange.js';
import type { Clock } from '../../ports/system.js';
import type { VenueAccount } from '../../ports/venue-account.js';
import type { ConnectParts, VenueConnection, VenueWallet } from '../../ports/venue-wallet.js';
import { eraseFromProc } from '../../settings/proc-environment.js';
import type { LiveConfig } from '../settings/live-config.js';
import { VENUE_ADAPTERS } from '../venues.js';

/** The venue that moves real money, connected. */
export interface LiveVenue extends VenueConnection {
  readonly wallet: VenueWallet;
  /** Has new orders refused for as long as this is true; what is on its way goes on. */
  withholdWhile(isWithheld: () => boolean): void;
}

const MOST_TOLD = 10_000;

/**
 * Opens what signs orders, and takes the keys of all venues out of the environment in any case. To be called before anything
 * else is opened: threads get a copy of the environment. Null where no order moves real money.
 * @throws VenueUnusable when the key cannot be used
 */
export async function openWallet(live: LiveConfig | null): Promise<VenueWallet | null> {
  try {
    return live === null ? null : await live.trading.openWallet(live.orderCap);
  } finally {
    for (const { keyVariables } of VENUE_ADAPTERS) keyVariables.forEach(drop);
  }
}

function drop(variable: string): void {
  if (process.env[variable] === undefined) return;
  delete process.env[variable];
  eraseFromProc(variable);
}

/**
 * Connects the wallet to its venue; `cancelsOnly` where no order is to be signed.
 * @throws VenueUnusable when it cannot be traded with
 */
export async function openLiveVenue(
  wallet: VenueWallet,
  clock: Clock,
  logger: Logger,
  cancelsOnly = false,
): Promise<LiveVenue> {
  const connection = await wallet.connect({
    ...{ clock, stopwatch: monotonic, cancelsOnly },
    alarm: onceEach((what, venueOrderId) =>
      logger.error({ venueOrderId }, `a person should look at an order: ${what}`),
    ),
    report: (reason) => logger.warn({ reason }, 'the exchange for real money is interrupted'),
  });
  let isWithheld = () => false;
  return {
    wallet,
    redemption: connection.redemption,
    cancelAll: () => connection.cancelAll(),
    listen: (listener) => connection.listen(listener),
    close: () => connection.close(),
    exchange: withheldWhile(connection.exchange, () => isWithheld()),
    withholdWhile: (asked) => {
      isWithheld = asked;
    },
  };
}

/** Whatever keeps orders back here passes within seconds, or needs a person. */
const WITHHELD_MS = 1000;

function withheldWhile(exchange: Exchange & VenueAccount, isWithheld: () => boolean): Exchange & VenueAccount {
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
function onceEach(tell: ConnectParts['alarm']): ConnectParts['alarm'] {
  const told = new LRUCache<string, true>({ max: MOST_TOLD });
  return (what, venueOrderId) => {
    const name = `${what} ${venueOrderId}`;
    if (!told.has(name)) tell(what, venueOrderId);
    told.set(name, true);
  };
}
