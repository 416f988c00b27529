import { type AccountId, Matcher, type Order, type Price, type ReportBatch, type Shares } from 'stakeport/core';
import { anOrder, at } from '../test/core/matching/scene.js';
import { shares } from '../test/support/builders.js';
import { aBook, MARKET, priceAt } from './generated-book.js';
import { type Contender, expectSame, processorMs } from './rounds.js';

const ORDERS = 20_000;
/** How often very short work is repeated, for a slice long enough to measure. */
const PASSES = 50;
/** Each account meets the complete book once, since what it took stays taken while it is displayed. */
const ACCOUNTS = 100;
const LEVEL = shares('1000');
const DEEP = shares('100000000');
const SMALL = shares('5');

interface PlainLevel {
  readonly price: Price;
  left: Shares;
}

/** A minimal way of taking from a book: an array of levels, best one first, and what is left of each. */
export function plainTaking(levels: number): Contender<number> {
  const { total, wanted, limit } = sizes(levels);
  return {
    name: `a loop over an array, ${levelText(levels)}`,
    run: () => {
      const asks = aBook(total).asks.map(({ price }) => ({ price, left: total }));
      const touched = asks.slice(0, levels);
      let fills = 0;
      const began = process.cpuUsage();
      for (let number = 0; number < PASSES * ORDERS; number++) {
        fills += take(asks, wanted, limit);
        if (levels > 1) for (const level of touched) level.left = total;
      }
      const spent = processorMs(began);
      expectSame('fills', fills, PASSES * ORDERS * levels);
      return PASSES * perSecond(spent);
    },
  };
}

function take(asks: readonly PlainLevel[], wanted: Shares, limit: Price): number {
  let fills = 0;
  let missing = wanted;
  for (const level of asks) {
    if (missing === 0n || level.price > limit) break;
    const taken = level.left < missing ? level.left : missing;
    level.left = (level.left - taken) as Shares;
    missing = (missing - taken) as Shares;
    fills += 1;
  }
  return fills;
}

/** An order for one level leaves nearly all of it; one for several takes them completely. */
function sizes(levels: number) {
  const limit = priceAt('asks', levels - 1);
  if (levels === 1) return { total: DEEP, wanted: SMALL, limit };
  return { total: LEVEL, wanted: (LEVEL * BigInt(levels)) as Shares, limit };
}

/** Orders that fill at once and completely against this number of levels, each from its arrival to its reports. */
export function taking(levels: number): Contender<number> {
  const { total, wanted, limit } = sizes(levels);
  const orders = Array.from({ length: ORDERS }, (_, number) => {
    const account = `account-${number % ACCOUNTS}` as AccountId;
    const ask = {
      id: `taker-${number}`,
      account,
      side: 'BUY',
      price: limit,
      shares: wanted,
      timeInForce: 'FAK',
    } as const;
    return anOrder(ask, MARKET, at(momentOf(number)));
  });
  return {
    name: `matcher, ${levelText(levels)}`,
    run: () => {
      const matcher = new Matcher(MARKET, 0, at(0));
      const tally = new Tally();
      let spent = 0;
      for (let first = 0; first < ORDERS; first += ACCOUNTS) {
        // Emptied first: what was taken of a level stays taken if the same level is only repeated.
        matcher.apply({ type: 'book', bids: [], asks: [], at: at(momentOf(first) - 1) });
        matcher.apply(aBook(total, momentOf(first) - 1));
        const began = process.cpuUsage();
        for (const order of orders.slice(first, first + ACCOUNTS)) {
          matcher.enter(order);
          matcher.advance(order.placedAt);
          tally.count(matcher.drain());
        }
        spent += processorMs(began);
      }
      tally.expect({ accepted: ORDERS, fills: ORDERS * levels, shares: wanted * BigInt(ORDERS), others: 0 });
      return perSecond(spent);
    },
  };
}

/** Orders that come to rest and are cancelled, beside this number that stay. */
export function resting(beside: number): Contender<number> {
  const orders = restingOrders('rester', ORDERS).map((order, number) => {
    return { order, cancelledAt: at(momentOf(number) + 1) };
  });
  const others = restingOrders('other', beside);
  return {
    name: `matcher, beside ${beside} that rest`,
    run: () => {
      const matcher = new Matcher(MARKET, 0, at(0));
      const tally = new Tally();
      matcher.apply(aBook(LEVEL));
      for (const order of others) matcher.rest(order);
      const began = process.cpuUsage();
      for (const { order, cancelledAt } of orders) {
        matcher.enter(order);
        matcher.advance(order.placedAt);
        matcher.cancel(order.id, cancelledAt);
        matcher.advance(cancelledAt);
        tally.count(matcher.drain());
      }
      const spent = processorMs(began);
      tally.expect({ accepted: ORDERS, fills: 0, shares: 0n, others: ORDERS });
      expectSame('some order rests', matcher.busy, beside > 0);
      return perSecond(spent);
    },
  };
}

/** A minimal way of storing and removing an order. */
export const ONE_MAP: Contender<number> = {
  name: 'a Map of orders',
  run: () => {
    const orders = new Map<string, number>();
    const ids = Array.from({ length: ORDERS }, (_, number) => `rester-${number}`);
    let most = 0;
    const began = process.cpuUsage();
    for (let pass = 0; pass < PASSES; pass++) {
      for (const id of ids) {
        orders.set(id, most);
        most = Math.max(most, orders.size);
        orders.delete(id);
      }
    }
    const speed = PASSES * perSecond(processorMs(began));
    expectSame('orders at a time', most, 1);
    return speed;
  },
};

function restingOrders(name: string, count: number): Order[] {
  return Array.from({ length: count }, (_, number) => {
    const ask = { id: `${name}-${number}`, side: 'BUY', price: priceAt('bids', number % 100), shares: SMALL } as const;
    return anOrder(ask, MARKET, at(momentOf(number)));
  });
}

/** Counts the outcomes of orders, to verify that each did what is measured. */
class Tally {
  readonly #counts = { accepted: 0, fills: 0, shares: 0n, others: 0 };

  count(batches: readonly ReportBatch[]): void {
    for (const { reports } of batches) {
      for (const report of reports) {
        if (report.type === 'accepted') this.#counts.accepted += 1;
        else if (report.type === 'fill') {
          this.#counts.fills += 1;
          this.#counts.shares += report.execution.shares;
        } else if (report.type === 'cancelled') this.#counts.others += 1;
        else throw new Error(`unexpected report ${report.type}`);
      }
    }
  }

  expect(expected: { accepted: number; fills: number; shares: bigint; others: number }): void {
    expectSame('orders accepted, fills, shares and cancellations', this.#text(this.#counts), this.#text(expected));
  }

  #text(counts: object): string {
    return Object.values(counts).join(', ');
  }
}

/** In milliseconds; the times before and after belong to no other order. */
const momentOf = (number: number): number => 3 * number + 2;
const levelText = (levels: number): string => `${levels} level${levels === 1 ? '' : 's'}`;
const perSecond = (ms: number): number => (ORDERS * 1000) / ms;
