import type { VenueAdapter } from '../../ports/venue-adapter.js';
import { PolymarketRedemption } from './execution/polymarket-redemption.js';
import { POLYMARKET } from './http/venue-name.js';
import { POLYMARKET_SPORTS } from './market-data/sports.js';
import { hostsOf, KEY_VARIABLE, MARKET_DATA_SETTINGS, TRADING_SETTINGS, tradingOf } from './settings.js';

/** Polymarket, as a server uses it. What talks to the venue is loaded once it is asked for. */
export const polymarket: VenueAdapter = {
  name: POLYMARKET,
  marketDataSettings: MARKET_DATA_SETTINGS,
  tradingSettings: TRADING_SETTINGS,
  keyVariables: [KEY_VARIABLE],
  notForCancelling: ['POLYMARKET_GAMMA_URL', 'POLYMARKET_GEOBLOCK_URL'],
  sports: POLYMARKET_SPORTS,
  redemption: new PolymarketRedemption(null, async () => null),
  marketData: (values) => {
    const settings = hostsOf(values);
    return (
      settings && {
        settings,
        origin: settings.clob.origin,
        open: async (clock, report) => {
          const { PolymarketMarketData } = await import('./market-data/polymarket-market-data.js');
          return new PolymarketMarketData({ ...settings, clock, report });
        },
      }
    );
  },
  trading: (values, report) => {
    const settings = tradingOf(values, report);
    return (
      settings && {
        settings,
        origin: `${settings.clob.origin}, chain ${settings.chainId}`,
        openWallet: async (orderCap) => {
          const { PolymarketWallet } = await import('./polymarket-wallet.js');
          return PolymarketWallet.open(settings, orderCap);
        },
        examine: async () => (await import('./doctor.js')).examineVenue(settings, null),
      }
    );
  },
};
