import type { VenueName } from '../core/ids.js';
import type { Usdc } from '../core/money.js';
import type { Order } from '../core/order/order.js';
import type { Check } from './check.js';
import type { Exchange } from './exchange.js';
import type { Redemption } from './redemption.js';
import type { Clock, Stopwatch } from './system.js';
import type { MassStatus, VenueAccount } from './venue-account.js';

/** A wallet at a venue whose key can be used. */
export interface VenueWallet {
  readonly venue: VenueName;
  /** The address of the key that signs. */
  readonly keyAddress: string;
  /** The address of the wallet that pays and holds the shares. */
  readonly address: string;
  /** The setting that chooses it, in words that follow “Use”. */
  readonly chosenBy: string;
  /** What is known of it without a request. */
  readonly checks: readonly Check[];
  /** False for an order that another wallet paid for, which this one's key cannot see. */
  isOwn(order: Order): boolean;
  /** Examines the wallet's state at the venue. Only reads. */
  examine(): Promise<VenueExamination>;
  /** @throws VenueUnusable when the venue cannot be traded with */
  connect(parts: ConnectParts): Promise<VenueConnection>;
}

/** What a connection needs from its surroundings. */
export interface ConnectParts {
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  /** True where orders are only cancelled, and none is signed. */
  readonly cancelsOnly: boolean;
  /** Receives a contradiction in what the venue shows of an order. */
  alarm(what: string, venueOrderId: string): void;
  /** Receives what interrupts the connection, in words without any of the venue's text. */
  report(reason: string): void;
}

/** A connected wallet: it moves real money. */
export interface VenueConnection {
  readonly exchange: Exchange & VenueAccount;
  /** Null where a result pays cash. */
  readonly redemption: Redemption | null;
  /** Cancels every order of the wallet; null when the venue does not say what it did. */
  cancelAll(): Promise<CancelledAll | null>;
  /** How far our clock is off by the venue's, positive when the venue is ahead; 0 where the venue does not tell the time. */
  clockOffMs(): number;
  /** Measures that now; false where the venue did not answer. */
  measureClock(): Promise<boolean>;
  /** Listens to the updates of the wallet's orders until the connection is closed. */
  listen(listener: AccountListener): void;
  /** Ends every connection; requests under way then have no answer. */
  close(): Promise<void>;
}

/** Receives what the venue reports unasked. */
export interface AccountListener {
  /** One message about the wallet's orders. */
  received(massStatus: MassStatus): void;
  /** Something may have been missed: everything has to be fetched again. */
  gap(): void;
}

/** The result of cancelling everything. */
export interface CancelledAll {
  readonly cancelled: number;
  /** Orders that had ended before. */
  readonly gone: number;
  /** Why each of the others was not cancelled. */
  readonly kept: ReadonlyMap<string, string>;
}

/** The result of examining a venue. */
export interface VenueExamination {
  readonly checks: readonly Check[];
  /** The dollars of the wallet as the venue reports them; null when it did not. */
  readonly collateral: Usdc | null;
}
