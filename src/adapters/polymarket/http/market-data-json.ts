import { MarketDataUnavailable, TooManyLookups } from '../../../core/errors.js';
import type { Asker } from '../../../ports/market-data.js';
import { bodyOf } from '../../transport/body.js';
import { deliveryFailureOf, isPage } from '../../transport/delivery-failure.js';
import type { HttpClient } from '../../transport/http-client.js';

/** Reads of market data: in the lane `look` is what no order waits for. */
export type MarketDataClient = HttpClient<'look'>;

/** For whom it is read, and what ends it. */
export interface Reading {
  readonly asker?: Asker | undefined;
  readonly signal?: AbortSignal | undefined;
}

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
  { asker, signal }: Reading = {},
): Promise<unknown> {
  const lane = asker?.purpose === 'look' ? 'look' : 'read';
  const delivery = await client.read({ method: 'GET', path, query }, { lane, account: asker?.account ?? null, signal });
  if (delivery.kind === 'not_sent' && delivery.reason === 'crowded') throw new TooManyLookups(delivery.waitMs ?? 0);
  if (delivery.kind !== 'answered') throw unavailable(deliveryFailureOf(delivery));
  if (delivery.status === 404 && !isPage(delivery)) return undefined;
  if (delivery.status !== 200) throw unavailable(deliveryFailureOf(delivery));
  const body = bodyOf(delivery, JSON.parse);
  if (body.form !== 'json') throw unavailable('answered with something that is not JSON');
  return body.value;
}

const unavailable = (failure: string): MarketDataUnavailable =>
  new MarketDataUnavailable(`The source of market data ${failure}.`);
