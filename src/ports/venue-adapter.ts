import type { VenueName } from '../core/ids.js';
import type { Usdc } from '../core/money.js';
import type { MarketData } from './market-data.js';
import type { Redemption } from './redemption.js';
import type { ReportProblem, Settings, SettingValues } from './setting.js';
import type { Clock } from './system.js';
import type { VenueExamination, VenueWallet } from './venue-wallet.js';

/** All that a server needs of a venue; it knows venues only through this type. */
export interface VenueAdapter {
  /** As MARKET_DATA names it, in lower case. */
  readonly name: VenueName;
  readonly marketDataSettings: Settings;
  /** Read only with LIVE_TRADING=on. */
  readonly tradingSettings: Settings;
  /** Of the trading settings, those whose value is a key: they are taken out of the environment at start. */
  readonly keyVariables: readonly string[];
  /** Of the trading settings, those that cancelling all orders of a wallet does not need. */
  readonly notForCancelling: readonly string[];
  /** Every sport that its markets can have. */
  readonly sports: readonly string[];
  /** How to redeem where no wallet is known. */
  readonly redemption: Redemption;
  /** Undefined when a value that it takes is missing. */
  marketData(values: SettingValues): VenueMarketData | undefined;
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
