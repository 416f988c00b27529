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
  /** Of the key that signs. */
  readonly keyAddress: string;
  /** Of the wallet that pays, and holds the shares. */
  readonly address: string;
  /** What chooses it, in words that follow “Use”. */
  readonly chosenBy: string;
  /** What is known of it without asking anybody. */
  readonly checks: readonly Check[];
  /** False of an order that another wallet paid for, of which this one's key is shown nothing. */
  isOwn(order: Order): boolean;
  /** How the venue stands to it. Asks, and makes nothing. */
  examine(): Promise<VenueExamination>;
  /** @throws VenueUnusable when the venue cannot be traded with */
  connect(parts: ConnectParts): Promise<VenueConnection>;
}

/** What a connection needs from around it. */
export interface ConnectParts {
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  /** True where orders are cancelled alone, and none is signed. */
  readonly cancelsOnly: boolean;
  /** Told what makes no sense in what the venue shows of an order. */
  alarm(what: string, venueOrderId: string): void;
  /** Told what interrupts, in words without any of the venue's text. */
  report(reason: string): void;
}

/** A wallet, connected: what moves real money. */
export interface VenueConnection {
  readonly exchange: Exchange & VenueAccount;
  /** Null where a result is paid in cash. */
  readonly redemption: Redemption | null;
  /** Cancels every order of the wallet; null when the venue does not say what it did. */
  cancelAll(): Promise<CancelledAll | null>;
  /** Begins to listen to what happens to the wallet's orders, until the connection is closed. */
  listen(listener: AccountListener): void;
  /** Ends every connection; what is under way then has no answer. */
  close(): Promise<void>;
}

/** Who is told what the venue tells by itself. */
export interface AccountListener {
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

/** What asking the venue came to. */
export interface VenueExamination {
  readonly checks: readonly Check[];
  /** The dollars of the wallet as the venue tells; null when it did not. */
  readonly collateral: Usdc | null;
}
