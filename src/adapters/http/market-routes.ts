import type { Warning } from '../../core/strategy/explain/warning.js';
import type { ReadMarkets } from '../../core/usecases/markets/read-markets.js';
import type { EventStreams } from './event-streams.js';
import { venueFilter } from './market-names.js';
import { marketStreamOut, marketStreamQuery, positionIn } from './market-stream-wire.js';
import {
  bookFilters,
  bookOut,
  historyFilters,
  MOST_PRICED,
  marketFilters,
  marketIdOf,
  marketListOut,
  marketOut,
  marketQueryOf,
  minuteOut,
  presentBook,
  presentListed,
  presentMarket,
  presentMinute,
} from './market-wire.js';
import { listOut, listQuery, pageFrom, presentPage } from './paging.js';
import { type Route, route } from './route.js';
import { members } from './schema.js';
import { lastEventIdOf } from './sent-event.js';

const LIST = '/v1/exchange/markets';
const ONE = `${LIST}/{id}`;
const common = { method: 'GET', tag: 'markets', status: 200, scopes: ['orders:read'] } as const;
const problems = ['market-not-found', 'market-unusable', 'market-data-unavailable'] as const;

/** The warning of a list without market data. */
const NO_SOURCE = {
  pointer: '',
  detail:
    'This server has no market data, so it lists and shows no markets; orders take any market_id. Set MARKET_DATA to polymarket, or to tape:PATH, and restart it.',
};

/** Everything under `/v1/exchange/markets`. `sourced` is false on a server that has no market data. */
export function marketRoutes(
  markets: ReadMarkets,
  sourced: boolean,
  streams: Pick<EventStreams, 'takeMarkets'>,
): Route[] {
  const searched = searching(markets, sourced ? [] : [NO_SOURCE]);
  // Before the market of that name: no venue has one.
  return [searched, streaming(streams), finding(markets), book(markets), history(markets)];
}

function searching(markets: ReadMarkets, warnings: readonly Warning[]): Route {
  return route({
    ...common,
    path: LIST,
    operationId: 'listMarkets',
    summary: 'Search markets',
    description:
      'Markets that match all filters, in the order of the venue. `text` is words, in any case. A venue that cannot search by a filter is searched page by page, so a page may have few markets, or none, although more follow.',
    query: listQuery(marketFilters, 'source'),
    answer: marketListOut,
    answerName: 'MarketList',
    problems: ['market-not-found', 'market-data-unavailable'],
    async handle({ principal, query }) {
      const { account } = principal;
      const { limit: most, ...asked } = pageFrom(query, (key) => key);
      const limit = query.prices ? Math.min(most, MOST_PRICED) : most;
      const page = await markets.search(account, query.venue ?? null, marketQueryOf(query), { ...asked, limit });
      const books = query.prices ? await markets.books(account, page.items) : [];
      const items = page.items.map((market, at) => [market, books[at] ?? null] as const);
      const present = (item: (typeof items)[number]) => presentListed(...item);
      return { status: 200, body: { ...presentPage({ ...page, items }, present), warnings } };
    },
  });
}

function streaming(streams: Pick<EventStreams, 'takeMarkets'>): Route {
  return route({
    ...common,
    path: `${LIST}/stream`,
    operationId: 'streamMarkets',
    summary: 'Follow markets: their books, trades and results',
    description:
      'Server-sent events of up to 100 markets. At first each `market` as `GET /v1/exchange/markets/{id}` has it and its `book`, then each at its changes: of a book the newest alone, at most 20 times a second, so that a slow reader gets no backlog; of `trade`, `market` and `result` every one. These have an `id`: a client that comes back with the last one gets what it missed, or a `gap` where that is not kept. `hello`, `state`, `caught_up` and `bye` are as of `GET /v1/events/stream`. The connection is kept open by comments.',
    query: members(marketStreamQuery),
    answer: marketStreamOut,
    answerName: 'MarketStreamData',
    isStream: true,
    problems: [...problems, 'too-many-streams', 'too-many-markets'],
    async handle({ principal, query, req }) {
      const { market, depth = 1, venue = null } = query;
      const after = positionIn(lastEventIdOf(req) ?? query.after);
      return {
        status: 200,
        stream: await streams.takeMarkets({ principal, req, markets: market, depth, venue, after }),
      };
    },
  });
}

function finding(markets: ReadMarkets): Route {
  return route({
    ...common,
    path: ONE,
    operationId: 'getMarket',
    problems,
    summary: 'Read a market',
    description: 'By its id, slug, or number at the venue.',
    query: members(venueFilter),
    answer: marketOut,
    answerName: 'Market',
    handle: async ({ principal, id, query }) => {
      const market = await markets.one(principal.account, query.venue ?? null, marketIdOf(id));
      return { status: 200, body: presentMarket(market) };
    },
  });
}

function book(markets: ReadMarkets): Route {
  return route({
    ...common,
    path: `${ONE}/book`,
    operationId: 'getMarketBook',
    problems,
    summary: 'Read the book of an outcome, best level first',
    description:
      'As holders of `token` see it. `fresh` is false after a gap in the data of the venue: nothing fills against the book then. Without a book the answer is market-unusable: the venue shows none for this market. Do not repeat the request at once.',
    query: members(bookFilters),
    answer: bookOut,
    answerName: 'Book',
    async handle({ principal, id, query }) {
      const read = await markets.book(principal.account, query.venue ?? null, marketIdOf(id));
      return { status: 200, body: presentBook(read, query.token) };
    },
  });
}

/** A day that changes in each minute is two answers. */
const MOST_MINUTES = 1000;

function history(markets: ReadMarkets): Route {
  return route({
    ...common,
    path: `${ONE}/history`,
    operationId: 'listMarketHistory',
    problems,
    summary: 'List the best prices of an outcome by the minute, newest first',
    description:
      'As holders of `token` see them. The server that follows markets adds a minute in which there was news of the market and its best prices became other ones: between two minutes the older one holds. Both prices are null while the book was not known. Kept for 90 days, of markets that a strategy, a paper order or a bet has the server follow.',
    query: listQuery(historyFilters, 'moment', MOST_MINUTES),
    answer: listOut(minuteOut),
    answerName: 'MarketHistory',
    async handle({ principal, id, query }) {
      const { from, to: before, token, venue = null } = query;
      const period = { ...(from !== undefined && { from }), ...(before !== undefined && { before }) };
      const asked = pageFrom(query, (key) => new Date(Number(key)));
      const { prices } = await markets.history(principal.account, { venue, id: marketIdOf(id), ...period }, asked);
      const slice = { items: prices.items, next: prices.next?.getTime() ?? null };
      return { status: 200, body: presentPage(slice, (one) => presentMinute(one, token)) };
    },
  });
}
