import assert from 'node:assert/strict';
import type { MarketId } from '../core/ids.js';
import type { Level, MarketEvent } from '../core/market/event.js';
import { answers, isOnGrid, type Market, marketName } from '../core/market/market.js';
import { ONE } from '../core/money.js';
import type { MarketData } from '../ports/market-data.js';

/** A fresh source of market data to be tested. */
export interface MarketDataUnderTest {
  readonly source: MarketData;
  /** An open market of it, with bids and offers. */
  readonly open: MarketId;
  /** A market whose result is final; where there is one, its payouts are checked too. */
  readonly resolved?: MarketId;
  /** Releases its resources. */
  close?(): Promise<void>;
}

/** One requirement of every source: rejects with the reason when this source violates it. */
export interface MarketDataCheck {
  readonly name: string;
  check(): Promise<void>;
}

/**
 * What every `MarketData` must do, as checks for any test runner. Each check opens a source of its own.
 *
 * @example
 * ```ts
 * import { type MarketDataUnderTest, marketDataContract } from 'stakeport/testing';
 *
 * declare const open: () => Promise<MarketDataUnderTest>;
 * for (const { name, check } of marketDataContract(open)) {
 *   await check();
 *   console.log('holds', name);
 * }
 * ```
 */
export function marketDataContract(open: () => Promise<MarketDataUnderTest>): readonly MarketDataCheck[] {
  return Object.entries(CHECKS).map(([name, run]) => ({
    name,
    check: async () => {
      const opened = await open();
      try {
        await run(opened);
      } finally {
        await opened.close?.();
      }
    },
  }));
}

type Check = (opened: MarketDataUnderTest) => Promise<void>;

const NO_MARKET = 'there-is-no-such-market' as MarketId;
/** Of one search at most so many pages are read. */
const MOST_PAGES = 100;
const PAGE = 2;

const CHECKS: Readonly<Record<string, Check>> = {
  'has a name': async ({ source }) => {
    assert.ok(source.venue.length > 0, 'the source has no name');
  },

  'finds a market of its venue by its id': async (opened) => {
    const market = await found(opened);
    assert.equal(market.id, opened.open, 'it found another market');
    assert.equal(market.venue, opened.source.venue, 'the market is of another venue');
  },

  'finds no market of an unknown id': async ({ source }) => {
    assert.equal(await source.find(NO_MARKET), undefined);
  },

  'tells the two outcomes of a market apart': async (opened) => {
    const [first, second] = (await found(opened)).outcomes ?? [];
    assert.ok(first !== undefined && second !== undefined, 'the market has no two outcomes');
    assert.notEqual(first.label, second.label, 'both outcomes have one label');
    assert.notEqual(first.tokenId, second.tokenId, 'both outcomes have one id');
  },

  'gives terms by which orders can be checked': async (opened) => {
    const { terms } = await found(opened);
    assert.ok(terms !== null, 'an open market has no terms');
    assert.ok(terms.tick > 0n && terms.tick < ONE, 'the grid has no step');
    assert.ok(terms.minShares >= 0n && terms.minNotional >= 0n, 'the least order is negative');
    for (const { from, step } of terms.bands ?? [])
      assert.ok(from >= 0n && step > 0n, 'a band of the grid has no step');
    const { fee } = terms;
    if (fee === null) return;
    for (const rate of [fee.rate, fee.makerRate ?? fee.rate]) assert.ok(rate >= 0n && rate < ONE, `a fee of ${rate}`);
  },

  'gives a book in order, on the grid, that is not crossed': async (opened) => {
    const market = await found(opened);
    const book = await opened.source.book(market);
    if (book === undefined) return;
    assertBook(book, market);
    assert.ok(book.fresh, 'a book that was just read is not fresh');
  },

  'finds each market once by searching, and only what was asked for': async ({ source, open }) => {
    const names: string[] = [];
    let after: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { items, next } = await source.search(OPEN, { limit: PAGE, ...(after !== undefined && { after }) });
      assert.ok(items.length <= PAGE, `a page of ${PAGE} has ${items.length} markets`);
      for (const market of items) assert.ok(answers(market, OPEN), `${market.id} is not open`);
      names.push(...items.map(({ id, venue }) => marketName({ venue, marketId: id })));
      if (next === null) break;
      after = next;
    }
    assert.equal(new Set(names).size, names.length, 'a market is found twice');
    assert.ok(names.includes(marketName({ venue: source.venue, marketId: open })), 'the open market is not found');
  },

  'begins what follows a market with its whole book': async (opened) => {
    const market = await found(opened);
    const heard: MarketEvent[] = [];
    const following = await opened.source.follow(market, (event) => void heard.push(event));
    following.stop();
    const first = heard.find(({ type }) => type === 'book' || type === 'gap');
    assert.ok(first !== undefined, 'nothing was handed over before it resolved');
    assert.equal(first.type, 'book', 'the first event is a gap');
    if (first.type === 'book') {
      for (const { price, shares } of [...first.bids, ...first.asks]) {
        assert.ok(shares > 0n, `nothing is left at ${price}`);
        assertOnGrid(market, price);
      }
    }
    assertTimes(heard);
  },

  'hands the same book to a second follower': async (opened) => {
    const market = await found(opened);
    const books: string[] = [];
    const followings = [];
    for (let one = 0; one < 2; one += 1) {
      const listener = (event: MarketEvent) => void (event.type === 'book' && books.push(stated(event)));
      followings.push(await opened.source.follow(market, listener));
    }
    for (const following of followings) following.stop();
    assert.equal(new Set(books).size, 1, `${new Set(books).size} books: ${books.join(' and ')}`);
  },

  'pays the two outcomes of a result one dollar together': async ({ source, resolved }) => {
    if (resolved === undefined) return;
    const market = await source.find(resolved, { account: null, purpose: 'result' });
    assert.ok(market !== undefined, 'the resolved market is not found');
    assert.ok(market.payout !== null, 'a result has no payout');
    const [yes, no] = market.payout;
    assert.ok(yes >= 0n && no >= 0n, 'a payout is negative');
    assert.equal(yes + no, ONE, `the outcomes pay ${yes} and ${no}`);
  },
};

