import type { MarketId, VenueName } from '../core/ids.js';
import type { Side } from '../core/market/side.js';
import type { Price, Shares, Usdc } from '../core/money.js';
import type { Order } from '../core/order/order.js';
import type { Exchange, OrderStatusReport, Unknown } from './exchange.js';
import type { MarketData } from './market-data.js';
import type { ReportProblem, Settings, SettingValues } from './setting.js';
import type { Clock, Stopwatch } from './system.js';
import type { Redemption } from './venue.js';

/** All that a server needs of a venue; it knows venues only through this type. */
export interface VenueAdapter {
  /** As MARKET_DATA names it, in lower case; its markets and orders name it too, unless `venueOf` says otherwise. */
  readonly name: VenueName;
  /** The venue of markets and orders under these settings, such as that of play money, whose name ends in `_demo`. */
  venueOf?(values: SettingValues): VenueName;
  readonly marketDataSettings: Settings;
  /** Read only with LIVE_TRADING=on. */
  readonly tradingSettings: Settings;
  /** Trading settings whose value is a key: they are taken out of the environment at start. */
  readonly keyVariables: readonly string[];
  /** Trading settings that cancelling all orders of a wallet does not need. */
  readonly notForCancelling: readonly string[];
  /** Every sport that its markets can have. */
  readonly sports: readonly string[];
  /** True where its markets have one net position each, as their terms say too; false where it is absent. */
  readonly netsOutcomes?: boolean;
  /** How to redeem where no wallet is known; null where a result pays cash. */
  readonly redemption: Redemption | null;
  /** Reports every condition that is not met; undefined when a value that it takes is missing. */
  marketData(values: SettingValues, report: ReportProblem): VenueMarketData | undefined;
  /** Reports every condition that is not met; undefined when a value that it takes is missing. */
  trading(values: SettingValues, report: ReportProblem): VenueTrading | undefined;
}

/** Market data of a venue, as it is configured. */
export interface VenueMarketData {
  /** What was chosen; holds no secret. */
  readonly settings: object;
  /** Where it comes from, for a person. */
  readonly origin: string;
  /** @param report receives what went wrong and is being repaired; never anything that the venue sent */
  open(
    clock: Clock,
    report: (reason: string, error?: unknown) => void,
  ): Promise<MarketData & { close(): Promise<void> }>;
}

/** Trading with real money at a venue, as it is configured. */
export interface VenueTrading {
  readonly settings: object;
  /** Where orders go, for a person. */
  readonly origin: string;
  /** Opens the wallet, which signs no order above the cap. @throws VenueUnusable when the key cannot be used */
  openWallet(orderCap: Usdc): Promise<VenueWallet>;
  /** Examines the venue's state for this machine. Only reads. */
  examine(): Promise<VenueExamination>;
}

/** A venue's view of the wallet of live orders, to be compared with the record. */
export interface VenueAccount {
  /**
   * Fetches every resting order and every trade since about that moment. An incomplete answer is `unknown`: no part of it
   * may be taken for the whole.
   */
  massStatus(since: Date): Promise<MassStatus | Unknown>;
  /** Fetches its net positions and its cash. Absent where the venue keeps none that the books could be compared with. */
  holdings?(): Promise<VenueHoldings | Unknown>;
}

/** The net positions and the cash of the account, at a venue that keeps both. */
export interface VenueHoldings {
  readonly kind: 'holdings';
  /** Shares of the first outcome less those of the second, in each market where that is not 0. */
  readonly positions: ReadonlyMap<MarketId, bigint>;
  readonly cash: Usdc;
  /** By our clock: everything that the venue did until then is in the answer. */
  readonly asOf: Date;
  /** How much less than on the books the cash may be for each fill and each result, because the venue rounds. */
  readonly rounding: { readonly perFill: Usdc; readonly perResult: Usdc };
  /** Whether the venue has paid the result of a market to the account; null where it does not answer. */
  hasPaid(marketId: MarketId): Promise<boolean | null>;
}

/** What one query of the venue, or one message of it, shows. */
export interface MassStatus {
  readonly kind: 'mass_status';
  /** Every order of the wallet that it names. A missing order proves nothing. */
  readonly named: readonly NamedOrder[];
  /** What of it could not be read, in words, and is to be fetched again. Null when all was read. */
  readonly unread: string | null;
  /** What it shows of an order of ours; the venue is queried again for an order that the answer does not explain. */
  reportOf(order: Order): Promise<OrderStatusReport>;
}

/** An order of the wallet as the venue shows it, placed here or elsewhere. */
export interface NamedOrder {
  readonly venueOrderId: string;
  readonly marketId: MarketId;
  /** The venue's id of the outcome; null where it is not reported, like the next three. */
  readonly tokenId: string | null;
  readonly side: Side | null;
  readonly price: Price | null;
  readonly shares: Shares | null;
  /** True where the venue shows it on its book; false where only a trade names it, which says nothing of the rest. */
  readonly resting: boolean;
}

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
  /** Asks the venue what is not known of it, with orders of a cent of play money. Absent where there is nothing to ask. */
  probe?(): AsyncIterable<ProbeAnswer>;
  /** @throws VenueUnusable when the venue cannot be traded with */
  connect(parts: ConnectParts): Promise<VenueConnection>;
}

/** A question about a venue, in words, and what it answered. */
export interface ProbeAnswer {
  readonly question: string;
  readonly answer: string;
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
  /** How far our clock is off by the venue's, positive when the venue is ahead; 0 where the venue does not report the time. */
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

/** The state of one condition: `missing` prevents live orders, `warning` is for a person to judge. */
export interface Check {
  readonly level: 'ok' | 'warning' | 'missing';
  /** One sentence or two: the state, and what to do about it where action is needed. */
  readonly words: string;
}
