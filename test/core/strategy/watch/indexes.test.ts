import { describe, expect, it } from 'vitest';
import type { VenueName } from '../../../../src/core/ids.js';
import { ONE, type Price } from '../../../../src/core/money.js';
import type { TradingRules } from '../../../../src/core/strategy/rules/trading-rules.js';
import { type MatchedMarket, StrategyIndex } from '../../../../src/core/strategy/watch/automated-strategies.js';
import { PriceIndex, type PriceRange } from '../../../../src/core/strategy/watch/watched-market.js';

/** Numbers from 0 to `below`, the same at every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const soccer: TradingRules['match'] = {
  sport: 'soccer',
  league: null,
  market: null,
  venue: null,
  events: null,
  text: null,
};

describe('The index of strategies by market', () => {
  const market: MatchedMarket = {
    venue: 'polymarket' as VenueName,
    sport: 'Soccer',
    league: 'EPL',
    kind: 'moneyline',
    event: { id: '77', slug: 'epl-ars-che', title: null },
  };

  function foundBy(rules: Readonly<Record<string, TradingRules['match']>>, asked: MatchedMarket = market): string[] {
    const index = new StrategyIndex<string>();
    for (const [name, match] of Object.entries(rules)) index.put(name, match);
    return [...index.for(asked)].sort();
  }

  it('finds rules that leave league and kind open or name them', () => {
    const rules = {
      open: soccer,
      league: { ...soccer, league: 'epl' },
      kind: { ...soccer, market: 'moneyline' },
      both: { ...soccer, league: ['laliga', 'epl'], market: ['total', 'moneyline'] },
    } as const;
    expect(foundBy(rules)).toEqual(['both', 'kind', 'league', 'open']);
  });

  it('does not find rules for another sport, league, kind or event', () => {
    const rules = {
      sport: { ...soccer, sport: 'tennis' },
      league: { ...soccer, league: ['laliga', 'bundesliga'] },
      kind: { ...soccer, market: 'total' },
      event: { ...soccer, events: ['78'] },
    } as const;
    expect(foundBy(rules)).toEqual([]);
  });

  it('finds rules that name the event by its id or slug', () => {
    const rules = { id: { ...soccer, events: ['77'] }, slug: { ...soccer, events: ['other', 'EPL-ars-che'] } };
    expect(foundBy(rules)).toEqual(['id', 'slug']);
  });

  it('finds only rules that leave unknown members of a market open', () => {
    const rules = { open: soccer, league: { ...soccer, league: 'epl' }, kind: { ...soccer, market: 'total' } } as const;
    expect(foundBy(rules, { ...market, league: null, kind: null })).toEqual(['open']);
    expect(foundBy(rules, { ...market, sport: null })).toEqual([]);
  });

  it('finds rules for the venue of the market, and those of no venue at the default one alone', () => {
    const rules = {
      unnamed: soccer,
      here: { ...soccer, venue: 'polymarket' },
      listed: { ...soccer, events: ['77'], venue: ['kalshi', 'polymarket'] },
      any: { ...soccer, venue: 'any' },
      there: { ...soccer, venue: 'kalshi' },
    } as const;
    const found = (venue: string, defaultVenue: string | null) => {
      const index = new StrategyIndex<string>(defaultVenue as VenueName | null);
      for (const [name, match] of Object.entries(rules)) index.put(name, match);
      const asked = { ...market, venue: venue as VenueName };
      const named = index.namer(asked);
      expect(Object.keys(rules).filter(named)).toEqual(Object.keys(rules).filter((name) => index.for(asked).has(name)));
      return [...index.for(asked)].sort();
    };
    expect(found('polymarket', 'polymarket')).toEqual(['any', 'here', 'listed', 'unnamed']);
    expect(found('kalshi', 'polymarket')).toEqual(['any', 'listed', 'there']);
    expect(found('kalshi', null)).toEqual(['any', 'listed', 'there', 'unnamed']);
  });

  it('goes by the newest rules, and forgets what was removed', () => {
    const index = new StrategyIndex<string>();
    index.put('a', soccer);
    index.put('a', { ...soccer, league: 'laliga' });
    expect([...index.for(market)]).toEqual([]);
    index.put('a', { ...soccer, events: ['77', '77'] });
    expect([...index.for(market)]).toEqual(['a']);
    index.remove('a');
    expect([[...index.for(market)], index.size]).toEqual([[], 0]);
  });
});

describe('The index of prices', () => {
  it('finds exactly the entries whose range contains the price, after any changes', () => {
    const below = numbers(7);
    const price = () => BigInt(below(1_000_001)) as Price;
    const index = new PriceIndex<number>();
    const ranges = new Map<number, PriceRange>();
    for (let step = 0; step < 2000; step++) {
      const entry = below(300);
      if (below(4) === 0) {
        index.remove(entry);
        ranges.delete(entry);
      } else {
        const range = { from: price(), to: price() };
        index.put(entry, range);
        ranges.set(entry, range);
      }
      const at = price();
      const expected = [...ranges].filter(([, { from, to }]) => from <= at && at <= to).map(([name]) => name);
      expect(index.at(at).toSorted((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
    }
    expect(index.size).toBe(ranges.size);
  });

  it('includes the ends of a range, and all prices without a bound', () => {
    const index = new PriceIndex<string>();
    index.put('point', { from: 570_000n as Price, to: 570_000n as Price });
    index.put('all', { from: -1n as Price, to: ONE as Price });
    expect(index.at(570_000n as Price).toSorted()).toEqual(['all', 'point']);
    expect(index.at(570_001n as Price)).toEqual(['all']);
    expect([index.at(0n as Price), index.at(ONE as Price)]).toEqual([['all'], ['all']]);
  });
});
