export {
  type ConnectOptions,
  connectPolymarket,
  type PolymarketConnection,
} from './execution/connect.js';
export { PolymarketExchange, type PolymarketExchangeOptions } from './execution/polymarket-exchange.js';
export type { ClobTrading } from './http/clob-trading.js';
export { type TradingClient, tradingClient } from './http/trading-client.js';
export { geoblocked, serverTime, serverVersion } from './http/venue-status.js';
export { PolymarketMarketData, type PolymarketOptions } from './market-data/market-data.js';
export { POLYMARKET_SPORTS } from './market-data/sports.js';
export { polymarket } from './polymarket.js';
export type { Hex, OrderDomain, OrderStruct, Signer } from './signing/signer.js';
