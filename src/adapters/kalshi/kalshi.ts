import type { VenueAdapter } from '../../ports/venue-adapter.js';
import { KALSHI_SPORTS } from './market-data/known-series.js';
import { KALSHI_SETTINGS, kalshiSettings } from './settings.js';
import { KALSHI } from './venue-name.js';

const NO_TRADING =
  'cannot be on with MARKET_DATA=kalshi: only paper is offered there. src/adapters/kalshi/README.md lists what the venue has to answer first';

/** Kalshi, as a server uses it. What talks to the venue is loaded once it is asked for. */
export const kalshi: VenueAdapter = {
  name: KALSHI,
  marketDataSettings: KALSHI_SETTINGS,
  tradingSettings: {},
  keyVariables: [],
  notForCancelling: [],
  sports: KALSHI_SPORTS,
  netsOutcomes: true,
  redemption: null,
  marketData: (values, report) => {
    const settings = kalshiSettings(values, report);
    return (
      settings && {
        settings,
        origin: `${settings.api.origin} (${settings.environment})`,
        open: async (clock, reportProblem) => {
          const [{ ApiKeyFile }, { KalshiMarketData }] = await Promise.all([
            import('./http/api-key.js'),
            import('./market-data/kalshi-market-data.js'),
          ]);
          const { api, socket, series } = settings;
          const signer = await ApiKeyFile.open(settings.keyId, settings.keyFile);
          return new KalshiMarketData({ api, socket, series, signer, clock, report: reportProblem });
        },
      }
    );
  },
  trading: (_, report) => {
    report('LIVE_TRADING', NO_TRADING);
    return undefined;
  },
};
