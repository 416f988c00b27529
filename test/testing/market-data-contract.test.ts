import { AssertionError } from 'node:assert';
import { describe, expect, it } from 'vitest';
import { ApiKeyFile } from '../../src/adapters/kalshi/http/api-key.js';
import { KalshiMarketData } from '../../src/adapters/kalshi/market-data/kalshi-market-data.js';
import { openTape } from '../../src/adapters/tape/index.js';
import type { MarketId } from '../../src/core/ids.js';
import type { MarketEvent } from '../../src/core/market/event.js';
import { SPLIT } from '../../src/core/market/lifecycle.js';
import { answers, type Market } from '../../src/core/market/market.js';
import { price, usdc } from '../../src/core/money.js';
import type { MarketData } from '../../src/ports/market-data.js';
import { type MarketDataUnderTest, marketDataContract } from '../../src/testing/index.js';
import { Venue } from '../adapters/polymarket/market-data/venue.js';
import { described, line, pastNoon, tape } from '../adapters/tape/tapes.js';
import { anOpenMarket } from '../core/matching/view.js';
import { clockAt } from '../support/builders.js';
import { ED25519_KEY, keyFileOf } from '../support/fake-kalshi/keys.js';
import { FakeKalshi } from '../support/fake-kalshi/venue.js';
import { levels } from '../support/scripted-market.js';

const FIRST = { label: 'Home', tokenId: '1' };
const OPEN: Market = { ...anOpenMarket(), outcomes: [FIRST, { label: 'Away', tokenId: '2' }] };
const RESOLVED: Market = { ...OPEN, id: 'over' as MarketId, status: 'resolved', payout: SPLIT };
const BOOK = { bids: levels('0.48x10 0.47x5'), asks: levels('0.50x10') };
const AT = new Date('2027-01-10T12:00:00.000Z');

/** A source that keeps its promises, but for what is changed of it. */
function aSource(changes: Partial<MarketData> = {}): MarketDataUnderTest {
  const all = [OPEN, RESOLVED];
  const source: MarketData = {
    venue: OPEN.venue,
    find: async (id) => all.find((market) => market.id === id),
    search: async (query) => ({ items: all.filter((market) => answers(market, query)), next: null }),
    book: async () => ({ ...BOOK, at: AT, fresh: true }),
    follow: async (_, listener) => {
      await listener({ type: 'book', ...BOOK, at: AT });
      return { stop: () => {} };
    },
    ...changes,
  };
  return { source, open: OPEN.id, resolved: RESOLVED.id };
}

const finding = (changes: Partial<Market>) => aSource({ find: async (id) => ({ ...OPEN, ...changes, id }) });
const telling = (...events: readonly object[]) =>
  aSource({
    follow: async (_, listener) => {
      for (const event of events) await listener({ at: AT, ...event } as MarketEvent);
      return { stop: () => {} };
    },
  });
let turns = 0;

/** Sources of which each breaks one promise, by the name of the check that finds it. */
const LIES: Readonly<Record<string, readonly MarketDataUnderTest[]>> = {
  'has a name': [aSource({ venue: '' as never })],
  'finds a market of its venue by its id': [
    aSource({ find: async () => RESOLVED }),
    finding({ venue: 'elsewhere' as never }),
  ],
  'finds no market of an unknown id': [aSource({ find: async () => OPEN })],
  'tells the two outcomes of a market apart': [finding({ outcomes: null }), finding({ outcomes: [FIRST, FIRST] })],
  'gives terms by which orders can be checked': [
    finding({ terms: null }),
    finding({ terms: { ...OPEN.terms, tick: 0n } as never }),
    finding({ terms: { ...OPEN.terms, fee: { rate: 1_000_000n, exponent: 1, takerOnly: true, asOf: AT } } as never }),
  ],
  'gives a book in order, on the grid, that is not crossed': [
    aSource({ book: async () => ({ ...BOOK, at: AT, fresh: false }) }),
    aSource({ book: async () => ({ ...BOOK, bids: levels('0.47x5 0.48x10'), at: AT, fresh: true }) }),
    aSource({ book: async () => ({ ...BOOK, bids: levels('0.50x5'), at: AT, fresh: true }) }),
    aSource({ book: async () => ({ ...BOOK, bids: levels('0.485x5'), at: AT, fresh: true }) }),
  ],
  'finds each market once by searching, and only what was asked for': [
    aSource({ search: async () => ({ items: [], next: null }) }),
    aSource({ search: async () => ({ items: [OPEN, RESOLVED], next: null }) }),
    aSource({ search: async (_, { after }) => ({ items: [OPEN], next: after === undefined ? 'more' : null }) }),
  ],
  'begins what follows a market with its whole book': [
    telling(),
    telling({ type: 'gap', reason: 'lost' }),
    telling({ type: 'book', ...BOOK, bids: levels('0.485x5') }),
    telling({ type: 'book', ...BOOK }, { type: 'tick', tick: price('0.01'), at: new Date(0) }),
  ],
  'hands the same book to a second follower': [
    aSource({
      follow: async (_, listener) => {
        turns += 1;
        await listener({ type: 'book', ...BOOK, bids: levels(`0.48x${turns}`), at: AT });
        return { stop: () => {} };
      },
    }),
  ],
  'pays the two outcomes of a result one dollar together': [
    finding({ payout: null }),
    finding({ payout: [usdc('1'), usdc('1')] }),
  ],
};

