import type { ServiceIdentifier } from 'inversify';
import type { OrderContext } from '../../core/posting/order-context.js';
import type { ManageKeys } from '../../core/usecases/accounts/manage-keys.js';
import type { LiveUseCases, UseCasePorts, UseCases } from '../../core/usecases/compose.js';
import type { Venues } from '../../core/venues/venues.js';
import type { Authenticator } from '../../ports/authenticator.js';
import type { Bookmarks } from '../../ports/bookmarks.js';
import type { Exchange } from '../../ports/exchange.js';
import type { ExternalOrders } from '../../ports/external-orders.js';
import type { JobQueue } from '../../ports/job-queue.js';
import type { KeyMaker } from '../../ports/key-maker.js';
import type { KeyStore } from '../../ports/key-store.js';
import type { Ledger } from '../../ports/ledger.js';
import type { Clock } from '../../ports/system.js';
import type { VenueAccount } from '../../ports/venue-account.js';

/** A bare `Symbol` would be narrowed to its own type and forget what it stands for. */
const token = <T>(name: string): ServiceIdentifier<T> => Symbol(name);

/** Identifies the store of everything. */
export const LEDGER = token<Ledger>('Ledger');
/** Identifies where it is kept how far a tape was played. */
export const BOOKMARKS = token<Bookmarks>('Bookmarks');
/** Identifies what hands out orders with real money that have to be looked after. */
export const JOB_QUEUE = token<JobQueue>('JobQueue');
/** Identifies where orders of the wallet are kept that nobody placed here. */
export const EXTERNAL_ORDERS = token<ExternalOrders>('ExternalOrders');
/** Identifies the reader of API keys. */
export const KEY_STORE = token<KeyStore>('KeyStore');
/** Identifies the source of API key secrets; bound where callers have keys. */
export const KEY_MAKER = token<KeyMaker>('KeyMaker');
/** Identifies what tells the sports of the known markets, without asking anybody. */
export const KNOWN_SPORTS = token<() => readonly string[] | null>('KnownSports');
/** Identifies the exchanges, paper and live. */
export const VENUES = token<Venues>('Venues');
/** Identifies what tells who is calling. */
export const AUTHENTICATOR = token<Authenticator>('Authenticator');
/** Identifies the clock. */
export const CLOCK = token<Clock>('Clock');
/** Identifies what every use case about orders needs besides. */
export const ORDER_CONTEXT = token<OrderContext>('OrderContext');
/** Identifies the ports that the use cases are made of. */
export const USE_CASE_PORTS = token<UseCasePorts>('UseCasePorts');
/** Identifies all use cases that every server has. */
export const USE_CASES = token<UseCases>('UseCases');
/** Identifies what makes the use cases that keep the record of real money equal to what a venue shows. */
export const LIVE_USE_CASES = token<(exchange: Exchange & VenueAccount) => LiveUseCases>('LiveUseCases');
/** Identifies what issues API keys; to be asked for only where callers have keys. */
export const KEY_USE_CASES = token<ManageKeys>('KeyUseCases');
