import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeyFile } from '../../../src/adapters/kalshi/http/api-key.js';
import { KalshiMarketData } from '../../../src/adapters/kalshi/market-data/kalshi-market-data.js';
import type { MarketId } from '../../../src/core/ids.js';
import type { Market } from '../../../src/core/market/market.js';
import { clockAt } from '../../support/builders.js';
import { eventually } from '../../support/eventually.js';
import { ED25519_KEY, keyFileOf } from '../../support/fake-kalshi/keys.js';
import { EVENT } from '../../support/fake-kalshi/records.js';
import { FakeKalshi } from '../../support/fake-kalshi/venue.js';
import { levels } from '../../support/scripted-market.js';
import { diary } from '../polymarket/market-data/listening.js';

const [BADGERS, OTTERS] = ['KXNFLGAME-27JAN16OTTBAD-BAD', 'KXNFLGAME-27JAN16OTTBAD-OTT'] as MarketId[] as [
  MarketId,
  MarketId,
];
const WHOLE = 'book 0.47x3 0.46x10 / 0.52x3';

let venue: FakeKalshi;
let data: KalshiMarketData;
let reports: string[];

beforeEach(async () => {
  venue = await FakeKalshi.start();
  reports = [];
  for (const ticker of [BADGERS, OTTERS]) {
    venue.books.set(ticker, {
      yes: [
        ['0.4600', '10.00'],
        ['0.4700', '3.00'],
      ],
      no: [['0.4800', '3.00']],
    });
  }
  data = new KalshiMarketData({
    environment: 'production',
    api: venue.api,
    socket: venue.socket,
    signer: await ApiKeyFile.open(ED25519_KEY.id, keyFileOf(ED25519_KEY)),
    series: ['KXNFLGAME'],
    clock: clockAt('2027-01-10T12:00:00.000Z'),
    report: (reason) => reports.push(reason),
  });
});

afterEach(async () => {
  await data.close();
  await venue.stop();
});

async function found(id: MarketId): Promise<Market> {
  const market = await data.find(id);
  if (market === undefined) throw new Error(`there is no market ${id}`);
  return market;
}

async function followed(id = BADGERS) {
  const read = diary();
  const following = await data.follow(await found(id), read.listener);
  await read.reads([WHOLE]);
  return { ...read, following };
}

describe('markets of Kalshi', () => {
  test('are found by ticker, and by nothing else', async () => {
    expect(await data.find(BADGERS)).toMatchObject({ id: BADGERS, venue: 'kalshi', sport: 'american_football' });
    expect(await data.find('KXNFLGAME-NONE' as MarketId)).toBeUndefined();
    expect(await data.find('a/../b' as MarketId)).toBeUndefined();
  });

  test('are searched page by page in the series that are configured', async () => {
    for (const name of ['A', 'B', 'C']) {
      venue.events.set(name, { ...EVENT, event_ticker: name });
      venue.markets.set(`M-${name}`, { ...venue.markets.get(BADGERS), ticker: `M-${name}`, event_ticker: name });
    }
    const pages: string[][] = [];
    let after: string | undefined;
    do {
      const { items, next } = await data.search(
        { text: 'badgers' },
        { limit: 2, ...(after !== undefined && { after }) },
      );
      pages.push(items.map(({ id }) => id));
      after = next ?? undefined;
    } while (after !== undefined);
    expect(pages.flat()).toEqual([BADGERS, OTTERS, 'M-A', 'M-B', 'M-C']);
    expect((await data.search({ text: 'nobody' }, { limit: 5 })).items).toEqual([]);
  });

  test.each([true, false])('have their start whether a page of events has games: %s', async (listsGames) => {
    venue.listsGames = listsGames;
    const { items } = await data.search({}, { limit: 5 });
    expect(items.map(({ startsAt }) => startsAt?.toISOString())).toEqual(Array(2).fill('2027-01-16T18:00:00.000Z'));
    expect(venue.requests.filter((path) => path.includes('/milestones?'))).toHaveLength(listsGames ? 0 : 1);
  });

  test('have a book in prices of their first outcome, best first', async () => {
    const book = { bids: levels('0.47x3 0.46x10'), asks: levels('0.52x3') };
    expect(await data.book(await found(BADGERS))).toMatchObject({ ...book, fresh: true });
  });

  test('whose source fails are not shown, and say so', async () => {
    venue.faults.push(...Array.from({ length: 3 }, () => ({ path: '/markets/', status: 503, body: '{}' })));
    await expect(data.find(BADGERS)).rejects.toThrow(/source of market data/);
  });
});

