import type { ServiceIdentifier } from 'inversify';
import type { OrderContext } from '../../core/posting/trading-stop.js';
import type { ManageKeys } from '../../core/usecases/accounts/manage-keys.js';
import type { ManageSessions } from '../../core/usecases/accounts/manage-sessions.js';
import type { LiveUseCases, UseCases } from '../../core/usecases/compose.js';
import type { WebhookUseCases } from '../../core/usecases/compose-webhooks.js';
import type { ReadServers } from '../../core/usecases/servers/read-servers.js';
import type { UseCasePorts } from '../../core/usecases/use-case-ports.js';
import type { Venues } from '../../core/venues/venues.js';
import type { Exchange } from '../../ports/exchange.js';
import type { ExternalOrders } from '../../ports/external-orders.js';
import type { KeyMaker, KeyStore } from '../../ports/key-store.js';
import type { JobQueue } from '../../ports/leases.js';
import type { Bookmarks, Ledger } from '../../ports/ledger.js';
import type { SessionStore } from '../../ports/session-store.js';
import type { Clock } from '../../ports/system.js';
import type { VenueAccount } from '../../ports/venue-adapter.js';
import type { Authenticators } from './authentication.js';

/** A bare `Symbol` would be narrowed to its own type and lose the type of its service. */
const token = <T>(name: string): ServiceIdentifier<T> => Symbol(name);

/** Identifies the ledger. */
export const LEDGER = token<Ledger>('Ledger');
/** Identifies the store of tape bookmarks. */
export const BOOKMARKS = token<Bookmarks>('Bookmarks');
/** Identifies the queue of orders with real money that need processing. */
export const JOB_QUEUE = token<JobQueue>('JobQueue');
/** Identifies the store of the wallet's orders that were not placed here. */
export const EXTERNAL_ORDERS = token<ExternalOrders>('ExternalOrders');
/** Identifies the reader of API keys. */
export const KEY_STORE = token<KeyStore>('KeyStore');
/** Identifies the store of sessions. */
export const SESSION_STORE = token<SessionStore>('Sessions');
/** Identifies the generator of API key secrets; bound where callers have keys. */
export const KEY_MAKER = token<KeyMaker>('KeyMaker');
/** Identifies the sports of the known markets, read without a request to a venue. */
export const KNOWN_SPORTS = token<() => readonly string[] | null>('KnownSports');
/** Identifies whether markets here have one net position each. */
export const NETS_OUTCOMES = token<() => boolean>('NetsOutcomes');
/** Identifies the venues, and the exchange for paper orders. */
export const VENUES = token<Venues>('Venues');
/** Identifies the authenticators of callers. */
export const AUTHENTICATORS = token<Authenticators>('Authenticators');
/** Identifies the clock. */
export const CLOCK = token<Clock>('Clock');
/** Identifies the context of every use case about orders. */
export const ORDER_CONTEXT = token<
  Omit<OrderContext, 'venues'> &
    Pick<UseCasePorts, 'alarmReaders' | 'automatedPerAccount' | 'dayZone' | 'measuring' | 'watchedPerAccount'>
>('OrderContext');
/** Identifies the ports that the use cases use. */
export const USE_CASE_PORTS = token<UseCasePorts>('UseCasePorts');
/** Identifies all use cases that every server has. */
export const USE_CASES = token<UseCases>('UseCases');
/** Identifies the use cases of webhooks; bound where their secrets can be kept. */
export const WEBHOOK_USE_CASES = token<WebhookUseCases>('WebhookUseCases');
/** Identifies the factory of the use cases that keep the record of real money equal to a venue's. */
export const LIVE_USE_CASES = token<(exchange: Exchange & VenueAccount) => LiveUseCases>('LiveUseCases');
/** Identifies the issuer of API keys; request it only where callers have keys. */
export const KEY_USE_CASES = token<ManageKeys>('KeyUseCases');
/** Identifies what names the servers on the store. */
export const SERVER_USE_CASES = token<ReadServers>('ServerUseCases');
/** Identifies what begins and ends sessions; request it only where callers have keys. */
export const SESSION_USE_CASES = token<ManageSessions>('SessionUseCases');
