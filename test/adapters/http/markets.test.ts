import { expect, test } from 'vitest';
import { MarketDataUnavailable, MarketUnusable, TooManyLookups } from '../../../src/core/errors.js';
import type { MarketId } from '../../../src/core/ids.js';
import type { Page, Slice } from '../../../src/core/ledger/query.js';
import type { BookView } from '../../../src/core/market/book.js';
import { YES_WON } from '../../../src/core/market/lifecycle.js';
import type { Market, MarketQuery } from '../../../src/core/market/market.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import type { Following, MarketData, MarketListener } from '../../../src/ports/market-data.js';
import { MARKETS, startApp } from '../../support/app.js';
import { NOON, price } from '../../support/builders.js';
import {
  aMarket,
  CONDITION,
  FIVE_PERCENT,
  levels,
  ManualTimeline,
  ScriptedMarket,
} from '../../support/scripted-market.js';

/** As long as any that a venue gives. */
const VENUES_CURSOR = `open.1.a venue's ${'~'.repeat(500)}`;

/** A market with a book, which takes note of what was searched for. */
class Listed implements MarketData {
  readonly venue = NO_VENUE;
  readonly searched: unknown[] = [];
  failure: Error | undefined;
  view: BookView = {
    bids: levels('0.48x100 0.47x20'),
    asks: levels('0.51x30 0.52x5.5'),
    at: new Date(NOON),
    fresh: true,
  };
  readonly #script: ScriptedMarket;

  constructor(market: Market = aMarket({ fee: FIVE_PERCENT })) {
    this.#script = new ScriptedMarket(market, new ManualTimeline());
  }

  async find(id: MarketId): Promise<Market | undefined> {
    if (this.failure !== undefined) throw this.failure;
    return this.#script.find(id);
  }

