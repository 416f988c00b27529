import { describe, expect, it } from 'vitest';
import type { AccountId, MarketId, StrategyId, VenueName } from '../../src/core/ids.js';
import type { FirstPrice, FirstPriceKey } from '../../src/core/strategy/watch/watcher.js';
import type { Ledger } from '../../src/ports/ledger.js';
import { ALICE, BOB, NOON, price } from '../support/builders.js';

type Store = Pick<Ledger, 'firstPrices'>;

const AT_NOON = new Date(NOON);
const ALL = { limit: 100 } as const;

const seen = (at: string, changes: Partial<FirstPrice> = {}): FirstPrice => ({
  account: ALICE,
  strategyId: 's' as StrategyId,
  venue: 'sea' as VenueName,
  marketId: 'will-it-rain' as MarketId,
  outcome: 'YES',
  price: price(at),
  at: AT_NOON,
  ...changes,
});
const inMarket = (name: string, changes: Partial<FirstPrice> = {}) =>
  seen('0.5', { marketId: name as MarketId, ...changes });

/** A part of the key that could be confused, each with what else it could be. */
const OTHERS: readonly Partial<FirstPriceKey>[] = [
  { account: BOB },
  { account: 'Alice' as AccountId },
  { strategyId: 'S' as StrategyId },
  { venue: 'elsewhere' as VenueName },
  { marketId: 'Will-it-rain' as MarketId },
  { outcome: 'NO' },
];

export function firstPrices(open: () => Store): void {
  describe('a first price', () => {
    it('is on record as it was first noted, and not before', async () => {
      const { firstPrices: store } = open();
      const first = seen('0.500001');
      expect(await store.find([first])).toEqual([]);
      expect(await store.keep([first])).toEqual([first]);
      expect(await store.find([first])).toEqual([first]);
    });

    it('is never replaced: storing a later price returns the first', async () => {
      const { firstPrices: store } = open();
      const first = seen('0.5');
      await store.keep([first]);
      const later = seen('0.54', { at: new Date(AT_NOON.getTime() + 1) });
      expect(await store.keep([later])).toEqual([first]);
      expect(await store.find([later])).toEqual([first]);
    });

    it('is kept separately per account, strategy, venue, market and outcome, matched exactly', async () => {
      const { firstPrices: store } = open();
      const first = seen('0.5');
      const others = OTHERS.map((part, n) => seen(`0.${60 + n}`, part));
      await store.keep([first]);
      expect(await store.find(others)).toEqual([]);
      expect(await store.keep(others)).toEqual(others);
      for (const one of [first, ...others]) expect(await store.find([one])).toEqual([one]);
    });

    it('is stored among new and known ones, each answered in its place', async () => {
      const { firstPrices: store } = open();
      const many = Array.from({ length: 300 }, (_, n) => inMarket(`market-${n}`));
      const known = many.filter((_, n) => n % 3 === 0);
      await store.keep(known);
      const again = many.map((one) => ({ ...one, price: price('0.7') }));
      expect(await store.keep(again)).toEqual(many.map((one, n) => (n % 3 === 0 ? one : again[n])));
      expect(await store.keep([])).toEqual([]);
    });
  });

  describe('first prices', () => {
    it('list each market seen before a moment once, by venue and id', async () => {
      const { firstPrices: store } = open();
      const at = (ms: number) => new Date(AT_NOON.getTime() + ms);
      const elsewhere = { venue: 'abroad' as VenueName };
      const early = [inMarket('z', elsewhere), inMarket('A'), inMarket('a'), inMarket('b')];
      await store.keep([
        ...early.toReversed(),
        inMarket('a', { outcome: 'NO' }),
        inMarket('a', { account: BOB }),
        inMarket('c', { at: at(1) }),
      ]);
      const markets = early.map(({ venue, marketId }) => ({ venue, marketId }));
      expect(await store.listMarkets(AT_NOON, ALL)).toEqual([]);
      expect(await store.listMarkets(at(1), ALL)).toEqual(markets);
      expect(await store.listMarkets(at(2), ALL)).toHaveLength(5);
      const first = await store.listMarkets(at(1), { limit: 3 });
      expect(first).toEqual(markets.slice(0, 3));
      const [, , last] = markets;
      expect(await store.listMarkets(at(1), { limit: 3, ...(last && { after: last }) })).toEqual(markets.slice(3));
    });

    it('are forgotten with their market, all of them and no others', async () => {
      const { firstPrices: store } = open();
      const [one, other] = [inMarket('one'), inMarket('one', { account: BOB, outcome: 'NO' })];
      const rest = [inMarket('two'), inMarket('one', { venue: 'abroad' as VenueName })];
      await store.keep([one, other, ...rest]);
      expect(await store.forget(one)).toBe(2);
      expect(await store.find([one, other])).toEqual([]);
      expect(await store.find(rest)).toHaveLength(2);
      expect(await store.forget(one)).toBe(0);
      const anew = { ...one, price: price('0.9') };
      expect(await store.keep([anew])).toEqual([anew]);
    });
  });
}

export function firstPriceRaces(open: () => readonly Store[]): void {
  describe('servers that see a market first at different prices', () => {
    it('agree on one of them, for each market', async () => {
      const stores = open().map(({ firstPrices: store }) => store);
      const markets = Array.from({ length: 20 }, (_, n) => `market-${n}`);
      const looks = Array.from({ length: 40 }, (_, n) => {
        const all = markets.map((market) => inMarket(market, { price: price(`0.${10 + n}`) }));
        return stores[n % stores.length]?.keep(n % 2 === 0 ? all : all.toReversed()) ?? [];
      });
      const answers = (await Promise.all(looks)).flat();
      expect(answers).toHaveLength(800);
      for (const market of markets) {
        const told = new Set(answers.filter(({ marketId }) => marketId === market).map((one) => one.price));
        expect(told.size, market).toBe(1);
        for (const store of stores)
          expect(new Set((await store.find([inMarket(market)])).map((one) => one.price))).toEqual(told);
      }
    });
  });
}
