import type { HttpLimits } from '../../transport/http-limits.js';
import type { Result } from '../../transport/result.js';
import { wholeNumber } from '../../venue/wire-types.js';
import { type Geoblock, geoblock, orderVersion } from './account-wire.js';
import { resultOf } from './answer.js';
import { type TradingClient, tradingClient } from './trading-client.js';

/** Unix seconds of the venue, rounded down. */
export async function serverTime(http: TradingClient): Promise<Result<number>> {
  return resultOf(wholeNumber, await http.read({ method: 'GET', path: '/time' }));
}

/** The order version that the venue accepts. */
export async function serverVersion(http: TradingClient): Promise<Result<number>> {
  return resultOf(orderVersion, await http.read({ method: 'GET', path: '/version' }));
}

/** Whether the venue serves the location of this machine. */
export async function geoblocked(address: URL, limits: Partial<HttpLimits> = {}): Promise<Result<Geoblock>> {
  const http = tradingClient(new URL(address.origin), limits);
  const result = resultOf(geoblock, await http.read({ method: 'GET', path: address.pathname }));
  await http.close();
  return result;
}
