import type { VenueAdapter } from '../../ports/venue-adapter.js';
import { KALSHI_SPORTS } from './market-data/known-series.js';
import { KALSHI_SETTINGS, type KalshiSettings, kalshiSettings } from './settings.js';
import { KALSHI, kalshiVenue } from './venue-name.js';

const originOf = ({ api, environment }: KalshiSettings): string => `${api.origin} (${environment})`;

/** Kalshi, as a server uses it. What talks to the venue is loaded once it is asked for. */
export const kalshi: VenueAdapter = {
  name: KALSHI,
  marketDataSettings: KALSHI_SETTINGS,
  tradingSettings: {},
  keyVariables: [],
  notForCancelling: [],
  sports: KALSHI_SPORTS,
  netsOutcomes: true,
  venueOf: (values) => kalshiVenue(values['KALSHI_ENV'] === 'production' ? 'production' : 'demo'),
  redemption: null,
  marketData: (values, report) => {
    const settings = kalshiSettings(values, report);
    return (
      settings && {
        settings,
        origin: originOf(settings),
        open: async (clock, reportProblem) => {
          const [{ ApiKeyFile }, { KalshiMarketData }] = await Promise.all([
            import('./http/api-key.js'),
            import('./market-data/kalshi-market-data.js'),
          ]);
          const { api, socket, environment, series } = settings;
          const signer = await ApiKeyFile.open(settings.keyId, settings.keyFile);
          return new KalshiMarketData({ api, socket, environment, series, signer, clock, report: reportProblem });
        },
      }
    );
  },
  trading: (values, report) => {
    const settings = kalshiSettings(values, report);
    return (
      settings && {
        settings,
        origin: originOf(settings),
        openWallet: async (orderCap) => (await import('./kalshi-wallet.js')).KalshiWallet.open(settings, orderCap),
        examine: async () => {
          const [{ ApiKeyFile }, { examineKalshi }] = await Promise.all([
            import('./http/api-key.js'),
            import('./doctor.js'),
          ]);
          return examineKalshi(settings, await ApiKeyFile.open(settings.keyId, settings.keyFile));
        },
      }
    );
  },
};
