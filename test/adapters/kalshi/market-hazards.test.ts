import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeyFile } from '../../../src/adapters/kalshi/http/api-key.js';
import { KalshiMarketData } from '../../../src/adapters/kalshi/market-data/kalshi-market-data.js';
import type { MarketId } from '../../../src/core/ids.js';
import type { Market } from '../../../src/core/market/market.js';
import { isOnGrid } from '../../../src/core/market/market.js';
import type { Asker } from '../../../src/ports/market-data.js';
import { price, usdc } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { ED25519_KEY, keyFileOf } from '../../support/fake-kalshi/keys.js';
import { EVENT } from '../../support/fake-kalshi/records.js';
import { FakeKalshi } from '../../support/fake-kalshi/venue.js';
import { levels } from '../../support/scripted-market.js';
import { diary } from '../polymarket/market-data/listening.js';
import { atKalshi } from './exchange-fixture.js';

const BADGERS = 'KXNFLGAME-27JAN16OTTBAD-BAD' as MarketId;
const OTTERS = 'KXNFLGAME-27JAN16OTTBAD-OTT' as MarketId;
const WHOLE = 'book 0.47x3 / 0.52x3';
/** No read waits for its turn. */
const MANY = [{ prefix: '', points: 1000, seconds: 1 }];
const PLENTY = { read: MANY, follow: MANY, result: MANY, look: MANY };
const RESULT: Asker = { account: null, purpose: 'result' };

const RESTS = { price: price('0.50'), size: usdc('10') };

let venue: FakeKalshi;
let data: KalshiMarketData;
let reports: string[];
let now: Date;

beforeEach(async () => {
  venue = await FakeKalshi.start();
  reports = [];
  now = new Date('2027-01-10T12:00:00.000Z');
  for (const ticker of [BADGERS, OTTERS])
    venue.books.set(ticker, { yes: [['0.4700', '3.00']], no: [['0.4800', '3.00']] });
  data = new KalshiMarketData({
    environment: 'production',
    api: venue.api,
    socket: venue.socket,
    signer: await ApiKeyFile.open(ED25519_KEY.id, keyFileOf(ED25519_KEY)),
    series: ['KXNFLGAME'],
    clock: { now: () => now },
    allowances: PLENTY,
    report: (reason) => reports.push(reason),
  });
});

afterEach(async () => {
  await data.close();
  await venue.stop();
});

async function found(id: MarketId, asker?: Asker): Promise<Market> {
  const market = await data.find(id, asker);
  if (market === undefined) throw new Error(`there is no market ${id}`);
  return market;
}

async function followed(id = BADGERS) {
  const read = diary();
  const following = await data.follow(await found(id), read.listener);
  await read.reads([WHOLE]);
  return { ...read, following };
}

const asked = (path: string) => venue.requests.filter((request) => request.startsWith(`/trade-api/v2${path}`));
const fails = (path: string, times: number, status = 502) =>
  venue.faults.push(...Array.from({ length: times }, () => ({ path, status, body: '<html>' })));
const announces = (type: string, more: object = {}) =>
  venue.tell('market_lifecycle_v2', 'market_lifecycle_v2', { market_ticker: BADGERS, event_type: type, ...more });

