import { type BookSide, Matcher, type Order, type Price, type Shares } from 'stakeport/core';
import { anOrder, at } from '../test/core/matching/scene.js';
import { shares } from '../test/support/builders.js';
import { aBook, MARKET, priceAt, updates } from './generated-book.js';
import { type Contender, expectSame, processorMs } from './rounds.js';

const UPDATES = updates(100_000, 1);
/** How often the maps get the same updates, for a slice long enough to measure; the end result is the same. */
const PASSES = 20;
const BOOK = aBook(shares('1000'));

/** A minimal program: two maps, which know neither the best price nor any order. */
export const TWO_MAPS: Contender<number> = {
  name: 'two Maps of price to shares',
  run: () => {
    const sides = plainBook();
    const began = process.cpuUsage();
    for (let pass = 0; pass < PASSES; pass++) for (const { changes } of UPDATES) update(sides, changes);
    const speed = PASSES * perSecond(began);
    expectSame('the book of the maps', textOf(sides), EXPECTED);
    return speed;
  },
};

/** A matcher with this number of resting paper orders, asked after each update for its reports and due tasks. */
export function updatedMatcher(resting: number): Contender<number> {
  const orders = restingOrders(resting);
  return {
    name: resting === 0 ? 'matcher, no paper order rests' : `matcher, ${resting} paper orders rest`,
    run: () => {
      const matcher = new Matcher(MARKET, 0, at(0));
      matcher.apply(BOOK);
      for (const order of orders) matcher.rest(order);
      let reports = 0;
      const began = process.cpuUsage();
      for (const event of UPDATES) {
        matcher.apply(event);
        reports += matcher.drain().length;
        if (matcher.next !== null) reports += 1;
      }
      const speed = perSecond(began);
      expectSame('reports and tasks of orders that no update reaches', reports, 0);
      expectSame('some order rests', matcher.busy, resting > 0);
      expectSame('the book of the matcher', shownBy(matcher), EXPECTED);
      return speed;
    },
  };
}

type Sides = Readonly<Record<BookSide, Map<Price, Shares>>>;

function plainBook(): Sides {
  const side = (name: BookSide) => new Map(BOOK[name].map(({ price, shares: total }) => [price, total]));
  return { bids: side('bids'), asks: side('asks') };
}

function update(sides: Sides, changes: (typeof UPDATES)[number]['changes']): void {
  for (const { side, price, shares: total } of changes) {
    if (total > 0n) sides[side].set(price, total);
    else sides[side].delete(price);
  }
}

/** Ten at a price, so that they also queue behind each other, out of reach of updates of the other side. */
function restingOrders(count: number): Order[] {
  return Array.from({ length: count }, (_, number) => {
    const price = priceAt('bids', 5 * Math.floor(number / 10));
    return anOrder({ id: `resting-${number}`, side: 'BUY', price, shares: shares('10') }, MARKET, at(0));
  });
}

function textOf(sides: Sides): string {
  const levels = [
    ...[...sides.bids].sort(([a], [b]) => (a > b ? -1 : 1)),
    ...[...sides.asks].sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
  return levels.join(' ');
}

/** All levels after all updates, best first. */
const EXPECTED = (() => {
  const sides = plainBook();
  for (const { changes } of UPDATES) update(sides, changes);
  return textOf(sides);
})();

function shownBy(matcher: Matcher): string {
  const { bids, asks } = matcher.view();
  return [...bids, ...asks].map((level) => [level.price, level.shares]).join(' ');
}

const perSecond = (began: NodeJS.CpuUsage): number => (UPDATES.length * 1000) / processorMs(began);