describe('the contract of market data', () => {
  const honest = marketDataContract(async () => aSource());
  it.each(honest)('passes an honest source: $name', ({ check }) => expect(check()).resolves.toBeUndefined());

  it.each(Object.entries(LIES).flatMap(([promise, sources]) => sources.map((source, at) => ({ promise, source, at }))))(
    'catches a source that violates "$promise", way $at',
    async ({ promise, source }) => {
      const broken = marketDataContract(async () => source).find(({ name }) => name === promise);
      await expect(broken?.check()).rejects.toThrow(AssertionError);
    },
  );

  it('has a liar for every promise', () => {
    expect(Object.keys(LIES)).toEqual(honest.map(({ name }) => name));
  });
});

/** No read waits for its turn. */
const MANY = [{ prefix: '', points: 1000, seconds: 1 }];
const PLENTY = { read: MANY, follow: MANY, result: MANY, look: MANY };

/** Kalshi, with a price grid in bands, and a result between its two ends. */
async function atKalshi(): Promise<MarketDataUnderTest> {
  const venue = await FakeKalshi.start();
  const [open, resolved] = ['KXNFLGAME-27JAN16OTTBAD-BAD', 'KXNFLGAME-27JAN16OTTBAD-OTT'] as [MarketId, MarketId];
  const bands = [
    { start: '0.0000', end: '0.1000', step: '0.0010' },
    { start: '0.1000', end: '0.9000', step: '0.0100' },
    { start: '0.9000', end: '1.0000', step: '0.0010' },
  ];
  venue.changes(open, { price_ranges: bands });
  venue.changes(resolved, { status: 'finalized', result: 'scalar', settlement_value_dollars: '0.3700' });
  venue.books.set(open, {
    yes: [
      ['0.0630', '10.00'],
      ['0.4700', '3.00'],
    ],
    no: [['0.4800', '3.00']],
  });
  const source = new KalshiMarketData({
    environment: 'production',
    api: venue.api,
    socket: venue.socket,
    signer: await ApiKeyFile.open(ED25519_KEY.id, keyFileOf(ED25519_KEY)),
    series: ['KXNFLGAME'],
    clock: clockAt('2027-01-10T12:00:00.000Z'),
    allowances: PLENTY,
  });
  const close = () => source.close().then(() => venue.stop());
  return { source, open, resolved, close };
}

async function atPolymarket(): Promise<MarketDataUnderTest> {
  const venue = await Venue.open();
  venue.shows([['0.4', '10']], [['0.5', '3']]);
  return { source: venue.data, open: venue.id, close: () => venue.close() };
}

async function ofTape(): Promise<MarketDataUnderTest> {
  const book = { type: 'book', ...BOOK } as const;
  const path = tape(line(0, described(OPEN), OPEN), line(1, book, OPEN), { at: pastNoon(3_600_000), type: 'alive' });
  const player = await openTape(path, { speed: 1 });
  await player.start();
  await expect.poll(async () => (await player.book(OPEN))?.asks).toEqual(BOOK.asks);
  return { source: player, open: OPEN.id, close: async () => player.stop() };
}

describe.each([
  ['Kalshi', atKalshi],
  ['Polymarket', atPolymarket],
  ['a tape', ofTape],
] as const)('The market data of %s, like any other', (_, open) => {
  for (const { name, check } of marketDataContract(open)) it(name, () => expect(check()).resolves.toBeUndefined());
});
