import { MarketDataUnavailable, MarketUnusable } from '../../../core/errors.js';
import type { MarketId } from '../../../core/ids.js';
import type { Page, Slice } from '../../../core/ledger/query.js';
import type { Market } from '../../../core/market/market.js';
import { answers, type MarketQuery, statusesOf } from '../../../core/market/market.js';
import type { Asker } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';
import type { LaneAllowances } from '../../transport/http-client.js';
import type { HttpLimits } from '../../transport/http-limits.js';
import { MarketCache } from '../../venue/market-cache.js';
import { FOLLOWED, MarketDataClient, type MarketDataLane, type ReadFor } from '../../venue/market-data-client.js';
import { marketDataJson } from '../../venue/market-data-json.js';
import { readBook, readClobMarket, readCompactMarket, type TokenBook } from '../http/clob-wire.js';
import {
  type GammaMarket,
  type GammaPage,
  readGammaMarket,
  readMarketPage,
  readSearchPage,
} from '../http/gamma-wire.js';
import { ClosedMarkets, RESULT } from './closed-markets.js';
import { listing } from './listing.js';
import type { MarketRecords } from './records.js';

/**
 * Requests in ten seconds (`polymarket.md` 2.5), divided among four lanes: `read` for orders and exits, `follow` for the markets that
 * are followed, `result` for results, `look` for reads of clients, searches and dry runs. One account has at most a third of what is
 * kept for orders, and three quarters of what is for clients. Trading has the other half of the CLOB (`trading-client.ts`).
 */
const GAMMA_ALLOWANCES: LaneAllowances<MarketDataLane> = {
  read: [
    { prefix: '', points: 1500 },
    { prefix: '/markets', points: 90, each: 30 },
  ],
  follow: [
    { prefix: '', points: 500 },
    { prefix: '/markets', points: 90 },
  ],
  result: [
    { prefix: '', points: 100 },
    { prefix: '/markets', points: 20 },
  ],
  look: [
    { prefix: '', points: 1900 },
    { prefix: '/markets', points: 100, each: 75 },
    { prefix: '/public-search', points: 350, each: 260 },
  ],
};
const CLOB_ALLOWANCES: LaneAllowances<MarketDataLane> = {
  read: [
    { prefix: '', points: 1700 },
    { prefix: '/book', points: 600, each: 200 },
  ],
  follow: [
    { prefix: '', points: 700 },
    { prefix: '/book', points: 400 },
  ],
  result: [{ prefix: '', points: 300 }],
  look: [
    { prefix: '', points: 1500, each: 1100 },
    { prefix: '/book', points: 500, each: 370 },
  ],
};

/** Pages of many markets are large, and no order waits for them. */
const LIMITS: Partial<HttpLimits> = {
  headersMs: 5000,
  bodyMs: 5000,
  overallMs: 12_000,
  maxBytes: 8 * 1024 * 1024,
  longestWaitMs: 600_000,
};

/** How many pages of the venue one search may read. */
const MOST_PAGES = 5;
const CONDITION_ID = /^0x[0-9a-fA-F]{2,64}$/;
const NUMBER = /^\d{1,18}$/;

/** The venue's addresses, and the limits of requests to it. */
export interface RestOptions {
  readonly gamma: URL;
  readonly clob: URL;
  readonly clock: Clock;
  readonly limits?: Partial<HttpLimits>;
  /** Called once when a host stops answering, until it answers again. */
  readonly report?: (reason: string) => void;
}

/** What a search has found so far, and for whom. */
interface Collecting {
  readonly limit: number;
  readonly items: Market[];
  readonly asker: Asker | undefined;
}

/** Polymarket's markets and books by REST. */
export class PolymarketRest {
  readonly #gamma: MarketDataClient;
  readonly #clob: MarketDataClient;
  readonly #clock: Clock;
  readonly #cache: MarketCache<MarketRecords>;
  readonly #closed: ClosedMarkets;

