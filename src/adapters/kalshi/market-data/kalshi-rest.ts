import { LRUCache } from 'lru-cache';
import { MarketDataUnavailable, MarketUnusable } from '../../../core/errors.js';
import type { MarketId, VenueName } from '../../../core/ids.js';
import type { Page, Slice } from '../../../core/ledger/query.js';
import type { BookSides } from '../../../core/market/book.js';
import type { Level } from '../../../core/market/event.js';
import { answers, MARKET_ID, type Market, type MarketQuery, statusesOf } from '../../../core/market/market.js';
import { ONE, type Price } from '../../../core/money.js';
import type { Asker } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';
import type { LaneAllowances } from '../../transport/http-client.js';
import type { HttpLimits } from '../../transport/http-limits.js';
import { priceIn, sharesIn } from '../../venue/decimals.js';
import { MarketCache } from '../../venue/market-cache.js';
import { FOLLOWED, MarketDataClient, type MarketDataLane, type ReadFor } from '../../venue/market-data-client.js';
import { marketDataJson } from '../../venue/market-data-json.js';
import { understood } from '../../venue/wire-types.js';
import { API_PATH } from '../http/api-key.js';
import { tradesOn } from '../http/exchange-status.js';
import { BatchedReads } from './batched-reads.js';
import { KeptStatus } from './kept-status.js';
import { type KalshiMarketRecords, listedMarket } from './listed-market.js';
import {
  type EventRecord,
  type KalshiEventPage,
  type KalshiMarketRecord,
  type MilestoneRecord,
  marketsIn,
  orderBookRecord,
  readEventPage,
  readEventRecord,
  readMarketRecord,
  readMilestones,
  readNamedMarkets,
  readSeriesRecord,
  type SeriesRecord,
} from './market-records.js';

/** The venue's addresses, and what is searched. */
export interface KalshiRestOptions {
  readonly api: URL;
  readonly venue: VenueName;
  readonly clock: Clock;
  /** The series in which markets are looked for: the venue has no search by words. */
  readonly series: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  /** What the venue allows; the lowest tier by default. */
  readonly allowances?: LaneAllowances<MarketDataLane> | undefined;
  /** Called once when the host stops answering, until it answers again. */
  readonly report?: (reason: string) => void;
}

/**
 * Reads in two seconds, of the 40 of the lowest tier (`kalshi.md` 2.4); trading has the rest. A market that was not read before takes five, which
 * one account may do at once.
 */
const ALLOWANCES: LaneAllowances<MarketDataLane> = {
  read: [{ prefix: '', points: 8, each: 6, seconds: 2 }],
  follow: [{ prefix: '', points: 6, seconds: 2 }],
  result: [{ prefix: '', points: 2, seconds: 2 }],
  look: [{ prefix: '', points: 6, each: 5, seconds: 2 }],
};
const LIMITS: Partial<HttpLimits> = { overallMs: 12_000, maxBytes: 16 * 1024 * 1024, longestWaitMs: 600_000 };

/** How long what seldom changes is kept: an event and its series, and the game that they belong to. */
const EVENT_MS = 60_000;
const SERIES_MS = 600_000;
const MOST_KEPT = 2000;
/** How many pages of the venue one search may read. */
const MOST_PAGES = 5;
const EVENTS_A_PAGE = '100';
/** What is read in the background: for followed markets, and for results. */
const RESULTS: ReadFor = { asker: { account: null, purpose: 'result' } };
const FOLLOWING: ReadFor = { asker: FOLLOWED };

/** Statuses that the venue filters by, for those that we have. */
const FILTER: Readonly<Record<string, string>> = { upcoming: 'unopened', open: 'open', in_play: 'open' };

/** Records that are read many at once. */
interface BatchedRecords {
  readonly markets: BatchedReads<KalshiMarketRecord>;
  readonly events: BatchedReads<EventRecord>;
  readonly series: BatchedReads<SeriesRecord>;
}

/** Kalshi's markets and books by REST, which needs no key. */
export class KalshiRest {
  readonly #client: MarketDataClient;
  readonly #options: KalshiRestOptions;
  readonly #markets: MarketCache<KalshiMarketRecords>;
  readonly #events: LRUCache<string, EventRecord>;
  readonly #series: LRUCache<string, SeriesRecord>;
  readonly #milestones: LRUCache<string, { readonly game: MilestoneRecord | null }>;
  readonly #status: KeptStatus;
  readonly #batches: Readonly<Record<'follow' | 'result', BatchedRecords>>;

