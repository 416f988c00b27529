import { type ArchiveHour, Lags, mayHold, Pulses } from './archive-hours.js';
import { HourRows } from './hour-rows.js';
import { ImportRefused } from './import-refused.js';
import type { ParquetColumns, ParquetFile, RowGroupRows } from './parquet-file.js';
import { isInside, WHOLE, type WholeLevel } from './rebuilt-book.js';

/** The schema of the archive of Kalshi. It has no trades, and a delta is a change of a level and no total. */
export const KALSHI_SCHEMAS = {
  kalshi: {
    timestamp_received: 'moment',
    timestamp: 'moment_up',
    market_ticker: 'text',
    market_id: 'text',
    event_type: 'text',
    yes_bids: 'levels',
    no_bids: 'levels',
    price: 'micro',
    delta: 'micro',
    side: 'text',
  },
} as const satisfies Readonly<Record<string, ParquetColumns>>;

/** A lag is counted in steps of so many milliseconds: a bad day has lags of half an hour. */
const LAG_STEP_MS = 100;
const DAY_MS = 86_400_000;

/** What the rows of a file say of time. Rows are received in batches, which share one moment of receiving. */
export interface BatchTimes {
  /** The newest time of the venue in each batch, by the moment at which it was received. */
  readonly newest: ReadonlyMap<number, number>;
  readonly lags: Lags;
  /** Moments of the venue at which anything was written. */
  readonly alive: readonly number[];
}

/** The rows of the wanted markets in one file, and its times. A delta has the shares by which its level changes, with their sign. */
export interface KalshiHour {
  readonly rows: HourRows;
  readonly times: BatchTimes;
}

/** Reads a file for these markets, by ticker. @throws ImportRefused with the row */
export async function readKalshiHour(
  { file, path }: ArchiveHour,
  wanted: ReadonlyMap<string, number>,
): Promise<KalshiHour> {
  const rows = new HourRows();
  for (const [at, group] of file.groups.entries()) {
    if (!mayHold(file, 'market_ticker', at, wanted.keys())) continue;
    const places = await file.codes('market_ticker', group, (ticker) => wanted.get(ticker ?? '') ?? NOT_WANTED);
    const first = places.findIndex((place) => place !== NOT_WANTED);
    if (first < 0) continue;
    const last = places.findLastIndex((place) => place !== NOT_WANTED);
    const within = { begin: group.begin + first, end: group.begin + last + 1 };
    await addRows(rows, { file, path, within, markets: places.subarray(first, last + 1) });
  }
  return { rows, times: await timesOf(file) };
}

const NOT_WANTED = -1;

async function timesOf(file: ParquetFile): Promise<BatchTimes> {
  const newest = new Map<number, number>();
  const [lags, pulses] = [new Lags(), new Pulses()];
  for (const group of file.groups) {
    const received = await file.numbers('timestamp_received', group);
    const source = await file.numbers('timestamp', group);
    for (const [n, at] of source.entries()) {
      const batch = received[n] as number;
      if (Number.isNaN(at) || Number.isNaN(batch)) continue;
      const before = newest.get(batch);
      if (before === undefined || before < at) newest.set(batch, at);
      lags.add(Math.round((batch - at) / LAG_STEP_MS) * LAG_STEP_MS);
      pulses.add(at);
    }
  }
  return { newest, lags, alive: pulses.all };
}

/** Rows of one part of a file, among which are those that are wanted. */
interface PartOfKalshiHour {
  readonly file: ParquetFile;
  readonly path: string;
  readonly within: RowGroupRows;
  /** The market of each, or `NOT_WANTED`. */
  readonly markets: Int32Array;
}

async function addRows(rows: HourRows, { file, path, within, markets }: PartOfKalshiHour): Promise<void> {
  const picked = Uint32Array.from(
    [...markets.keys()].filter((at) => markets[at] !== NOT_WANTED),
    (at) => within.begin + at,
  );
  const types = await file.texts('event_type', within, picked);
  const received = await file.numbers('timestamp_received', within, picked);
  const source = await file.numbers('timestamp', within, picked);
  const [prices, deltas] = [await file.numbers('price', within, picked), await file.numbers('delta', within, picked)];
  const sides = await file.texts('side', within, picked);
  const whole = picked.filter((_, n) => types[n] === 'orderbook_snapshot');
  const books = await booksIn(file, whole);
  rows.reserve(picked.length);
  for (const [n, row] of picked.entries()) {
    const at = received[n] as number;
    const market = markets[row - within.begin] as number;
    if (Number.isNaN(at)) throw new ImportRefused(path, 'has no timestamp_received', row);
    if (types[n] === 'orderbook_snapshot') {
      rows.books.set(rows.add('book', at, Number.NaN, row, market, false), booksOf(books, row));
      continue;
    }
    const [type, side] = [types[n] as string | null, sides[n] as string | null];
    const delta = {
      type,
      side,
      at,
      source: source[n] as number,
      price: prices[n] as number,
      change: deltas[n] as number,
    };
    const wrong = wrongWith(delta);
    if (wrong !== null) throw new ImportRefused(path, wrong, row);
    const place = rows.add('change', at, delta.source, row, market, false);
    const own = side === 'yes' ? delta.price : WHOLE - delta.price;
    rows.amounts(place, side === 'yes', own, delta.change, Number.NaN, Number.NaN);
  }
}

/** What a row says that is no whole book; NaN where a number lacks. */
interface DeltaRow {
  readonly type: string | null;
  readonly side: string | null;
  readonly at: number;
  readonly source: number;
  readonly price: number;
  readonly change: number;
}

/** Why a row is no change of a level; null where it is one. */
function wrongWith({ type, side, at, source, price, change }: DeltaRow): string | null {
  if (type !== 'orderbook_delta') return `has the event_type ${JSON.stringify(type)}, which is not known here`;
  if (side !== 'yes' && side !== 'no') return `has the side ${JSON.stringify(side)}: yes or no is known here`;
  if (!isInside(price)) return 'has a price that is not between 0 and 1';
  if (Number.isNaN(change)) return 'has no delta';
  return Math.abs(at - source) < DAY_MS ? null : 'has no timestamp near its timestamp_received';
}

type Books = ReadonlyMap<number, { readonly yes: readonly WholeLevel[]; readonly no: readonly WholeLevel[] }>;

/** Bids for the second outcome at p are offers of the first at 1 − p. */
function booksOf(books: Books, row: number) {
  const { yes = [], no = [] } = books.get(row) ?? {};
  return { bids: yes, asks: no.map(([price, shares]): WholeLevel => [WHOLE - price, shares]) };
}

/** Lists are long to read, and few rows have one. */
async function booksIn(file: ParquetFile, rows: Uint32Array): Promise<Books> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const within = { begin: first, end: last + 1 };
  const [yes, no] = [await file.levels('yes_bids', within, rows), await file.levels('no_bids', within, rows)];
  return new Map(Array.from(rows, (row, n) => [row, { yes: yes[n] ?? [], no: no[n] ?? [] }]));
}
