import { afterEach, describe, expect, test } from 'vitest';
import type { StreamParts } from '../../../src/adapters/http/event-streams.js';
import type { MarketId } from '../../../src/core/ids.js';
import { YES_WON } from '../../../src/core/market/lifecycle.js';
import { type Market, NO_VENUE } from '../../../src/core/market/market.js';
import type { MarketData } from '../../../src/ports/market-data.js';
import { MARKETS, startApp } from '../../support/app.js';
import { EventReader } from '../../support/event-reader.js';
import type { Client, Headers } from '../../support/http.js';
import { aMarket, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';

const STREAM = `${MARKETS}/stream`;

const readers: EventReader[] = [];
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});

function follow(client: Client, query: string, headers: Headers = {}): EventReader {
  const reader = new EventReader(client, `${STREAM}?${query}`, headers);
  readers.push(reader);
  return reader;
}

/** Several scripted markets as one source. */
function sourceOf(markets: readonly ScriptedMarket[]): MarketData {
  const named = async (id: MarketId) => {
    const found = await Promise.all(markets.map(async (one) => (await one.find(id)) && one));
    return found.find((one) => one !== undefined);
  };
  return {
    venue: NO_VENUE,
    find: async (id) => (await named(id))?.market,
    search: async () => ({ items: markets.map(({ market }) => market), next: null }),
    book: async ({ id }) => (await named(id))?.book(),
    async follow(market, listener) {
      const one = await named(market.id);
      if (one === undefined) throw new Error('nobody asks for it');
      return one.follow(market, listener);
    },
  };
}

function scripted(name: string, bids = '0.40x10 0.39x20', asks = '0.42x10 0.43x20'): ScriptedMarket {
  const about = { id: name as MarketId, slug: `slug-${name}`, venueId: `number-${name}` } satisfies Partial<Market>;
  return new ScriptedMarket(aMarket({}, about), new ManualTimeline(), bids, asks);
}

/** Alice, with a key, before two markets. */
async function fixture(streams: Partial<StreamParts> = {}) {
  const [rain, snow] = [scripted('rain'), scripted('snow')];
  const parts = {
    authenticator: 'keys',
    markets: sourceOf([rain, snow]),
    streams: { tickMs: 50, ...streams },
  } as const;
  const app = await startApp(parts);
  return { app, rain, snow, alice: await app.keyed('alice', 'orders:read') };
}

const caughtUp = (reader: EventReader) => reader.of('caught_up').length > 0;
const has = (event: string, count: number) => (reader: EventReader) => reader.of(event).length >= count;
const ended = (reader: EventReader) => reader.hasEnded;
const reasons = (reader: EventReader) => reader.of('gap').map(({ data }) => [data['market_id'], data['reason']]);
const bids = (reader: EventReader) => reader.of('book').map(({ data }) => data['bids']);

test('a stream begins with each market and its book, then sends what changes', async () => {
  const { alice, rain } = await fixture();
  const reader = await follow(alice, 'market=slug-rain,snow&depth=2').until(caughtUp);
  const shown = (await alice.get(`${MARKETS}/rain`)).json();
  expect(reader.received.map(({ event }) => event)).toEqual([
    ...['hello', 'state', 'market', 'market', 'book', 'book', 'caught_up'],
  ]);
  expect(reader.received[0]?.data).toMatchObject({ depth: 2, markets: [{ market_id: 'rain' }, { market_id: 'snow' }] });
  expect(reader.of('market')[0]?.data).toEqual(shown);
  expect(reader.of('book')[0]?.data).toMatchObject({
    ...{ market_id: 'rain', venue: NO_VENUE, token: 'YES', fresh: true },
    bids: [
      { price: '0.4', size: '10' },
      { price: '0.39', size: '20' },
    ],
  });
  await rain.trade('0.42', '5', 'BUY');
  await rain.show('0.41x10', '0.42x5');
  await reader.until((one) => has('trade', 1)(one) && has('book', 3)(one));
  expect(reader.of('trade')[0]?.data).toMatchObject({ market_id: 'rain', side: 'BUY', price: '0.42', size: '5' });
  expect(bids(reader).at(-1)).toEqual([{ price: '0.41', size: '10' }]);
  expect(reader.headers['content-type']).toBe('text/event-stream; charset=utf-8');
});