describe('Results of many markets', () => {
  const many = Array.from({ length: 120 }, (_, n) => `M-${n}` as MarketId);

  beforeEach(() => {
    for (const [n, ticker] of many.entries()) {
      const event = `E-${n % 60}`;
      venue.events.set(event, { ...EVENT, event_ticker: event });
      venue.markets.set(ticker, {
        ...venue.markets.get(BADGERS),
        ticker,
        event_ticker: event,
        status: 'finalized',
        result: 'yes',
      });
    }
    venue.milestones = [];
  });

  test('are read fifty at once, their events too', async () => {
    const results = await Promise.all(many.slice(0, 50).map((ticker) => found(ticker, RESULT)));
    expect(results.map(({ id, payout }) => [id, payout])).toEqual(
      many.slice(0, 50).map((ticker) => [ticker, [usdc('1'), usdc('0')]]),
    );
    expect(
      [asked('/markets?'), asked('/events?'), asked('/markets/'), asked('/events/')].map((all) => all.length),
    ).toEqual([1, 1, 0, 0]);
    expect(asked('/markets?')[0]).toContain('limit=50');
  });

  test('are never those of another market, where the venue ignores what it was asked', async () => {
    venue.ignoresTickers = true;
    venue.markets.delete('M-1');
    const [one, other] = await Promise.all([
      data.find(many[0] as MarketId, RESULT),
      data.find(many[1] as MarketId, RESULT),
    ]);
    expect([one?.id, other]).toEqual(['M-0', undefined]);
  });

  test('of which one is not in the list are read by themselves, and cost the others nothing', async () => {
    const gone = venue.markets.get('M-1') ?? {};
    venue.markets.delete('M-1');
    venue.past.set('M-1', { ...gone, result: 'no' });
    const [one, other] = await Promise.all([found(many[0] as MarketId, RESULT), found(many[1] as MarketId, RESULT)]);
    expect([one.payout, other.payout]).toEqual([
      [usdc('1'), usdc('0')],
      [usdc('0'), usdc('1')],
    ]);
    expect(asked('/historical/markets/')).toEqual(['/trade-api/v2/historical/markets/M-1']);
  });
});

test('Followed markets of which the venue announces something are read together', async () => {
  const tickers = Array.from({ length: 60 }, (_, n) => `M-${n}`);
  for (const ticker of tickers) {
    venue.markets.set(ticker, { ...venue.markets.get(BADGERS), ticker });
    venue.books.set(ticker, { yes: [['0.4700', '3.00']], no: [['0.4800', '3.00']] });
  }
  const { items } = await data.search({}, { limit: 100 });
  const markets = items.filter(({ id }) => tickers.includes(id));
  const reads = markets.map(() => diary());
  await Promise.all(markets.map((market, n) => data.follow(market, reads[n]?.listener ?? (() => {}))));
  for (const { id } of markets)
    venue.tell('market_lifecycle_v2', 'market_lifecycle_v2', { market_ticker: id, event_type: 'metadata_updated' });
  await eventually(() => expect(reads.map(({ lines }) => lines())).toEqual(Array(60).fill([WHOLE, 'market'])));
  expect(asked('/markets?').length + asked('/markets/').length).toBeLessThan(10);
});

test('A market that left the live list is found in the past, with its result', async () => {
  venue.past.set(BADGERS, {
    ...venue.markets.get(BADGERS),
    status: 'finalized',
    result: 'scalar',
    settlement_value_dollars: '0.3000',
  });
  venue.markets.delete(BADGERS);
  expect(await found(BADGERS)).toMatchObject({ status: 'resolved', payout: [usdc('0.3'), usdc('0.7')] });
  expect(await data.find('KXNFLGAME-NONE' as MarketId)).toBeUndefined();
});

describe('While the status of the exchange cannot be read', () => {
  test('markets and results are, and no order is taken where it was never known', async () => {
    fails('/exchange/status', 3);
    expect((await found(BADGERS)).terms?.acceptingOrders).toBe(false);
    venue.changes(OTTERS, { status: 'finalized', result: 'yes' });
    expect(await found(OTTERS, RESULT)).toMatchObject({ status: 'resolved', payout: [usdc('1'), usdc('0')] });
  });

  test('its last word stands for a minute, and not longer', async () => {
    const takesOrders = async () => (await found(BADGERS)).terms?.acceptingOrders;
    expect(await takesOrders()).toBe(true);
    for (const [later, expected] of [
      [50_000, true],
      [90_000, false],
    ] as const) {
      fails('/exchange/status', 3);
      now = new Date(Date.parse('2027-01-10T12:00:00.000Z') + later);
      expect([later, await takesOrders()]).toEqual([later, expected]);
    }
    now = new Date(now.getTime() + 60_000);
    expect(await takesOrders()).toBe(true);
  });

  test('it is in the body of an answer that says it is down', async () => {
    const body = JSON.stringify({ exchange_active: true, trading_active: true });
    venue.faults.push(...Array.from({ length: 3 }, () => ({ path: '/exchange/status', status: 503, body })));
    venue.status = { exchange_active: true, trading_active: false };
    expect((await found(BADGERS)).terms?.acceptingOrders).toBe(true);
  });
});

