import type { MarketId, VenueName } from '../core/ids.js';
import type { Page } from '../core/ledger/query.js';
import type { Market, MarketQuery } from '../core/market/market.js';
import type { Order } from '../core/order/order.js';
import type { Exchange } from '../ports/exchange.js';
import type { Asker, MarketData, MarketListener } from '../ports/market-data.js';
import type { Redemption } from '../ports/venue.js';
import type { AccountListener, MassStatus, VenueAccount, VenueTrading, VenueWallet } from '../ports/venue-adapter.js';
import { venueName } from '../stakeport/input.js';
import type { VenueDataConfig } from './settings/config.js';

/**
 * A venue that a program provides: its markets and, for real money, where orders go. Everything from it carries the name it
 * is given.
 */
export interface OwnVenue {
  /** Closed with the server where it has `close`. */
  readonly marketData: MarketData & { close?(): void | Promise<void> };
  /**
   * Takes orders with real money, with LIVE_TRADING=on, of up to LIVE_MAX_ORDER_USDC each. One without `massStatus` is asked
   * order by order.
   */
  readonly exchange?: Exchange & Partial<VenueAccount> & { close?(): void | Promise<void> };
  /** The sports of its markets, for warnings about strategies. */
  readonly sports?: readonly string[];
  /** True where its markets have one net position each, for warnings about strategies. */
  readonly netsOutcomes?: boolean;
  /** How results become cash, where the venue does not pay them out itself. */
  readonly redemption?: Redemption;
  /** Starts reporting what happens to the orders. */
  listen?(listener: AccountListener): void;
}

/** The market data of the venue, as a server is configured with it. */
export function dataOf(name: string, { marketData, sports = [], netsOutcomes = false }: OwnVenue): VenueDataConfig {
  const venue = venueName(name);
  const here = (market: Market): Market => ({ ...market, venue });
  const open = async () => ({
    venue,
    find: async (id: MarketId, asker?: Asker) => {
      const market = await marketData.find(id, asker);
      return market && here(market);
    },
    search: async (query: MarketQuery, page: Page<string>, asker?: Asker) => {
      const { items, next } = await marketData.search(query, page, asker);
      return { items: items.map(here), next };
    },
    book: marketData.book.bind(marketData),
    follow: (market: Market, listener: MarketListener) =>
      marketData.follow(market, (event) =>
        listener(event.type === 'market' ? { ...event, market: here(event.market) } : event),
      ),
    close: async () => marketData.close?.(),
  });
  return { kind: 'venue', venue, sports, netsOutcomes, source: { settings: {}, origin: name, open } };
}

/** Trading with real money at the venue, as a server is configured with it. */
export function ownTradingOf(name: string, own: OwnVenue & { readonly exchange: Exchange }): VenueTrading {
  const findings = { checks: [], collateral: null };
  const wallet: VenueWallet = {
    venue: venueName(name),
    keyAddress: name,
    address: name,
    chosenBy: 'the venue',
    checks: [],
    isOwn: () => true,
    examine: async () => findings,
    connect: async () => ({
      exchange: withAccount(venueName(name), own.exchange),
      redemption: own.redemption ?? null,
      cancelAll: async () => null,
      clockOffMs: () => 0,
      measureClock: async () => true,
      listen: (listener) => own.listen?.(listener),
      close: async () => own.exchange.close?.(),
    }),
  };
  return { settings: {}, origin: name, openWallet: async () => wallet, examine: async () => findings };
}

/** An empty mass status proves nothing: each outstanding order is requested by itself. */
function withAccount(venue: VenueName, exchange: Exchange & Partial<VenueAccount>): Exchange & VenueAccount {
  const reportOf = (order: Order) => exchange.find(order);
  const status: MassStatus = { kind: 'mass_status', named: [], unread: null, reportOf };
  const { local, signing } = exchange;
  return {
    venue,
    local,
    signing,
    closedForMs: () => exchange.closedForMs(),
    place: (...asked) => exchange.place(...asked),
    cancel: (order) => exchange.cancel(order),
    find: (order) => exchange.find(order),
    massStatus: async (since) => exchange.massStatus?.(since) ?? status,
  };
}
