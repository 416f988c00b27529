import type { WireMarket } from '../../adapters/http/answers.js';
import type { ApiClient } from './client/api-client.js';
import { ApiFailure } from './client/api-failure.js';
import { segment } from './page-options.js';

/** What is bet on or held, as far as its market tells. */
interface Held {
  readonly market_id: string;
  readonly venue: string;
}

/** So many markets are asked about for one table. */
const MOST = 20;
const AWAITED: Partial<Record<NonNullable<WireMarket['status']>, string>> = {
  closed: 'the result',
  resolving: 'the result, which is proposed',
  disputed: 'the result, which is disputed',
  resolved: 'its booking',
  amended: 'its booking',
};

/** What is awaited of the markets that trade no more, by their ids; nothing of a market that the server does not show. */
export async function awaitedOf(api: ApiClient, held: readonly Held[]): Promise<ReadonlyMap<string, string>> {
  const markets = [...new Map(held.map((one) => [one.market_id, one])).values()].slice(0, MOST);
  const found = await Promise.all(markets.map((one) => awaitedIn(api, one)));
  return new Map(found.flatMap((one) => (one === null ? [] : [one])));
}

async function awaitedIn(api: ApiClient, { market_id: id, venue }: Held): Promise<readonly [string, string] | null> {
  try {
    const request = { path: `/v1/exchange/markets/${segment(id)}`, query: { venue } };
    const { status } = (await api.request<WireMarket>(request)).body;
    const words = status === null ? undefined : AWAITED[status];
    return words === undefined ? null : [id, words];
  } catch (error) {
    if (error instanceof ApiFailure) return null;
    throw error;
  }
}
