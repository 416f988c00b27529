import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { monotonic } from '../../adapters/system/system.js';
import type { Exchange } from '../../ports/exchange.js';
import type { Clock } from '../../ports/system.js';
import type { ConnectParts, VenueAccount, VenueConnection, VenueWallet } from '../../ports/venue-adapter.js';
import type { LiveConfig } from '../settings/config.js';
import { VENUE_ADAPTERS } from '../venues.js';

/** The venue that moves real money, connected. */
export interface LiveVenue extends VenueConnection {
  readonly wallet: VenueWallet;
  /** Refuses new orders while this is true; orders in flight continue. */
  withholdWhile(isWithheld: () => boolean): void;
}

const MOST_ALARMS = 10_000;

/**
 * Opens the signer of orders, and always removes the keys of all venues from the environment. Call before anything else is
 * opened: threads get a copy of the environment. Null where no order moves real money.
 * @throws VenueUnusable when the key cannot be used
 */
export async function openWallet(live: LiveConfig | null): Promise<VenueWallet | null> {
  try {
    return live === null ? null : await live.trading.openWallet(live.orderCap);
  } finally {
    for (const { keyVariables } of VENUE_ADAPTERS) for (const name of keyVariables) delete process.env[name];
  }
}

/**
 * Connects the wallet to its venue; `cancelsOnly` where no order will be signed.
 * @throws VenueUnusable when it cannot be traded with
 */
export async function openLiveVenue(
  wallet: VenueWallet,
  clock: Clock,
  logger: Logger,
  cancelsOnly = false,
): Promise<LiveVenue> {
  const connection = await wallet.connect({
    clock,
    stopwatch: monotonic,
    cancelsOnly,
    alarm: onceEach((what, venueOrderId) =>
      logger.error({ venueOrderId }, `an operator should check an order: ${what}`),
    ),
    report: (reason) => logger.warn({ reason }, 'the connection to the venue for real money is interrupted'),
  });
  let isWithheld = () => false;
  return {
    wallet,
    redemption: connection.redemption,
    cancelAll: () => connection.cancelAll(),
    clockOffMs: () => connection.clockOffMs(),
    measureClock: () => connection.measureClock(),
    listen: (listener) => connection.listen(listener),
    close: () => connection.close(),
    exchange: withheldWhile(connection.exchange, () => isWithheld()),
    withholdWhile: (asked) => {
      isWithheld = asked;
    },
  };
}

/** The causes for withholding orders pass within seconds, or need an operator. */
const WITHHELD_MS = 1000;

function withheldWhile(exchange: Exchange & VenueAccount, isWithheld: () => boolean): Exchange & VenueAccount {
  const { venue, local, signing } = exchange;
  const holdings = exchange.holdings?.bind(exchange);
  return {
    venue,
    local,
    signing,
    closedForMs: () => (isWithheld() ? WITHHELD_MS : exchange.closedForMs()),
    place: (...asked) => exchange.place(...asked),
    cancel: (order) => exchange.cancel(order),
    find: (order) => exchange.find(order),
    massStatus: (since) => exchange.massStatus(since),
    ...(holdings && { holdings }),
  };
}

/** An alarm that is raised once a process for the same order, so that it does not bury others. */
function onceEach(raise: ConnectParts['alarm']): ConnectParts['alarm'] {
  const raised = new LRUCache<string, true>({ max: MOST_ALARMS });
  return (what, venueOrderId) => {
    const name = `${what} ${venueOrderId}`;
    if (!raised.has(name)) raise(what, venueOrderId);
    raised.set(name, true);
  };
}
