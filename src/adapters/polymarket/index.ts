export { PolymarketMarketData, type PolymarketOptions } from './market-data.js';
export { POLYMARKET_SPORTS } from './sports.js';
export type { ClobTrading } from './trading/clob.js';
export {
  type AccountListener,
  type ConnectOptions,
  connectPolymarket,
  type PolymarketConnection,
} from './trading/connect.js';
export { PolymarketExchange, type PolymarketExchangeOptions } from './trading/exchange.js';
export { TradingHttp } from './trading/trading-http.js';
export { geoblocked, serverTime, serverVersion } from './trading/venue-status.js';
export { type VenueObstacle, VenueUnusable } from './trading/venue-unusable.js';