describe('A handshake that the venue refuses', () => {
  const refusedWith = async () => {
    void data.follow(await found(BADGERS), () => {});
    await eventually(() => expect(reports.length).toBeGreaterThan(0));
    return reports[0]?.replace(venue.socket.host, 'the host');
  };

  test('for its key is told as that', async () => {
    venue.key = { ...ED25519_KEY, id: 'another' };
    expect(await refusedWith()).toBe(
      'the host: the venue refuses the key: look whether its id, its file and KALSHI_ENV belong together',
    );
  });

  test('for its time is told as that, also where the connection was lost before', async () => {
    await followed();
    venue.now = () => now.getTime() + 60_000;
    venue.socketWindowMs = 10_000;
    venue.drop();
    const expected = 'the venue refuses the handshake for its time: the clock of this machine is off';
    await eventually(() => expect(reports.map((one) => one.replace(`${venue.socket.host}: `, ''))).toContain(expected));
    expect(reports.filter((one) => one.endsWith('is off'))).toHaveLength(1);
  });
});

describe('A message that cannot be read', () => {
  const broken = { price: '0.4700', delta: '1.00', side: 'yes' };

  test('costs the market that it names its book, and no other', async () => {
    const [one, other] = [await followed(BADGERS), await followed(OTTERS)];
    venue.tell('orderbook_delta', 'orderbook_delta', { market_ticker: BADGERS, ...broken });
    await one.reads([WHOLE, 'gap: a message about a market has an unknown shape', WHOLE]);
    venue.delta(OTTERS, 'yes', '0.4700', '1.00');
    await other.reads([WHOLE, 'levels bids 0.47x4']);
    expect(venue.clients).toHaveLength(1);
  });

  test('costs all markets of its subscription their books where it names none', async () => {
    const [one, other] = [await followed(BADGERS), await followed(OTTERS)];
    const [sid, subscribed] =
      [...venue.client.subscriptions].find(([, { channel }]) => channel === 'orderbook_delta') ?? [];
    if (subscribed === undefined) throw new Error('nothing is subscribed to');
    subscribed.seq += 1;
    venue.client.socket.send(JSON.stringify({ type: 'orderbook_delta', sid, seq: subscribed.seq, msg: broken }));
    for (const { reads } of [one, other])
      await reads([WHOLE, 'gap: a message about a market has an unknown shape', WHOLE]);
    expect(venue.clients).toHaveLength(1);
  });
});