  constructor(options: KalshiRestOptions) {
    const { api, clock, limits, allowances = ALLOWANCES, report = () => {} } = options;
    this.#options = options;
    this.#client = new MarketDataClient(new URL(API_PATH, api), allowances, { ...LIMITS, ...limits }, report);
    this.#markets = new MarketCache(clock);
    const kept = (ttl: number) => ({
      max: MOST_KEPT,
      ttl,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
    });
    this.#events = new LRUCache(kept(EVENT_MS));
    this.#series = new LRUCache(kept(SERIES_MS));
    this.#milestones = new LRUCache(kept(EVENT_MS));
    this.#status = new KeptStatus(this.#client, clock);
    this.#batches = { follow: this.#batchesFor(FOLLOWING), result: this.#batchesFor(RESULTS) };
  }

  #batchesFor(whom: ReadFor): BatchedRecords {
    return {
      markets: new BatchedReads({
        readMany: (tickers) => this.#marketsNamed(tickers, whom),
        readOne: (ticker) => this.#marketNamed(ticker, whom),
      }),
      events: new BatchedReads({
        readMany: (tickers) => this.#eventsNamed(tickers, whom),
        readOne: (ticker) => this.#eventNamed(ticker, whom),
      }),
      series: new BatchedReads({ readOne: (ticker) => this.#seriesNamed(ticker, whom) }),
    };
  }

  /** By ticker. Up to 30 seconds old. @throws MarketUnusable, MarketDataUnavailable, TooManyLookups */
  async find(id: MarketId, asker?: Asker): Promise<Market | undefined> {
    const records = await this.#markets.find(id, asker, () => this.#read(id, { asker }));
    return records === undefined ? undefined : this.#listed(records);
  }

  /** A market as it was read within the last half minute; undefined where it was not. */
  young(id: MarketId): Market | undefined {
    const records = this.#markets.young(id);
    return records && this.#listed(records);
  }

  /** A market that is followed, read anew. @throws MarketUnusable, MarketDataUnavailable */
  async renewed(market: Market, whom: ReadFor): Promise<Market | undefined> {
    this.#markets.forget(market.id);
    const records = await this.#markets.find(market.id, whom.asker, () => this.#read(market.id, whom));
    return records === undefined ? undefined : this.#listed(records);
  }

  /**
   * Markets of the configured series that match, those of one event together. Reads a bounded number of the venue's pages, so there may be
   * fewer than requested, or none, before the end.
   * @throws MarketDataUnavailable, TooManyLookups
   */
  async search(query: MarketQuery, page: Page<string>, asker?: Asker): Promise<Slice<Market, string>> {
    const items: Market[] = [];
    let place = placeIn(page.after);
    for (let pages = 0; pages < MOST_PAGES && place !== null && items.length < page.limit; pages++) {
      place = await this.#collect(query, place, { items, limit: page.limit, whom: { asker } });
    }
    return { items, next: place === null ? null : JSON.stringify(place) };
  }

  /** The book of a market, in prices of its first outcome; undefined when the venue has none. @throws MarketDataUnavailable */
  async book(market: Market, whom: ReadFor = {}): Promise<BookSides | undefined> {
    const answer = await this.#json(`/markets/${encodeURIComponent(market.id)}/orderbook`, {}, whom);
    if (answer === undefined) return undefined;
    const { yes_dollars, no_dollars } = understood(orderBookRecord, answer).orderbook_fp;
    const level = ([price, shares]: readonly [string, string]): Level => ({
      price: priceIn(price),
      shares: sharesIn(shares),
    });
    const turned = ({ price, shares }: Level): Level => ({ price: (ONE - price) as Price, shares });
    try {
      return { bids: yes_dollars.map(level), asks: no_dollars.map(level).map(turned) };
    } catch {
      throw new MarketDataUnavailable('The source of market data answered with an unknown shape.');
    }
  }

  /** Ends every connection. */
  close(): Promise<void> {
    return this.#client.close();
  }

  #listed(records: KalshiMarketRecords): Market {
    const { venue, clock } = this.#options;
    return listedMarket(records, venue, clock.now());
  }

