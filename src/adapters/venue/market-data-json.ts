import { MarketDataUnavailable } from '../../core/errors.js';
import { bodyOf } from '../transport/body.js';
import { deliveryFailureOf, isPage } from '../transport/delivery-failure.js';
import type { MarketDataClient, ReadFor } from './market-data-client.js';

const NONE = new URLSearchParams();

/**
 * The JSON at this path; undefined for a 404. Repeated at most twice. Numbers become doubles here. That is exact for what is
 * later read as money: a decimal of at most 15 significant digits survives the way into a double and back to its shortest
 * text, and the readers refuse longer ones.
 * @throws MarketDataUnavailable for every other answer, and for a timeout; it holds no text of the answer. TooManyLookups
 */
export async function marketDataJson(
  client: MarketDataClient,
  path: string,
  query = NONE,
  whom: ReadFor = {},
): Promise<unknown> {
  const delivery = await client.read({ method: 'GET', path, query }, whom);
  if (delivery.kind !== 'answered') throw unavailable(deliveryFailureOf(delivery));
  if (delivery.status === 404 && !isPage(delivery)) return undefined;
  if (delivery.status !== 200) throw unavailable(deliveryFailureOf(delivery));
  const body = bodyOf(delivery, JSON.parse);
  if (body.form !== 'json') throw unavailable('answered with something that is not JSON');
  return body.value;
}

const unavailable = (failure: string): MarketDataUnavailable =>
  new MarketDataUnavailable(`The source of market data ${failure}.`);