const OPEN = { status: ['open', 'in_play'] } as const;

async function found({ source, open }: MarketDataUnderTest): Promise<Market> {
  const market = await source.find(open);
  assert.ok(market !== undefined, `the market ${open} is not found`);
  return market;
}

function assertBook({ bids, asks }: Pick<MarketEvent & { type: 'book' }, 'bids' | 'asks'>, market: Market): void {
  for (const [side, levels] of [
    ['bid', bids],
    ['offer', asks],
  ] as const) {
    assert.ok(levels.length > 0, `the market has no ${side}`);
    for (const [at, { price, shares }] of levels.entries()) {
      const before = levels[at - 1];
      assert.ok(shares > 0n, `the ${side} at ${price} is of nothing`);
      assertOnGrid(market, price);
      const isWorse = before === undefined || (side === 'bid' ? price < before.price : price > before.price);
      assert.ok(isWorse, `the ${side} at ${price} follows that at ${before?.price}`);
    }
  }
  const [bid, ask] = [bids[0] as Level, asks[0] as Level];
  assert.ok(bid.price < ask.price, `the bid of ${bid.price} meets the offer of ${ask.price}`);
}

function assertOnGrid({ terms }: Market, price: Level['price']): void {
  assert.ok(terms === null || isOnGrid(terms, price), `${price} is not on the grid`);
}

function assertTimes(heard: readonly MarketEvent[]): void {
  for (const [at, event] of heard.entries()) {
    const before = heard[at - 1];
    assert.ok(before === undefined || before.at <= event.at, 'time went back');
  }
}

/** A book as one text, whatever the order of its levels. */
function stated({ bids, asks }: MarketEvent & { type: 'book' }): string {
  const side = (levels: readonly Level[]) => levels.map(({ price, shares }) => `${price}x${shares}`).sort();
  return [side(bids), side(asks)].map((levels) => levels.join(' ')).join(' / ');
}