  /** Throws for an unusable market, to keep it out of the cache. */
  async #read(id: string, whom: ReadFor): Promise<KalshiMarketRecords | undefined> {
    if (!MARKET_ID.test(id)) return undefined;
    const market = await (this.#batchesOf(whom)?.markets.find(id) ?? this.#marketNamed(id, whom));
    if (market === undefined) return undefined;
    const event = await this.#event(market.event_ticker, whom);
    if (event === undefined) return undefined;
    const records = await this.#complete(market, event, whom);
    this.#listed(records);
    return records;
  }

  async #complete(market: KalshiMarketRecord, event: EventRecord, whom: ReadFor): Promise<KalshiMarketRecords> {
    const readAt = this.#options.clock.now();
    const [series, milestone, status] = await Promise.all([
      this.#seriesOf(event.series_ticker, whom),
      this.#milestone(event.event_ticker, whom),
      this.#status.read(whom),
    ]);
    return { market, event, series, milestone, trades: tradesOn(status, market.exchange_index), readAt };
  }

  #batchesOf({ asker }: ReadFor): BatchedRecords | null {
    if (asker === FOLLOWED) return this.#batches.follow;
    return asker?.purpose === 'result' ? this.#batches.result : null;
  }

  /** A market by its ticker; one that settled long ago is in the past alone (`kalshi.md` 4.1). */
  async #marketNamed(ticker: string, whom: ReadFor): Promise<KalshiMarketRecord | undefined> {
    const path = `/markets/${encodeURIComponent(ticker)}`;
    const answer = (await this.#json(path, {}, whom)) ?? (await this.#json(`/historical${path}`, {}, whom));
    if (answer === undefined) return undefined;
    const market = readMarketRecord(answer);
    // An answer may be about another market than asked.
    return market.ticker === ticker ? market : undefined;
  }

  async #marketsNamed(tickers: readonly string[], whom: ReadFor): Promise<ReadonlyMap<string, KalshiMarketRecord>> {
    const asked = { tickers: tickers.join(','), limit: `${tickers.length}` };
    const answer = await this.#json('/markets', asked, whom);
    const markets = answer === undefined ? [] : readNamedMarkets(answer);
    return new Map(markets.map((market) => [market.ticker, market]));
  }

  /** Events with their games, where the answer has them. */
  async #eventsNamed(tickers: readonly string[], whom: ReadFor): Promise<ReadonlyMap<string, EventRecord>> {
    const asked = { tickers: tickers.join(','), with_milestones: 'true', limit: `${tickers.length}` };
    const answer = await this.#json('/events', asked, whom);
    if (answer === undefined) return new Map();
    const { events, milestones } = readEventPage(answer);
    for (const { event_ticker } of milestones === null ? [] : events) this.#noteGame(event_ticker, milestones ?? []);
    return new Map(events.map((event) => [event.event_ticker, event]));
  }

  async #event(ticker: string, whom: ReadFor): Promise<EventRecord | undefined> {
    const known = this.#events.get(ticker);
    if (known !== undefined) return known;
    const event = await (this.#batchesOf(whom)?.events.find(ticker) ?? this.#eventNamed(ticker, whom));
    if (event !== undefined) this.#events.set(ticker, event);
    return event;
  }

  async #eventNamed(ticker: string, whom: ReadFor): Promise<EventRecord | undefined> {
    const answer = await this.#json(`/events/${encodeURIComponent(ticker)}`, {}, whom);
    return answer === undefined ? undefined : readEventRecord(answer);
  }

  async #seriesOf(ticker: string, whom: ReadFor): Promise<SeriesRecord> {
    const known = this.#series.get(ticker);
    if (known !== undefined) return known;
    const series = await (this.#batchesOf(whom)?.series.find(ticker) ?? this.#seriesNamed(ticker, whom));
    if (series === undefined)
      throw new MarketDataUnavailable('The source of market data does not know the series of a market.');
    this.#series.set(ticker, series);
    return series;
  }

  async #seriesNamed(ticker: string, whom: ReadFor): Promise<SeriesRecord | undefined> {
    const answer = await this.#json(`/series/${encodeURIComponent(ticker)}`, {}, whom);
    return answer === undefined ? undefined : readSeriesRecord(answer);
  }

  /** The game of an event: all events of one game hang together by it. Where there are several, the one that names the event first. */
  async #milestone(event: string, whom: ReadFor): Promise<MilestoneRecord | null> {
    const known = this.#milestones.get(event);
    if (known !== undefined) return known.game;
    const answer = await this.#json('/milestones', { related_event_ticker: event, limit: '10' }, whom);
    return this.#noteGame(event, answer === undefined ? [] : readMilestones(answer));
  }

  #noteGame(event: string, all: readonly MilestoneRecord[]): MilestoneRecord | null {
    const game =
      all.find(({ primary_event_tickers: tickers }) => tickers.includes(event)) ??
      all.find(({ related_event_tickers: tickers }) => tickers.includes(event)) ??
      null;
    this.#milestones.set(event, { game });
    return game;
  }

  async #collect(
    query: MarketQuery,
    place: Place,
    { items, limit, whom }: { readonly items: Market[]; readonly limit: number; readonly whom: ReadFor },
  ): Promise<Place | null> {
    const series = this.#options.series[place.series];
    if (series === undefined) return null;
    const { events, cursor } = await this.#page(series, query, place, whom);
    for (const [n, event] of events.entries()) {
      if (n < place.events) continue;
      if (items.length >= limit) return { ...place, events: n };
      items.push(...(await this.#matching(event, query, whom)));
    }
    if (cursor !== '' && cursor !== place.cursor) return { series: place.series, cursor, events: 0 };
    return place.series + 1 < this.#options.series.length ? { series: place.series + 1, cursor: '', events: 0 } : null;
  }

  /** A page of the events of a series, with their games where the answer has them: without, each game is asked for by itself. */
  async #page(series: string, query: MarketQuery, { cursor }: Place, whom: ReadFor): Promise<KalshiEventPage> {
    const status = filterOf(query);
    const asked = {
      series_ticker: series,
      with_nested_markets: 'true',
      with_milestones: 'true',
      limit: EVENTS_A_PAGE,
      ...(status !== undefined && { status }),
      ...(cursor !== '' && { cursor }),
    };
    const answer = await this.#json('/events', asked, whom);
    if (answer === undefined) return { events: [], milestones: null, cursor: '' };
    const page = readEventPage(answer);
    for (const { event_ticker } of page.milestones === null ? [] : page.events) {
      this.#noteGame(event_ticker, page.milestones ?? []);
    }
    return page;
  }

  async #matching(event: EventRecord, query: MarketQuery, whom: ReadFor): Promise<readonly Market[]> {
    this.#events.set(event.event_ticker, event);
    const found: Market[] = [];
    for (const record of marketsIn(event)) {
      try {
        const market = this.#listed(await this.#complete(record, event, whom));
        if (answers(market, query)) found.push(market);
      } catch (error) {
        if (!(error instanceof MarketUnusable)) throw error;
      }
    }
    return found;
  }

  #json(path: string, query: Readonly<Record<string, string>>, whom: ReadFor): Promise<unknown> {
    return marketDataJson(this.#client, path, new URLSearchParams(query), whom);
  }
}

/** The venue takes one status at a time, and its words are fewer than ours; none asks for events of every status. */
function filterOf(query: MarketQuery): string | undefined {
  const named = statusesOf(query)?.map((status) => FILTER[status]) ?? ['open'];
  const [first, ...others] = named;
  return others.every((one) => one === first) ? first : undefined;
}

/** Where a search goes on: in which series, at which page, after how many of its events. */
interface Place {
  readonly series: number;
  readonly cursor: string;
  readonly events: number;
}

function placeIn(text: string | undefined): Place | null {
  if (text === undefined) return { series: 0, cursor: '', events: 0 };
  try {
    const { series, cursor, events } = JSON.parse(text) as Partial<Place>;
    const isPlace = Number.isSafeInteger(series) && typeof cursor === 'string' && Number.isSafeInteger(events);
    return isPlace ? ({ series, cursor, events } as Place) : null;
  } catch {
    return null;
  }
}
