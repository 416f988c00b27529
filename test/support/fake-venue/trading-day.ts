import { aMarket, type MarketTerms } from './markets.js';
import { type Answered, PlainClient, type Wish } from './plain-client.js';
import { FakeVenue } from './venue.js';
import { decimal, type Json } from './wire.js';

/** When a day of trading begins. */
export const NOON = Date.parse('2027-01-10T12:00:00.000Z');

/** A market with fees for takers and a delay once the game is on. */
export const GAME: MarketTerms = aMarket('game', { feeRate: '0.05', delaySeconds: 3 });

/** A venue with one market and one plain client that has 100 dollars; time passes only when a test advances it. */
export async function aTradingDay(markets: readonly MarketTerms[] = [GAME]) {
  const time = { now: NOON };
  const venue = await FakeVenue.start({ markets, clock: () => time.now });
  const client = new PlainClient(venue);
  const account = venue.account(client.account.address);
  venue.fund(client.account.address, '100');
  return {
    venue,
    client,
    account,
    time,
    money: () => decimal(account.collateral),
    held: (token: string) => decimal(account.balanceOf(token)),
    trades: async () => (await client.get<{ data: Json[] }>('/data/trades')).data,
    lookUp: (hash: string) => client.get<Json | null>(`/data/order/${hash}`),
    /** Sends the order; returns its hash beside the answer. */
    sends: async (wish: Wish = {}): Promise<Answered & { readonly hash: string }> => {
      const { hash, answer } = await client.order(wish);
      return { ...answer, hash };
    },
  };
}