describe('a followed market of Kalshi', () => {
  test('begins with its book, and goes on with levels and trades', async () => {
    const { reads } = await followed();
    venue.delta(BADGERS, 'no', '0.5200', '-1.00');
    venue.delta(BADGERS, 'yes', '0.4600', '-10.00');
    venue.tell('trade', 'trade', {
      market_ticker: BADGERS,
      trade_id: 't',
      yes_price_dollars: '0.5200',
      no_price_dollars: '0.4800',
      count_fp: '1.00',
      taker_book_side: 'bid',
      taker_side: 'no',
    });
    await reads([WHOLE, 'levels asks 0.52x2', 'levels bids 0.46x0', 'trade BUY 0.52x1']);
    expect(
      venue.sent('subscribe').find(({ params }) => params.channels?.includes('orderbook_delta'))?.params,
    ).toMatchObject({
      use_yes_price: true,
    });
  });

  test('and all others of its subscription are in doubt when a message is lost', async () => {
    const [one, other] = [await followed(BADGERS), await followed(OTTERS)];
    venue.delta(BADGERS, 'yes', '0.4700', '1.00', true);
    venue.delta(OTTERS, 'yes', '0.4700', '2.00');
    await one.reads([WHOLE, 'gap: a message was lost', WHOLE]);
    await other.reads([WHOLE, 'gap: a message was lost', WHOLE]);
    expect(venue.sent('unsubscribe')).toHaveLength(1);
  });

  test('is in doubt when a change does not fit its book', async () => {
    const { reads } = await followed();
    venue.delta(BADGERS, 'yes', '0.4700', '-4.00');
    await reads([WHOLE, 'gap: a change does not fit the book', WHOLE]);
  });

  test('that the venue refuses has a gap, is asked for again alone, and costs no other', async () => {
    const one = await followed(BADGERS);
    venue.refusedTickers.add(OTTERS);
    const other = diary();
    const following = await data.follow(await found(OTTERS), other.listener);
    await other.reads(['gap: the venue refused the subscription']);
    const late = diary();
    await data.follow(await found(OTTERS), late.listener);
    await late.reads(['gap: the venue refused the subscription']);
    venue.refusedTickers.clear();
    await eventually(() => expect(other.lines().at(-1)).toBe(WHOLE));
    expect(one.lines()).toEqual([WHOLE]);
    following.stop();
  });

  test('is followed anew after a doubt, and costs no other its book', async () => {
    const [one, other] = [await followed(BADGERS), await followed(OTTERS)];
    venue.delta(BADGERS, 'yes', '0.4700', '-4.00');
    await one.reads([WHOLE, 'gap: a change does not fit the book', WHOLE]);
    one.following.stop();
    const again = await followed(BADGERS);
    venue.delta(BADGERS, 'yes', '0.4700', '7.00');
    await again.reads([WHOLE, 'levels bids 0.47x10']);
    expect(other.lines()).toEqual([WHOLE]);
  });

  test('is in doubt with all others when the venue says that it dropped messages', async () => {
    const { reads } = await followed();
    venue.client.socket.send(JSON.stringify({ type: 'error', msg: { code: 25, msg: 'Buffer overflow' } }));
    await reads([WHOLE, 'gap: the venue may have lost messages', WHOLE]);
  });

  test('is not cut off by a trade beside the book', async () => {
    const { reads } = await followed();
    venue.tell('trade', 'trade', { market_ticker: BADGERS, trade_id: 'b', is_block_trade: true });
    venue.delta(BADGERS, 'yes', '0.4700', '1.00');
    await reads([WHOLE, 'levels bids 0.47x4']);
  });

  test('has a gap while its book is crossed, and the whole book after', async () => {
    const { reads } = await followed();
    venue.delta(BADGERS, 'yes', '0.5300', '1.00');
    venue.delta(BADGERS, 'yes', '0.5300', '-1.00');
    await reads([WHOLE, 'gap: the book is crossed', WHOLE]);
  });

  test('has a gap while there is no connection', async () => {
    const { reads } = await followed();
    venue.drop();
    await reads([WHOLE, 'gap: the connection was closed', WHOLE]);
    expect(reports).toEqual([`${venue.socket.host}: the connection was closed`]);
  });

  test('is in doubt after a message in the shape of REST', async () => {
    const { reads } = await followed();
    venue.tell('orderbook_delta', 'orderbook_delta', {
      market_ticker: BADGERS,
      price: '0.4700',
      delta: '1.00',
      side: 'yes',
    });
    await reads([WHOLE, 'gap: a message about a market has an unknown shape', WHOLE]);
  });

  test('hands over another grid of prices, and what is announced of it', async () => {
    const { lines } = await followed();
    const ranges = [{ start: '0.0000', end: '1.0000', step: '0.0010' }];
    venue.changes(BADGERS, { price_ranges: ranges });
    venue.tell('market_lifecycle_v2', 'market_lifecycle_v2', {
      market_ticker: BADGERS,
      event_type: 'price_level_structure_updated',
      price_ranges: ranges,
    });
    await eventually(() => expect(lines()).toEqual([WHOLE, 'tick 0.001', 'market']));
  });

  test('is subscribed to no more once nobody listens', async () => {
    const [one, other] = [await followed(BADGERS), await followed(OTTERS)];
    one.following.stop();
    const deleted = () => venue.sent('update_subscription').filter(({ params }) => params.action === 'delete_markets');
    await eventually(() =>
      expect(deleted().map(({ params }) => params.market_tickers)).toEqual([[BADGERS], [BADGERS]]),
    );
    other.following.stop();
    await eventually(() => expect(venue.client.subscriptions.size).toBe(1));
  });

  test('is not followed with a key that the venue does not know', async () => {
    venue.key = { ...ED25519_KEY, id: 'another' };
    const read = diary();
    void data.follow(await found(BADGERS), read.listener);
    await eventually(() => expect(venue.refused).toBeGreaterThan(0));
    expect(read.lines().filter((line) => line.startsWith('book'))).toEqual([]);
  });
});