  async search(query: MarketQuery, page: Page<string>): Promise<Slice<Market, string>> {
    if (this.failure !== undefined) throw this.failure;
    this.searched.push([query, page]);
    return { items: [this.#script.market], next: VENUES_CURSOR };
  }

  async book(): Promise<BookView> {
    return this.view;
  }

  follow(market: Market, listener: MarketListener): Promise<Following> {
    return this.#script.follow(market, listener);
  }
}

async function listed(market?: Market) {
  const source = new Listed(market);
  const { client, ledger } = await startApp({ markets: source });
  return { source, client, ledger };
}

const LISTED = {
  id: CONDITION,
  venue_id: '9000001',
  slug: 'nba-mil-okc-2026-03-01',
  condition_id: CONDITION,
  question: 'Bucks vs. Thunder',
  outcomes: [
    { token: 'YES', label: 'Bucks', token_id: '1111' },
    { token: 'NO', label: 'Thunder', token_id: '2222' },
  ],
  event: null,
  sport: null,
  league: null,
  kind: null,
  line: null,
  starts_at: null,
  status: 'open',
  payout: null,
  lot: '0.01',
  terms: {
    tick: '0.01',
    min_shares: '5',
    min_notional_usdc: '1',
    fee: { rate: '0.05', exponent: 1, taker_only: true, as_of: NOON, maker_rate: '0' },
    neg_risk: false,
    accepting_orders: true,
    delay_seconds: 0,
    clears_book_at_start: false,
    gtd_lead_ms: 120_000,
    quote_step_usdc: '0.01',
    bands: null,
  },
  venue: 'none',
  outcome_role: null,
  exclusive_set: null,
};

test.each([CONDITION, LISTED.slug, LISTED.venue_id])('a market is read by %s', async (id) => {
  const { client } = await listed();
  const reply = await client.get(`${MARKETS}/${id}`);
  expect([reply.status, reply.json()]).toEqual([200, LISTED]);
});

test('a list has the best prices of both outcomes where they are asked for', async () => {
  const { client, source } = await listed();
  const page = (await client.get(`${MARKETS}?prices=true`)).json<{ data: object[] }>();
  const outcomes = [
    { token: 'YES', bid: '0.48', ask: '0.51' },
    { token: 'NO', bid: '0.49', ask: '0.52' },
  ];
  expect(page.data).toEqual([{ ...LISTED, prices: { fresh: true, at: NOON, outcomes, spread: '0.03' } }]);
  source.view = { ...source.view, asks: [] };
  const oneSided = { fresh: true, at: NOON, spread: null };
  const [row] = (await client.get(`${MARKETS}?prices=true&limit=100`)).json<{ data: object[] }>().data;
  expect(row).toMatchObject({
    prices: {
      ...oneSided,
      outcomes: [
        { bid: '0.48', ask: null },
        { bid: null, ask: '0.52' },
      ],
    },
  });
  source.book = () => Promise.reject(new TooManyLookups(1));
  expect((await client.get(`${MARKETS}?prices=true`)).json()).toMatchObject({ data: [{ prices: null }] });
  expect(source.searched.map((one) => (one as [unknown, { limit: number }])[1].limit)).toEqual([25, 25, 25]);
});

test('a search hands on the day on which games start', async () => {
  const { client, source } = await listed();
  await client.get(`${MARKETS}?starts_after=${NOON}&starts_before=2030-01-01T00:00:00Z`);
  const [[query]] = source.searched as [[object]];
  expect(query).toEqual({ startsAfter: new Date(NOON), startsBefore: new Date('2030-01-01T00:00:00Z') });
});

test('a finished market shows its event, start and payout per outcome', async () => {
  const event = { id: '7', slug: 'mil-okc', title: null };
  const over = { event, startsAt: new Date(NOON), status: 'resolved', payout: YES_WON, kind: 'other' } as const;
  const { client } = await listed(aMarket({}, over));
  const shown = { event, starts_at: NOON, status: 'resolved', payout: { yes: '1', no: '0' }, kind: 'other' };
  expect((await client.get(`${MARKETS}/${CONDITION}`)).json()).toMatchObject(shown);
});

test('a search passes every filter and its cursor to the source', async () => {
  const { source, client } = await listed();
  const filters = 'text=bucks%20okc&sport=Basketball&league=NBA&kind=moneyline&status=in_play';
  const first = await client.get(`${MARKETS}?${filters}&limit=1`);
  expect([first.status, first.json()['data']]).toEqual([200, [{ ...LISTED, prices: null }]]);
  await client.get(`${MARKETS}?limit=2&cursor=${first.json()['next_cursor']}`);
  expect(source.searched).toEqual([
    [{ text: 'bucks okc', sport: 'Basketball', league: 'NBA', kind: 'moneyline', status: 'in_play' }, { limit: 1 }],
    [{}, { limit: 2, after: VENUES_CURSOR }],
  ]);
});

test.each(['kind=handicap', 'status=over', 'text=', 'sport=%00', 'limit=0', 'cursor=%2B', 'unknown=1'])(
  'a search for %s is refused',
  async (query) => {
    const reply = await (await listed()).client.get(`${MARKETS}?${query}`);
    expect([reply.status, reply.json()['type']]).toEqual([422, '/problems/validation-failed']);
  },
);

test('a book is shown best level first, for the requested outcome', async () => {
  const { client } = await listed();
  const level = (price: string, size: string) => ({ price, size });
  const common = { market_id: CONDITION, fresh: true, at: NOON, now: expect.any(String) };
  const yes = { bids: [level('0.48', '100'), level('0.47', '20')], asks: [level('0.51', '30'), level('0.52', '5.5')] };
  const no = { bids: [level('0.49', '30'), level('0.48', '5.5')], asks: [level('0.52', '100'), level('0.53', '20')] };
  const read = async (query: string) => (await client.get(`${MARKETS}/${LISTED.slug}/book${query}`)).json();
  expect(await read('')).toEqual({ ...common, token: 'YES', ...yes });
  expect(await read('?token=YES')).toMatchObject({ token: 'YES', ...yes });
  expect(await read('?token=NO')).toEqual({ ...common, token: 'NO', ...no });
});

test('a book after a gap says that it is not fresh', async () => {
  const { source, client } = await listed();
  source.view = { bids: [], asks: [], at: new Date(NOON), fresh: false };
  const shown = { fresh: false, bids: [], asks: [] };
  expect((await client.get(`${MARKETS}/${CONDITION}/book`)).json()).toMatchObject(shown);
});

test.each(['token=yes', 'token=', 'side=bids'])('a book with %s is refused', async (query) => {
  const reply = await (await listed()).client.get(`${MARKETS}/${CONDITION}/book?${query}`);
  expect([reply.status, reply.json()['type']]).toEqual([422, '/problems/validation-failed']);
});

test('a history is listed newest first, for the requested outcome and period', async () => {
  const { client, ledger } = await listed();
  const at = (minute: number) => new Date(Date.parse(NOON) + minute * 60_000);
  const kept = { venue: NO_VENUE, marketId: CONDITION as MarketId };
  await ledger.prices.keep([
    { ...kept, at: at(0), bid: price('0.48'), ask: price('0.51') },
    { ...kept, at: at(1), bid: null, ask: null },
    { ...kept, at: at(2), bid: price('0.5'), ask: null },
  ]);
  const read = async (query: string) =>
    (await client.get(`${MARKETS}/${LISTED.slug}/history?${query}`)).json<{ data: object[]; next_cursor: string }>();
  const row = (minute: number, bid: string | null, ask: string | null) => ({ at: at(minute).toISOString(), bid, ask });
  const newest = await read('limit=2');
  expect(newest.data).toEqual([row(2, '0.5', null), row(1, null, null)]);
  expect((await read(`limit=2&cursor=${newest.next_cursor}`)).data).toEqual([row(0, '0.48', '0.51')]);
  const period = `from=${NOON}&to=${at(1).toISOString()}`;
  expect(await read(`token=NO&${period}`)).toEqual({ data: [row(0, '0.49', '0.52')], next_cursor: null });
});

test.each(['token=yes', 'from=yesterday', 'limit=1001', 'side=bids'])('a history with %s is refused', async (query) => {
  const reply = await (await listed()).client.get(`${MARKETS}/${CONDITION}/history?${query}`);
  expect([reply.status, reply.json()['type']]).toEqual([422, '/problems/validation-failed']);
});

const WAYS = [`${MARKETS}/ID`, `${MARKETS}/ID/book`, `${MARKETS}/ID/history`];

test.each(WAYS)('%s: an unknown market or an impossible id is not found', async (way) => {
  const { client } = await listed();
  for (const id of ['another', 'a%20b', '..%2f..', 'a'.repeat(129)]) {
    const reply = await client.get(way.replace('ID', id));
    expect([reply.status, reply.json()['type']]).toEqual([404, '/problems/market-not-found']);
  }
});

test.each(WAYS)('%s: an unsafe market or a silent source is reported as such', async (way) => {
  const { source, client } = await listed();
  const read = async () => {
    const { status, headers, json } = await client.get(way.replace('ID', CONDITION));
    return [status, json()['type'], headers['retry-after']];
  };
  source.failure = new MarketUnusable('outcomes_unclear', 'Its outcomes cannot be distinguished.');
  expect(await read()).toEqual([422, '/problems/market-unusable', undefined]);
  source.failure = new MarketDataUnavailable();
  expect(await read()).toEqual([503, '/problems/market-data-unavailable', '1']);
});

test('a search of a silent source says so', async () => {
  const { source, client } = await listed();
  source.failure = new MarketDataUnavailable();
  const { status, headers, json } = await client.get(MARKETS);
  expect([status, json()['type'], headers['retry-after']]).toEqual([503, '/problems/market-data-unavailable', '1']);
});

test('a client that asks too much at once gets a retry time', async () => {
  const { source, client } = await listed();
  source.find = async () => {
    throw new TooManyLookups(8001);
  };
  const reply = await client.get(`${MARKETS}/guess`);
  expect([reply.status, reply.json()['type'], reply.headers['retry-after']]).toEqual([
    429,
    '/problems/too-many-lookups',
    '9',
  ]);
});