describe('a reader', () => {
  test('of best prices hears nothing of deeper levels', async () => {
    const { alice, rain } = await fixture();
    const reader = await follow(alice, 'market=rain').until(caughtUp);
    await rain.show('0.40x10 0.39x77', '0.42x10');
    await rain.trade('0.40', '1', 'SELL');
    await reader.until(has('trade', 1));
    expect(bids(reader)).toEqual([[{ price: '0.4', size: '10' }]]);
  });

  test('is told of a status, a result and a hole in the data', async () => {
    const { alice, rain } = await fixture();
    const reader = await follow(alice, 'market=rain').until(caughtUp);
    await rain.tell({ type: 'gap', reason: 'the socket closed' });
    await rain.tell({ type: 'gap', reason: 'the socket closed' });
    await rain.tell({ type: 'market', market: { ...rain.market, status: 'resolved', payout: YES_WON } });
    await reader.until(has('result', 1));
    expect(reasons(reader)).toEqual([['rain', 'market_data']]);
    expect(reader.of('book').at(-1)?.data['fresh']).toBe(false);
    expect(reader.of('market').map(({ data }) => data['status'])).toEqual(['open', 'resolved']);
    expect(reader.of('result')[0]?.data).toMatchObject({ market_id: 'rain', payout: { yes: '1', no: '0' } });
  });

  test('that comes back gets the trades that it missed, each once', async () => {
    const { alice, rain, app } = await fixture();
    const first = await follow(alice, 'market=rain').until(caughtUp);
    await rain.trade('0.42', '1', 'BUY');
    const id = (await first.until(has('trade', 1))).of('trade')[0]?.id;
    first.close();
    await expect.poll(() => app.streams.ofMarkets).toBe(0);
    await rain.trade('0.42', '2', 'BUY');
    const again = await follow(alice, 'market=rain', { 'last-event-id': id }).until(caughtUp);
    expect([again.of('trade').map(({ data }) => data['size']), reasons(again)]).toEqual([['2'], []]);
    const asked = await follow(alice, `market=rain&after=${id}`).until(caughtUp);
    expect(asked.of('trade').map(({ data }) => data['size'])).toEqual(['2']);
  });

  test('is told what it may have missed', async () => {
    const { alice, rain } = await fixture();
    await rain.trade('0.42', '1', 'BUY');
    const first = await follow(alice, 'market=rain').until(caughtUp);
    const [id = ''] = /(?<=\nid: ).*/.exec(first.text) ?? [];
    await rain.trade('0.42', '1', 'BUY');
    await first.until(has('trade', 1));
    const wider = await follow(alice, 'market=rain,snow', { 'last-event-id': id }).until(caughtUp);
    expect(reasons(wider)).toEqual([['snow', 'missed']]);
    const elsewhere = await follow(alice, 'market=rain', { 'last-event-id': 'another.7' }).until(caughtUp);
    expect(reasons(elsewhere)).toEqual([[null, 'restarted']]);
  });

  test('that stands still costs nothing, and then gets the newest book', async () => {
    const { alice, rain, app } = await fixture();
    const [stalled, reads] = [follow(alice, 'market=rain'), follow(alice, 'market=rain')];
    await Promise.all([stalled.until(caughtUp), reads.until(caughtUp)]);
    stalled.stall();
    for (let n = 1; n <= 200; n += 1) await rain.show(`0.40x${n}`, '0.42x10');
    await rain.trade('0.42', '1', 'BUY');
    await reads.until(has('trade', 1));
    stalled.resume();
    await stalled.until((one) => bids(one).some((levels) => JSON.stringify(levels).includes('"200"')));
    expect(bids(stalled).length).toBeLessThan(100);
    expect(app.failures).toEqual([]);
  });

  test.each([
    ['', 422],
    ['market=', 422],
    ['market=a%20b', 422],
    [`market=${Array.from({ length: 101 }, (_, n) => n).join()}`, 422],
    ['market=rain&depth=0', 422],
    ['market=rain&depth=101', 422],
    ['market=rain&after=41', 422],
    ['market=rain&venue=nowhere', 404],
    ['market=rain,sun', 404],
  ])('that asks for %s is refused before anything is sent', async (query, status) => {
    const { alice, app } = await fixture();
    const reader = await follow(alice, query).until(ended);
    expect([reader.status, reader.headers['content-type']]).toEqual([status, 'application/problem+json']);
    expect(app.streams.size).toBe(0);
  });
});

test('streams of markets and of events share one number for an account', async () => {
  const { alice, app } = await fixture({ limits: { perKey: 2, perAccount: 2, total: 10 } });
  const open = [follow(alice, 'market=rain'), follow(alice, 'market=snow')];
  await Promise.all(open.map((one) => one.until(caughtUp)));
  expect([app.streams.size, app.streams.ofMarkets]).toEqual([2, 2]);
  const refused = await alice.get('/v1/events/stream');
  expect([refused.status, refused.json()['type']]).toEqual([429, '/problems/too-many-streams']);
  const bob = await app.keyed('bob', 'orders:read');
  expect((await follow(bob, 'market=rain').until(caughtUp)).status).toBe(200);
});

test('an end of the server, and of the key, is a bye', async () => {
  const { alice, app } = await fixture();
  const reader = await follow(alice, 'market=rain').until(caughtUp);
  app.streams.end();
  await reader.until(ended);
  expect(reader.of('bye').map(({ data }) => data['reason'])).toEqual(['shutdown']);
});

test('a market that cannot be followed is refused', async () => {
  const rain = scripted('rain');
  rain.follow = async () => {
    throw new Error('the source broke');
  };
  const app = await startApp({ markets: rain, streams: { tickMs: 50 } });
  const reader = await follow(app.client, 'market=rain').until(ended);
  expect(reader.status).toBe(500);
  expect(app.streams.size).toBe(0);
});
