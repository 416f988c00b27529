import { setImmediate } from 'node:timers/promises';
import { type Market, type MarketEvent, type MarketId, Matcher } from 'stakeport/core';
import { systemClock } from 'stakeport/memory';
import { PolymarketMarketData } from 'stakeport/polymarket';
import { LEVELS, priceAt } from '../generated-book.js';
import { aGame, MARKETS } from '../generated-venue.js';
import type { Footprint, Memory } from '../memory.js';
import { expectSame } from '../rounds.js';

const [, , keeping = '', finding = '', gamma = '', clob = '', stream = ''] = process.argv;
const AT_ONCE = 8;

async function memory(): Promise<Memory> {
  for (let turn = 0; turn < 4; turn++) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heapUsed };
}

/** What a minimal program would keep for one market. */
const plainMaps = () => {
  const side = (name: 'bids' | 'asks') =>
    new Map(Array.from({ length: LEVELS }, (_, step) => [Number(priceAt(name, step)), 100_250_000 + step]));
  return { bids: side('bids'), asks: side('asks') };
};

/** Several at a time, one after another. */
async function forAll<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** From the venue's lists, a hundred at a request. */
async function listed(source: PolymarketMarketData): Promise<Market[]> {
  const found: Market[] = [];
  let after: string | undefined;
  do {
    const page = await source.search({ status: 'open' }, { limit: 500, ...(after !== undefined && { after }) });
    found.push(...page.items);
    after = page.next ?? undefined;
  } while (after !== undefined && found.length < MARKETS);
  return found;
}

/** Each by its id, as the service reads the market of an order; a refused request is repeated. */
async function found(source: PolymarketMarketData): Promise<Market[]> {
  const markets: Market[] = [];
  const ids = Array.from({ length: MARKETS }, (_, index) => String(aGame(index + 1).gamma?.['conditionId']));
  await forAll(ids, async (id) => {
    let market: Market | undefined;
    while (market === undefined) market = await source.find(id as MarketId).catch(() => undefined);
    markets.push(market);
  });
  return markets;
}

/** Counts the events of all markets, and keeps their books if requested. */
class Audience {
  /** Resolves when each market has sent one change. */
  readonly changed: Promise<void>;
  readonly #seen = { book: 0, levels: 0, others: 0 };
  readonly #matchers = new Map<MarketId, Matcher>();
  #allChanged = () => {};

  constructor(markets: readonly Market[], keepsBooks: boolean) {
    const kept = keepsBooks ? markets : [];
    for (const market of kept) this.#matchers.set(market.id, new Matcher(market, 0, systemClock.now()));
    this.changed = new Promise<void>((resolve) => {
      this.#allChanged = resolve;
    });
  }

  take({ id }: Market, event: MarketEvent): void {
    this.#matchers.get(id)?.apply(event);
    if (event.type === 'book' || event.type === 'levels') this.#seen[event.type] += 1;
    else if (event.type !== 'market') this.#seen.others += 1;
    if (this.#seen.levels === MARKETS) this.#allChanged();
  }

  /** @throws when a market sent anything but its book and one change, or a book is incomplete */
  check(): void {
    expectSame('books, changes and others', Object.values(this.#seen).join(), [MARKETS, MARKETS, 0].join());
    const whole = [true, LEVELS, LEVELS, 4_321_000_000n].join();
    for (const matcher of this.#matchers.values()) {
      const { bids, asks, fresh } = matcher.view();
      expectSame('a book', [fresh, bids.length, asks.length, bids[0]?.shares].join(), whole);
    }
  }
}

async function measured(source: PolymarketMarketData): Promise<Footprint> {
  const before = await memory();
  const began = performance.now();
  const markets = finding === 'by id' ? await found(source) : await listed(source);
  const foundMs = performance.now() - began;
  expectSame('markets', new Set(markets.map(({ id }) => id)).size, MARKETS);
  const audience = new Audience(markets, keeping === 'books');
  await forAll(markets, async (market) => {
    await source.follow(market, (event) => audience.take(market, event));
  });
  const followedMs = performance.now() - began - foundMs;
  process.send?.('following');
  await audience.changed;
  audience.check();
  return { before, after: await memory(), foundMs, followedMs };
}

async function plain(): Promise<Footprint> {
  const before = await memory();
  const books = Array.from({ length: MARKETS }, plainMaps);
  const after = await memory();
  expectSame('plain books', books.length, MARKETS);
  return { before, after, foundMs: 0, followedMs: 0 };
}

async function following(): Promise<Footprint> {
  const urls = { gamma: new URL(gamma), clob: new URL(clob), stream: new URL(stream) };
  const source = new PolymarketMarketData({ ...urls, clock: systemClock });
  const footprint = await measured(source);
  await source.close();
  return footprint;
}

const footprint = keeping === 'plain' ? await plain() : await following();
process.send?.(footprint, () => process.exit());
