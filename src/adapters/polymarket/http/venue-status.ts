import { type Geoblock, geoblock, orderVersion } from './account-wire.js';
import { type Told, toldBy } from './answer.js';
import type { CallLimits } from './limits.js';
import { TradingHttp } from './trading-http.js';
import { wireWhole } from './wire-amounts.js';

/** Where the venue tells whom it serves; a site of its own, without a login (`polymarket.md` 2.1). */
export const GEOBLOCK = new URL('https://polymarket.com/api/geoblock');

/** Unix seconds of the venue, rounded down. */
export async function serverTime(http: TradingHttp): Promise<Told<number>> {
  return toldBy(wireWhole, await http.read({ method: 'GET', path: '/time' }));
}

/** The version of orders that the venue takes. */
export async function serverVersion(http: TradingHttp): Promise<Told<number>> {
  return toldBy(orderVersion, await http.read({ method: 'GET', path: '/version' }));
}

/** Whether the venue serves the place that this machine's requests come from. */
export async function geoblocked(address = GEOBLOCK, limits: Partial<CallLimits> = {}): Promise<Told<Geoblock>> {
  const http = new TradingHttp(new URL(address.origin), limits);
  const told = toldBy(geoblock, await http.read({ method: 'GET', path: address.pathname }));
  await http.close();
  return told;
}
