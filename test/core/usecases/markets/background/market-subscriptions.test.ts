import { describe, expect, test } from 'vitest';
import { TooManyMarkets } from '../../../../../src/core/errors.js';
import type { AccountId, MarketId } from '../../../../../src/core/ids.js';
import { NO_VENUE } from '../../../../../src/core/market/market.js';
import {
  type MarketNews,
  MarketSubscriptions,
  type SubscriptionRequest,
} from '../../../../../src/core/usecases/markets/background/market-subscriptions.js';
import { FollowedMarkets } from '../../../../../src/core/usecases/strategies/background/watched-markets.js';
import { Venues } from '../../../../../src/core/venues/venues.js';
import type { MarketListener } from '../../../../../src/ports/market-data.js';
import { ALICE, NOON, price, shares } from '../../../../support/builders.js';
import { aMarket, levels } from '../../../../support/scripted-market.js';

const KEPT = 4;

/** Subscriptions to any number of markets, whose news a test tells. */
function fixture() {
  const listeners = new Map<MarketId, MarketListener>();
  const source = {
    venue: NO_VENUE,
    find: async (id: MarketId) => aMarket({}, { id, slug: null, venueId: null }),
    search: async () => ({ items: [], next: null }),
    book: async () => undefined,
    async follow({ id }: { readonly id: MarketId }, listener: MarketListener) {
      listeners.set(id, listener);
      return { stop: () => listeners.delete(id) };
    },
  };
  const own = { marketData: source, live: null, settlesInCash: false, redemption: null };
  const venues = new Venues({ local: null } as never, [own]);
  const context = { clock: { now: () => new Date(NOON) }, ids: { next: () => '019aa-000000000001' } };
  const one = async (_: unknown, __: unknown, id: MarketId) => source.find(id);
  const subscriptions = new MarketSubscriptions({ one }, new FollowedMarkets(venues), context, KEPT);
  const subscribe = (markets: readonly string[], more: Partial<SubscriptionRequest> = {}) =>
    subscriptions.subscribe({
      account: ALICE,
      venue: null,
      markets: markets as readonly MarketId[],
      depth: 1,
      after: null,
      ...more,
    });
  const at = new Date(NOON);
  const show = (id: string, bids: string) =>
    listeners.get(id as MarketId)?.({ type: 'book', bids: levels(bids), asks: [], at });
  const trade = (id: string, size: string) =>
    listeners.get(id as MarketId)?.({ type: 'trade', price: price('0.5'), shares: shares(size), taker: 'BUY', at });
  return { subscriptions, subscribe, show, trade, listeners };
}

const told = (updates: readonly MarketNews[]) =>
  updates.map((update) =>
    update.type === 'trade'
      ? `trade ${update.shares}`
      : update.type === 'gap'
        ? `gap ${update.reason}`
        : `${update.type} ${update.market.id}`,
  );
const names = (count: number, prefix = 'm') => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

describe('a subscription', () => {
  test('gets of a book the newest alone', async () => {
    const { subscribe, show } = fixture();
    const reader = await subscribe(['rain']);
    for (const size of ['1', '2', '3']) show('rain', `0.4x${size}`);
    const books = reader.take(100).flatMap((update) => (update.type === 'book' ? [update.book.bids[0]?.shares] : []));
    expect(books).toEqual([shares('3')]);
    show('rain', '0.4x3 0.3x9');
    expect([reader.isBehind, reader.take(100)]).toEqual([false, []]);
  });

  test('that is too slow is told so, and gets what is kept', async () => {
    const { subscribe, trade } = fixture();
    const reader = await subscribe(['rain']);
    reader.take(100);
    for (let size = 1; size <= KEPT + 2; size += 1) trade('rain', `${size}`);
    const kept = Array.from({ length: KEPT }, (_, n) => `trade ${shares(`${n + 3}`)}`);
    expect(told(reader.take(100))).toEqual(['gap missed', ...kept]);
  });

  test('takes trades before books, and each market in its turn', async () => {
    const { subscribe, show, trade } = fixture();
    const reader = await subscribe(['rain', 'snow', 'sun']);
    reader.take(100);
    for (const id of ['rain', 'snow', 'sun']) show(id, '0.4x1');
    trade('snow', '1');
    expect(told(reader.take(2))).toEqual([`trade ${shares('1')}`, 'book rain']);
    show('rain', '0.4x2');
    expect(told(reader.take(2))).toEqual(['book snow', 'book sun']);
    expect(told(reader.take(2))).toEqual(['book rain']);
  });

  test('hears nothing of markets that others follow', async () => {
    const { subscribe, trade, show } = fixture();
    const [reader] = [await subscribe(['rain']), await subscribe(['snow'])];
    reader.take(100);
    trade('snow', '1');
    show('snow', '0.4x1');
    expect(reader.take(100)).toEqual([]);
  });

  test('follows a market for as long as somebody reads it', async () => {
    const { subscribe, listeners } = fixture();
    const [one, other] = [await subscribe(['rain']), await subscribe(['rain'], { account: 'bob' as AccountId })];
    one.end();
    expect([...listeners.keys()]).toEqual(['rain']);
    other.end();
    other.end();
    await Promise.resolve();
    expect([...listeners.keys()]).toEqual([]);
  });
});

describe('the markets of an account', () => {
  test('are bounded, beside those that others follow', async () => {
    const { subscribe } = fixture();
    const readers = await Promise.all([subscribe(names(100, 'a')), subscribe(names(100, 'b'))]);
    await expect(subscribe(['one-more'])).rejects.toThrow(TooManyMarkets);
    await subscribe(['a-1', 'b-1']);
    readers[0]?.end();
    await subscribe(['one-more']);
  });

  test('leave room for those of the next account', async () => {
    const { subscribe } = fixture();
    for (let account = 0; account < 12; account += 1)
      for (let most = 100; most >= 1; most = Math.floor(most / 2)) {
        const asked = names(most, `${account}-${most}`);
        await subscribe(asked, { account: `account-${account}` as AccountId }).catch(() => {});
      }
    await expect(subscribe(['rain'], { account: 'late' as AccountId })).resolves.toBeDefined();
  });
});
