import type { BookSide, Level, Market, MarketEvent, Price, Shares } from 'stakeport';
import { aFee, anOpenMarket, at } from '../test/core/matching/scene.js';
import { price, shares } from '../test/support/builders.js';

type LevelsEvent = Extract<MarketEvent, { type: 'levels' }>;
type BookEvent = Extract<MarketEvent, { type: 'book' }>;

/** Levels of a side. */
export const LEVELS = 100;
/** One update in ten removes its level, so that about `LEVELS` of these prices exist at any time. */
const PRICES = 110;
const SIDES = ['bids', 'asks'] as const;
const TICK = 1000n;

/** A market with a fine grid that charges takers 5 %. */
export const MARKET: Market = anOpenMarket({ tick: price('0.001'), fee: aFee('0.05') });

/** Random numbers that are the same in every run (mulberry32): from 0 up to, not including, 1. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const more = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return ((more ^ (more >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The price of the level at this distance from the best one, which is 0. */
export function priceAt(side: BookSide, step: number): Price {
  return (side === 'bids' ? 499_000n - BigInt(step) * TICK : 501_000n + BigInt(step) * TICK) as Price;
}

/** A book with this number of levels a side, all with the same shares. */
export function aBook(total: Shares, ms = 0): BookEvent {
  const side = (name: BookSide): Level[] =>
    Array.from({ length: LEVELS }, (_, step) => ({ price: priceAt(name, step), shares: total }));
  return { type: 'book', bids: side('bids'), asks: side('asks'), at: at(ms) };
}

/** Updates of one level each, mostly near the best one: new totals, removed levels and new ones. */
export function updates(count: number, seed: number): LevelsEvent[] {
  const random = chance(seed);
  return Array.from({ length: count }, (_, number) => {
    const side = SIDES[random() < 0.5 ? 0 : 1];
    const step = Math.floor(Math.min(random(), random()) * PRICES);
    const total = random() < 0.1 ? shares('0') : shares(`${1 + Math.floor(random() * 5000)}`);
    return { type: 'levels', changes: [{ side, price: priceAt(side, step), shares: total }], at: at(number) };
  });
}