/** Hazards of the venue (`kalshi.md` 10) and rows of `reliability.md` that market data has. */
describe('market data of Kalshi', () => {
  test('K11: a snapshot with the names of REST is no empty book', async () => {
    venue.books.delete(BADGERS);
    const read = diary();
    void data.follow(await found(BADGERS), read.listener);
    await eventually(() => expect(venue.sent('subscribe').length).toBeGreaterThan(1));
    venue.tell('orderbook_delta', 'orderbook_snapshot', {
      market_ticker: BADGERS,
      yes_dollars: [['0.4700', '3.00']],
      no_dollars: [['0.4800', '3.00']],
    });
    venue.books.set(BADGERS, { yes: [['0.4700', '3.00']], no: [['0.4800', '3.00']] });
    await read.reads(['gap: a message about a market has an unknown shape', WHOLE]);
    expect((await data.book(await found(OTTERS)))?.asks).toEqual(levels('0.52x3'));
  });

  test('K12, 53: a message that is lost puts every book of its subscription in doubt, and no other', async () => {
    const [one, other] = [await followed(BADGERS), await followed(OTTERS)];
    venue.delta(OTTERS, 'yes', '0.4700', '1.00', true);
    venue.delta(BADGERS, 'yes', '0.4700', '1.00');
    for (const { reads } of [one, other]) await reads([WHOLE, 'gap: a message was lost', WHOLE]);
  });

  test('K13, 74: every subscription to books asks for prices of the first outcome', async () => {
    const { following } = await followed();
    venue.delta(BADGERS, 'yes', '0.4700', '-4.00');
    await eventually(() => expect(books()).toHaveLength(2));
    following.stop();
    function books() {
      return venue.sent('subscribe').filter(({ params }) => params.channels?.includes('orderbook_delta'));
    }
    expect(books().map(({ params }) => params.use_yes_price)).toEqual([true, true]);
  });

  test('K14, 66, 67: another grid counts from its announcement on, with all of its bands', async () => {
    const { events } = await followed();
    const ranges = [
      { start: '0.9000', end: '1.0000', step: '0.0010' },
      { start: '0.0000', end: '0.9000', step: '0.0100' },
    ];
    venue.changes(BADGERS, { price_ranges: ranges });
    announces('price_level_structure_updated', { price_ranges: ranges });
    await eventually(() => expect(events.at(-1)?.type).toBe('market'));
    const bands = [
      { from: 0n, step: 10_000n },
      { from: 900_000n, step: 1000n },
    ];
    expect(events[1]).toMatchObject({ type: 'tick', tick: 10_000n, bands });
    const { terms } = await found(BADGERS);
    if (terms === null) throw new Error('the market has no terms');
    expect(['0.905', '0.505', '0.51'].map((at) => isOnGrid(terms, price(at)))).toEqual([true, false, true]);
  });

  test.each([
    ['determined', 'resolving', null],
    ['disputed', 'disputed', null],
    ['amended', 'resolving', null],
    ['finalized', 'resolved', [usdc('0.45'), usdc('0.55')]],
  ] as const)(
    'K23, 75, 76, 77, 78: a scalar result that is %s makes the market %s',
    async (status, expected, payout) => {
      venue.changes(BADGERS, { status, result: 'scalar', settlement_value_dollars: '0.4500' });
      expect(await found(BADGERS)).toMatchObject({ status: expected, payout });
    },
  );

  test('row 43: a cursor that the venue does not know ends in its first page, and no circle', async () => {
    const seen = await data.search(
      {},
      { limit: 5, after: JSON.stringify({ series: 0, cursor: 'garbage', events: 0 }) },
    );
    expect([seen.items.map(({ id }) => id), seen.next]).toEqual([[BADGERS, OTTERS], null]);
  });

  test('row 69: what time alone changes is seen without a message', async () => {
    const market = { ...venue.markets.get(BADGERS), close_time: '2027-01-10T12:00:20Z' };
    venue.markets.set(BADGERS, market);
    expect((await found(BADGERS)).status).toBe('open');
    now = new Date('2027-01-10T12:00:20.000Z');
    expect((await found(BADGERS)).status).toBe('closed');
  });

  test('row 70: a market that the venue deactivates is suspended at once, and says what becomes of resting orders', async () => {
    const { events } = await followed();
    // It trades again before anything could be read.
    announces('deactivated');
    await eventually(() => expect(events.filter(({ type }) => type === 'market')).toHaveLength(2));
    expect(events.slice(1)).toMatchObject([
      { market: { status: 'suspended', terms: { acceptingOrders: false, endsOrdersOnResume: true } } },
      { market: { status: 'open', terms: { acceptingOrders: true } } },
    ]);
  });

  test('row 73: a level below nothing, or a book that stays crossed, is a step that was lost', async () => {
    const { reads } = await followed();
    venue.delta(BADGERS, 'no', '0.5200', '-3.01');
    await reads([WHOLE, 'gap: a change does not fit the book', WHOLE]);
    venue.delta(BADGERS, 'yes', '0.6000', '1.00');
    await reads([WHOLE, 'gap: a change does not fit the book', WHOLE, 'gap: the book is crossed', WHOLE]);
  });

  test('row 74: a side that is missing is a side without orders', async () => {
    venue.books.set(BADGERS, { yes: [['0.4700', '3.00']], no: [] });
    const read = diary();
    await data.follow(await found(BADGERS), read.listener);
    await read.reads(['book 0.47x3 / ']);
    expect(await data.book(await found(BADGERS))).toMatchObject({ bids: levels('0.47x3'), asks: [] });
  });
});

test('K22: orders are cancelled one by one: a cancellation of all would take those of the next minute too', async () => {
  const at = await atKalshi();
  try {
    const orders = [await at.order(RESTS), await at.order(RESTS)];
    for (const order of orders) await at.place(order);
    for (const order of orders) await at.exchange.cancel(order);
    await at.place(await at.order(RESTS));
    expect(at.venue.requests.filter((path) => /events\/orders(\?|$)/.test(path))).toHaveLength(3);
    expect(at.account.orders.filter(({ status }) => status === 'resting')).toHaveLength(1);
  } finally {
    await at.close();
  }
});
