import { type MarketQuery, statusesOf } from '../../../core/market/query.js';
import { type GammaPage, readMarketPage, readSearchPage } from '../http/gamma-wire.js';
import type { MarketDataClient, ReadFor } from '../http/market-data-client.js';
import { marketDataJson } from '../http/market-data-json.js';

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
export function firstPlace(query: MarketQuery): Place {
  if (query.text !== undefined && query.text.trim() !== '') return { list: 'text', skip: 0, cursor: '' };
  const areOver = statusesOf(query)?.every((status) => OVER.has(status)) ?? false;
  return { list: areOver ? 'closed' : 'open', skip: 0, cursor: '' };
}

/** Reads a place from the text that `placeText` made; the first place when it is something else. */
export function readPlace(text: string, query: MarketQuery): Place {
  const [, list, skip = '0', cursor = ''] = /^(open|closed|text)\.(\d{1,6})\.(.{0,512})$/s.exec(text) ?? [];
  const first = firstPlace(query);
  if (list !== 'open' && list !== 'closed' && list !== 'text') return first;
  if ((list === 'text') !== (first.list === 'text') || (list === 'text' && !/^\d{0,6}$/.test(cursor))) return first;
  return { list, skip: Number(skip), cursor };
}

/** A place as a cursor for clients. */
export const placeText = ({ list, skip, cursor }: Place): string => `${list}.${skip}.${cursor}`;

/** Reads Gamma at a path. */
type ReadGamma = (path: string, asked: URLSearchParams) => Promise<unknown>;

/** The page at this place, whole. @throws MarketDataUnavailable, TooManyLookups */
export async function pageAt(
  gamma: MarketDataClient,
  { list, cursor }: Place,
  query: MarketQuery,
  whom: ReadFor,
): Promise<GammaPage> {
  const read: ReadGamma = (path, asked) => marketDataJson(gamma, path, asked, whom);
  return list === 'text' ? await textPage(read, query.text ?? '', cursor) : await listPage(read, list, cursor, query);
}

/** The first place of the page after this one; null at the end of all lists. */
export function placeAfter({ list }: Place, { next }: GammaPage, query: MarketQuery): Place | null {
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