  constructor({ gamma, clob, clock, limits, report = () => {} }: RestOptions) {
    this.#gamma = new MarketDataClient(gamma, GAMMA_ALLOWANCES, { ...LIMITS, ...limits }, report);
    this.#clob = new MarketDataClient(clob, CLOB_ALLOWANCES, { ...LIMITS, ...limits }, report);
    this.#clock = clock;
    this.#cache = new MarketCache<MarketRecords>(clock);
    this.#closed = new ClosedMarkets(clock, {
      listed: (ids, closed) => this.#listed(ids, closed, { asker: RESULT }),
      complete: (gamma) => this.#complete(gamma, { asker: RESULT }),
      otherwise: (id) => this.#byClob(id, { asker: RESULT }),
    });
  }

  /**
   * By condition id, slug or number, closed ones too; undefined when the venue has no such market. Up to 30 seconds old, where there
   * is none up to five; an order asks anew whether there is none. For a result those that are asked for at once are read together, and
   * none that is open.
   * @throws MarketUnusable, MarketDataUnavailable, TooManyLookups
   */
  async find(id: MarketId, asker?: Asker): Promise<Market | undefined> {
    const records =
      asker?.purpose === 'result' && CONDITION_ID.test(id)
        ? (this.#cache.young(id) ?? (await this.#closed.find(id)))
        : await this.#cache.find(id, asker, () => this.#read(id, { asker }));
    return records === undefined ? undefined : listing(records, this.#clock.now());
  }

  /** Discards the cached record of a market, so that the next `find` asks the venue. */
  forget({ id, slug, venueId }: Market): void {
    for (const name of [id, slug, venueId]) if (name !== null) this.#cache.forget(name);
  }

  /** A market that is followed, read anew. @throws MarketUnusable, MarketDataUnavailable */
  async renewed(market: Market): Promise<Market | undefined> {
    this.forget(market);
    const records = await this.#cache.find(market.id, FOLLOWED, () => this.#read(market.id, { asker: FOLLOWED }));
    return records === undefined ? undefined : listing(records, this.#clock.now());
  }

  /**
   * Markets that match, open ones first; unusable ones are left out. Reads a bounded number of the venue's pages, so there
   * may be fewer than requested, or none, before the end.
   * @throws MarketDataUnavailable, TooManyLookups
   */
  async search(query: MarketQuery, page: Page<string>, asker?: Asker): Promise<Slice<Market, string>> {
    const items: Market[] = [];
    let place: Place | null = page.after === undefined ? firstPlace(query) : readPlace(page.after, query);
    for (let pages = 0; pages < MOST_PAGES && place !== null && items.length < page.limit; pages++) {
      place = await this.#collect(query, place, { limit: page.limit, items, asker });
    }
    return { items, next: place === null ? null : placeText(place) };
  }

  /** The book of one token; undefined when the venue has none. @throws MarketDataUnavailable, TooManyLookups */
  async book(tokenId: string, whom: ReadFor = {}): Promise<(TokenBook & { readonly at: Date }) | undefined> {
    const answer = await marketDataJson(this.#clob, '/book', new URLSearchParams({ token_id: tokenId }), whom);
    if (answer === undefined) return undefined;
    const book = readBook(answer);
    if (book.tokenId !== tokenId) throw new MarketDataUnavailable('The source of market data shows another book.');
    return { ...book, at: this.#clock.now() };
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    await Promise.all([this.#gamma.close(), this.#clob.close()]);
  }

  /** Throws for an unusable market, to keep it out of the cache. */
  async #read(id: string, whom: ReadFor): Promise<MarketRecords | undefined> {
    const gamma = await this.#gammaMarket(id, whom);
    if (gamma === undefined) return undefined;
    const records = await this.#complete(gamma, whom);
    listing(records, records.readAt);
    return records;
  }

  async #gammaMarket(id: string, whom: ReadFor): Promise<GammaMarket | undefined> {
    if (CONDITION_ID.test(id)) return (await this.#byCondition(id, whom)) ?? (await this.#byClob(id, whom));
    const answer = await marketDataJson(
      this.#gamma,
      NUMBER.test(id) ? `/markets/${id}` : `/markets/slug/${encodeURIComponent(id)}`,
      undefined,
      whom,
    );
    if (answer === undefined) return undefined;
    const market = readGammaMarket(answer);
    return market.id === id || market.slug === id ? market : undefined;
  }

  /** Gamma shows closed markets only when asked for closed ones. */
  async #byCondition(id: string, whom: ReadFor): Promise<GammaMarket | undefined> {
    for (const closed of [false, true]) {
      const records = await this.#listed([id], closed, whom);
      const found = records.map(readGammaMarket).find(({ conditionId }) => isSame(conditionId, id));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The records that Gamma lists under these condition ids, of closed markets or of the others. */
  async #listed(ids: readonly string[], closed: boolean, whom: ReadFor): Promise<readonly unknown[]> {
    const asked = new URLSearchParams();
    for (const id of ids) asked.append('condition_ids', id);
    asked.set('closed', `${closed}`);
    asked.set('limit', `${2 * ids.length}`);
    const answer = await marketDataJson(this.#gamma, '/markets/keyset', asked, whom);
    return readMarketPage(answer ?? { markets: [] }).records;
  }

  async #byClob(id: string, whom: ReadFor): Promise<GammaMarket | undefined> {
    const answer = await marketDataJson(this.#clob, `/markets/${id}`, undefined, whom);
    const slug = answer === undefined ? null : readClobMarket(answer).market_slug;
    const found = slug === null || slug === '' ? undefined : await this.#gammaMarket(slug, whom);
    return isSame(found?.conditionId, id) ? found : undefined;
  }

  async #complete(gamma: GammaMarket, whom: ReadFor): Promise<MarketRecords> {
    const readAt = this.#clock.now();
    if (gamma.conditionId === null || !CONDITION_ID.test(gamma.conditionId)) return { gamma, readAt };
    const [compact, clob] = await Promise.all([
      marketDataJson(this.#clob, `/clob-markets/${gamma.conditionId}`, undefined, whom),
      marketDataJson(this.#clob, `/markets/${gamma.conditionId}`, undefined, whom),
    ]);
    return {
      gamma,
      compact: compact === undefined ? undefined : readCompactMarket(compact),
      clob: clob === undefined ? undefined : readClobMarket(clob),
      readAt,
    };
  }

  /** Adds the matches of the page at this place, and returns where to go on; null at the end. */
  async #collect(query: MarketQuery, place: Place, { limit, items, asker }: Collecting): Promise<Place | null> {
    const page = await pageAt(this.#gamma, place, query, { asker });
    for (const [index, record] of page.records.entries()) {
      if (index < place.skip) continue;
      if (items.length === limit) return { ...place, skip: index };
      const market = await this.#usable(record, { asker });
      if (market !== undefined && answers(market, query)) items.push(market);
    }
    return placeAfter(place, page, query);
  }

  /** A list shows Gamma's record alone, which is enough except for a result: that one is checked with the CLOB. */
  async #usable(record: unknown, whom: ReadFor): Promise<Market | undefined> {
    try {
      const gamma = readGammaMarket(record);
      const readAt = this.#clock.now();
      const market = listing({ gamma, readAt }, readAt);
      return market.status === 'resolving' && gamma.closed === true
        ? listing(await this.#complete(gamma, whom), readAt)
        : market;
    } catch (error) {
      if (error instanceof MarketUnusable) return undefined;
      throw error;
    }
  }
}

function isSame(a: string | null | undefined, b: string): boolean {
  return a?.toLowerCase() === b.toLowerCase();
}

/**
 * A place in the venue's lists; `list` is `open`, `closed` or `text`, and `skip` counts records of that page already seen.
 */
export interface Place {
  readonly list: 'open' | 'closed' | 'text';
  readonly skip: number;
  /** The venue's own cursor, or the number of a page; empty for the first. */
  readonly cursor: string;
}

const PAGE = 100;
const EVENTS_PER_PAGE = 20;
const KINDS = { moneyline: ['moneyline'], spread: ['spreads', 'map_handicap'], total: ['totals'], other: [] };
const OVER = new Set(['closed', 'resolved', 'amended']);
const MAYBE_OVER = new Set(['resolving', 'disputed']);

/** Where a search begins. */
function firstPlace(query: MarketQuery): Place {
  if (query.text !== undefined && query.text.trim() !== '') return { list: 'text', skip: 0, cursor: '' };
  const areOver = statusesOf(query)?.every((status) => OVER.has(status)) ?? false;
  return { list: areOver ? 'closed' : 'open', skip: 0, cursor: '' };
}

/** Reads a place from the text that `placeText` made; the first place when it is something else. */
function readPlace(text: string, query: MarketQuery): Place {
  const [, list, skip = '0', cursor = ''] = /^(open|closed|text)\.(\d{1,6})\.(.{0,512})$/s.exec(text) ?? [];
  const first = firstPlace(query);
  if (list !== 'open' && list !== 'closed' && list !== 'text') return first;
  if ((list === 'text') !== (first.list === 'text') || (list === 'text' && !/^\d{0,6}$/.test(cursor))) return first;
  return { list, skip: Number(skip), cursor };
}

/** A place as a cursor for clients. */
const placeText = ({ list, skip, cursor }: Place): string => `${list}.${skip}.${cursor}`;

/** Reads Gamma at a path. */
type ReadGamma = (path: string, asked: URLSearchParams) => Promise<unknown>;

/** The page at this place, whole. @throws MarketDataUnavailable, TooManyLookups */
async function pageAt(
  gamma: MarketDataClient,
  { list, cursor }: Place,
  query: MarketQuery,
  whom: ReadFor,
): Promise<GammaPage> {
  const read: ReadGamma = (path, asked) => marketDataJson(gamma, path, asked, whom);
  return list === 'text' ? await textPage(read, query.text ?? '', cursor) : await listPage(read, list, cursor, query);
}

/** The first place of the page after this one; null at the end of all lists. */
function placeAfter({ list }: Place, { next }: GammaPage, query: MarketQuery): Place | null {
  if (next !== null) return { list, skip: 0, cursor: next };
  const mayBeOver = statusesOf(query)?.some((status) => OVER.has(status) || MAYBE_OVER.has(status)) ?? true;
  return list === 'open' && mayBeOver ? { list: 'closed', skip: 0, cursor: '' } : null;
}

async function textPage(read: ReadGamma, text: string, cursor: string): Promise<GammaPage> {
  const page = cursor === '' ? 1 : Number(cursor);
  const asked = { q: text, page: `${page}`, limit_per_type: `${EVENTS_PER_PAGE}`, keep_closed_markets: '1' };
  const answer = await read('/public-search', new URLSearchParams(asked));
  const { records, next } = readSearchPage(answer ?? {});
  return { records, next: next === null ? null : `${page + 1}` };
}

async function listPage(read: ReadGamma, list: string, cursor: string, { kind }: MarketQuery): Promise<GammaPage> {
  const asked = new URLSearchParams({ limit: `${PAGE}`, closed: `${list === 'closed'}` });
  if (cursor !== '') asked.set('after_cursor', cursor);
  for (const type of kind === undefined ? [] : KINDS[kind]) asked.append('sports_market_types', type);
  return readMarketPage((await read('/markets/keyset', asked)) ?? { markets: [] });
}
