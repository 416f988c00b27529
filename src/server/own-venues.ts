import type { Order } from '../core/order/order.js';
import type { Exchange } from '../ports/exchange.js';
import type { MarketData } from '../ports/market-data.js';
import type { Redemption } from '../ports/redemption.js';
import type { MassStatus, VenueAccount } from '../ports/venue-account.js';
import type { VenueTrading } from '../ports/venue-adapter.js';
import type { AccountListener, VenueWallet } from '../ports/venue-wallet.js';
import type { VenueDataConfig } from './settings/config.js';

/** A venue that a program brings along: its markets and, for real money, where orders go. */
export interface OwnVenue {
  /** Closed with the server where it can be. */
  readonly marketData: MarketData & { close?(): void | Promise<void> };
  /**
   * Takes orders with real money, with LIVE_TRADING=on. One without `massStatus` is asked order by order. What one order may be
   * worth at most is for it to hold; LIVE_MAX_ORDER_USDC has no effect on it.
   */
  readonly exchange?: Exchange & Partial<VenueAccount> & { close?(): void | Promise<void> };
  /** The sports of its markets, for warnings about strategies. */
  readonly sports?: readonly string[];
  /** How results become cash where the venue does not pay them by itself. */
  readonly redemption?: Redemption;
  /** Begins to tell what happens to the orders without being asked. */
  listen?(listener: AccountListener): void;
}

/** The market data of the venue, as a server is configured with it. */
export function dataOf(name: string, { marketData, sports = [] }: OwnVenue): VenueDataConfig {
  const open = () => ({
    find: marketData.find.bind(marketData),
    search: marketData.search.bind(marketData),
    book: marketData.book.bind(marketData),
    follow: marketData.follow.bind(marketData),
    close: async () => marketData.close?.(),
  });
  return { kind: 'venue', venue: name, sports, source: { settings: {}, origin: name, open } };
}

/** Trading with real money at the venue, as a server is configured with it. */
export function tradingOf(name: string, own: OwnVenue & { readonly exchange: Exchange }): VenueTrading {
  const told = { checks: [], collateral: null };
  const wallet: VenueWallet = {
    ...{ keyAddress: name, address: name, chosenBy: 'the venue', checks: [] },
    isOwn: () => true,
    examine: async () => told,
    connect: async () => ({
      exchange: withAccount(own.exchange),
      redemption: own.redemption ?? PAYS_BY_ITSELF,
      cancelAll: async () => null,
      listen: (listener) => own.listen?.(listener),
      close: async () => own.exchange.close?.(),
    }),
  };
  return { settings: {}, origin: name, openWallet: async () => wallet, examine: async () => told };
}

const PAYS_BY_ITSELF: Redemption = {
  instructions: () => ['Nothing is to be done: the venue pays results by itself.'],
  isRedeemed: async () => true,
};

/** That nothing is named proves nothing: each order that is outstanding is asked for by itself. */
function withAccount(exchange: Exchange & Partial<VenueAccount>): Exchange & VenueAccount {
  if (exchange.massStatus !== undefined) return exchange as Exchange & VenueAccount;
  const reportOf = (order: Order) => exchange.find(order);
  const status: MassStatus = { kind: 'mass_status', named: [], unread: null, reportOf };
  const { venue, local, signing } = exchange;
  return {
    ...{ venue, local, signing },
    closedForMs: () => exchange.closedForMs(),
    place: (...asked) => exchange.place(...asked),
    cancel: (order) => exchange.cancel(order),
    find: (order) => exchange.find(order),
    massStatus: async () => status,
  };
}
