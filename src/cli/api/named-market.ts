import type { WireList, WireMarket } from '../../adapters/http/answers.js';
import { MARKET_ID } from '../../core/market/market.js';
import { inOneLine } from '../../core/one-line.js';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import type { ApiClient } from './client/api-client.js';
import { ApiFailure } from './client/api-failure.js';

/** The argument of commands about one market. */
export const MARKET_ARGUMENT = [
  '<market>',
  'the slug of the market, its condition id, its number, or words that no other market has',
] as const;

/** A market as a person names it. */
export interface NamedMarket {
  readonly market: string;
  readonly venue?: string | undefined;
}

/** So many of several markets are named. */
const MOST_NAMED = 10;

/**
 * Does something with the market that a person names: by its id, its slug or its number, and where the server knows none of that name
 * by words of it. @throws CommandFailed where the words are those of several markets, which it lists
 */
export async function withMarket<T>(
  api: ApiClient,
  named: NamedMarket,
  use: (market: string) => Promise<T>,
): Promise<T> {
  const { market } = named;
  if (!MARKET_ID.test(market)) return use((await foundByWords(api, named)) ?? notFound(market));
  try {
    return await use(market);
  } catch (error) {
    if (!isUnknownMarket(error)) throw error;
    const found = await foundByWords(api, named).catch((other: unknown) => {
      throw other instanceof ApiFailure ? error : other;
    });
    if (found === undefined) throw error;
    return use(found);
  }
}

/** Whether the server refused something for a market that it does not know. */
export const isUnknownMarket = (error: unknown): boolean =>
  error instanceof ApiFailure && error.problem?.type === '/problems/market-not-found';

async function foundByWords(api: ApiClient, { market, venue }: NamedMarket): Promise<string | undefined> {
  const query = { text: market, venue, limit: `${MOST_NAMED + 1}` };
  const { body } = await api.request<WireList<WireMarket>>({ path: '/v1/exchange/markets', query });
  const [one, ...others] = body.data;
  if (others.length === 0) return one?.id;
  const named = body.data.slice(0, MOST_NAMED).map(({ slug, id, question }) => `${slug ?? id} (${question ?? '–'})`);
  const more = body.data.length > MOST_NAMED ? ', and more' : '';
  const words = `Several markets match ${market}: ${inOneLine(named.join(', '))}${more}. Say one of them. Nothing was done.`;
  throw new CommandFailed(words, EXIT.usage);
}

function notFound(market: string): never {
  const words = `No market matches ${inOneLine(market)}. Find it with: stakeport markets WORDS. Nothing was done.`;
  throw new CommandFailed(words, EXIT.no);
}
