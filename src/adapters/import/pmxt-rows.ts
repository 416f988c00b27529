import { parseMicro } from '../../core/money.js';
import { type ArchiveHour, mayHold, Pulses } from './archive-hours.js';
import { HourRows, type PmxtRowKind } from './hour-rows.js';
import { ImportRefused } from './import-refused.js';
import type { ParquetColumns, ParquetFile, RowGroupRows } from './parquet-file.js';
import { isInside, type WholeLevel } from './rebuilt-book.js';

/** The schemas of the archive: the second has trades, and what the venue stated as its best prices. */
export const SCHEMAS = {
  v2: {
    timestamp_received: 'moment',
    timestamp: 'moment',
    market: 'text',
    event_type: 'text',
    asset_id: 'text',
    bids: 'text',
    asks: 'text',
    price: 'micro',
    size: 'micro',
    side: 'text',
    best_bid: 'micro',
    best_ask: 'micro',
    fee_rate_bps: 'whole',
    transaction_hash: 'text',
    old_tick_size: 'micro',
    new_tick_size: 'micro',
  },
  v1: {
    timestamp_received: 'moment',
    timestamp_created_at: 'moment',
    market_id: 'text',
    update_type: 'text',
    data: 'text',
  },
} as const satisfies Readonly<Record<string, ParquetColumns>>;
/** A version of the archive. */
export type PmxtVersion = keyof typeof SCHEMAS;

/** Whose rows are wanted, and what they are called. */
export interface ArchivedMarkets {
  readonly ids: ReadonlyMap<string, number>;
  readonly tokens: readonly (readonly [first: string, second: string])[];
  /** Whether such a row of the second version is needed. */
  reads(type: string | null, token: string | null, market: number): boolean;
}

/** The rows of the wanted markets in one file, and moments at which anything was written. */
export async function readHour(
  hour: ArchiveHour<PmxtVersion>,
  wanted: ArchivedMarkets,
): Promise<{ readonly rows: HourRows; readonly alive: readonly number[] }> {
  const { file, version } = hour;
  const market = version === 'v2' ? 'market' : 'market_id';
  const rows = new HourRows();
  const needed = file.groups.flatMap((group, at) => (mayHold(file, market, at, wanted.ids.keys()) ? [group] : []));
  for (const group of needed) {
    const places = await file.codes(market, group, (id) =>
      id === null ? NOT_WANTED : (wanted.ids.get(id) ?? NOT_WANTED),
    );
    const first = places.findIndex((place) => place !== NOT_WANTED);
    if (first < 0) continue;
    const last = places.findLastIndex((place) => place !== NOT_WANTED);
    const within = { begin: group.begin + first, end: group.begin + last + 1 };
    const part = { hour, within, markets: places.subarray(first, last + 1), wanted };
    await (version === 'v2' ? addV2(rows, part) : addV1(rows, part));
  }
  return { rows, alive: await pulsesOf(file, needed) };
}

/** The last moment of each ten seconds in which the largest of these parts has a row: rows are sorted by market, and span the hour. */
async function pulsesOf(file: ParquetFile, needed: readonly RowGroupRows[]): Promise<readonly number[]> {
  const sizeOf = ({ begin, end }: RowGroupRows) => end - begin;
  const [largest] = (needed.length > 0 ? [...needed] : [...file.groups]).sort((a, b) => sizeOf(b) - sizeOf(a));
  const pulses = new Pulses();
  for (const at of largest === undefined ? [] : await file.numbers('timestamp_received', largest)) pulses.add(at);
  return pulses.all;
}

/** Rows of one part of a file, among which are those that are wanted. */
interface PartOfHour {
  readonly hour: ArchiveHour<PmxtVersion>;
  readonly within: RowGroupRows;
  /** The market of each, or `NOT_WANTED`. */
  readonly markets: Int32Array;
  readonly wanted: ArchivedMarkets;
}

const NOT_WANTED = -1;

/** What the second version calls a row. */
const KINDS: ReadonlyMap<string | null, PmxtRowKind> = new Map([
  ['book', 'book'],
  ['price_change', 'change'],
  ['last_trade_price', 'trade'],
  ['tick_size_change', 'tick'],
]);

async function addV2(rows: HourRows, { hour, within, markets, wanted }: PartOfHour): Promise<void> {
  const { file, path } = hour;
  // The texts of kinds and tokens, each by a number, of which few are different.
  const texts: (string | null)[] = [];
  const numberOf = new Map<string | null, number>();
  const code = (text: string | null) => {
    const known = numberOf.get(text);
    if (known !== undefined) return known;
    numberOf.set(text, texts.length);
    return texts.push(text) - 1;
  };
  const [types, tokens] = [await file.codes('event_type', within, code), await file.codes('asset_id', within, code)];
  const picked = pickedOf({ hour, within, markets, wanted }, (at) =>
    wanted.reads(texts[types[at] as number] ?? null, texts[tokens[at] as number] ?? null, markets[at] as number),
  );
  const contents = await contentsOf(file, within, picked);
  rows.reserve(picked.length);
  for (const [n, row] of picked.entries()) {
    const given: Given = { path, row };
    const at = row - within.begin;
    const market = markets[at] as number;
    const type = texts[types[at] as number] ?? null;
    const kind = KINDS.get(type);
    if (kind === undefined) throw refused(given, `has the event_type ${JSON.stringify(type)}, which is not known here`);
    const isSecond = outcomeOf(given, texts[tokens[at] as number] ?? null, wanted.tokens[market]);
    const moment = known(given, 'timestamp_received', contents.moments[n]);
    addContent(rows, rows.add(kind, moment, contents.source[n] as number, row, market, isSecond), given, contents, n);
  }
}

/** The wanted rows that are read. */
function pickedOf({ within, markets }: PartOfHour, isRead: (at: number) => boolean): Uint32Array {
  const picked = new Uint32Array(markets.length);
  let many = 0;
  for (let at = 0; at < markets.length; at += 1)
    if (markets[at] !== NOT_WANTED && isRead(at)) {
      picked[many] = within.begin + at;
      many += 1;
    }
  return picked.slice(0, many);
}

/** The columns of picked rows of the second version. */
async function contentsOf(file: ParquetFile, within: RowGroupRows, picked: Uint32Array) {
  const texts = (name: string) => file.texts(name, within, picked);
  const numbers = (name: string) => file.numbers(name, within, picked);
  return {
    moments: await numbers('timestamp_received'),
    source: await numbers('timestamp'),
    bids: await texts('bids'),
    asks: await texts('asks'),
    sides: await texts('side'),
    hashes: await texts('transaction_hash'),
    prices: await numbers('price'),
    sizes: await numbers('size'),
    ticks: await numbers('new_tick_size'),
    bestBids: await numbers('best_bid'),
    bestAsks: await numbers('best_ask'),
  };
}

function addContent(
  rows: HourRows,
  place: number,
  given: Given,
  { bids, asks, ticks, prices, sizes, sides, bestBids, bestAsks, hashes }: Awaited<ReturnType<typeof contentsOf>>,
  n: number,
): void {
  const kind = rows.kinds[place];
  if (kind === 'book') {
    rows.books.set(place, { bids: levelsOf(given, bids[n]), asks: levelsOf(given, asks[n]) });
    return;
  }
  if (kind === 'tick') {
    rows.amounts(place, false, inside(given, ticks[n]), Number.NaN, Number.NaN, Number.NaN);
    return;
  }
  const price = kind === 'trade' ? inside(given, prices[n]) : known(given, 'price', prices[n]);
  const isBuy = sideOf(given, sides[n]) === 'BUY';
  rows.amounts(place, isBuy, price, known(given, 'size', sizes[n]), bestBids[n] as number, bestAsks[n] as number);
  const hash = hashes[n];
  if (kind === 'trade' && typeof hash === 'string') rows.hashes.set(place, hash);
}

/** A row, to be named. */
interface Given {
  readonly path: string;
  readonly row: number;
}

const refused = ({ path, row }: Given, reason: string): ImportRefused => new ImportRefused(path, reason, row);

function known(given: Given, column: string, number: number | undefined): number {
  if (number !== undefined && number >= 0) return number;
  throw refused(given, `has ${Number.isNaN(number) ? 'no' : 'an impossible'} ${column}`);
}

function inside(given: Given, price: number | undefined): number {
  if (price !== undefined && isInside(price)) return price;
  throw refused(given, 'has a price that is not between 0 and 1');
}

function sideOf(given: Given, side: unknown): 'BUY' | 'SELL' {
  if (side === 'BUY' || side === 'SELL') return side;
  throw refused(given, `has the side ${JSON.stringify(side)}: BUY or SELL is known here`);
}

/** Whether the row is about the second outcome. */
function outcomeOf(given: Given, token: unknown, [first, second]: readonly [string?, string?] = []): boolean {
  if (token === first) return false;
  if (token === second) return true;
  throw refused(
    given,
    `is about the token ${JSON.stringify(token)}, which is neither outcome of its market in the file of --meta: fetch that file again`,
  );
}

/** Levels as JSON has them. */
function levelsOf(given: Given, json: string | null | undefined): readonly WholeLevel[] {
  const pairs = parsed(given, json);
  if (!Array.isArray(pairs)) throw refused(given, 'has a book whose levels are no list');
  return pairs.map((pair): WholeLevel => {
    if (!Array.isArray(pair) || pair.length !== 2)
      throw refused(given, 'has a level that is no pair of price and size');
    return [decimal(given, pair[0]), decimal(given, pair[1])];
  });
}

function parsed(given: Given, json: string | null | undefined): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    throw refused(given, 'has JSON that is damaged: fetch the file again');
  }
}

/** A number of JSON is written by its shortest digits, which are those it was written with. */
function decimal(given: Given, value: unknown): number {
  try {
    return Number(parseMicro(String(value)));
  } catch (error) {
    throw refused(given, `has the amount ${JSON.stringify(value)}, which ${(error as Error).message}`);
  }
}

/** What the first version keeps as JSON. */
interface UpdateOfV1 {
  readonly token_id?: unknown;
  readonly bids?: unknown;
  readonly asks?: unknown;
  readonly change_price?: unknown;
  readonly change_size?: unknown;
  readonly change_side?: unknown;
  readonly best_bid?: unknown;
  readonly best_ask?: unknown;
}

/** Its own time is later than that of receiving it, and is not read. */
async function addV1(rows: HourRows, part: PartOfHour): Promise<void> {
  const { hour, within, markets, wanted } = part;
  const { file, path } = hour;
  const picked = pickedOf(part, () => true);
  rows.reserve(picked.length);
  const [types, data] = [await file.texts('update_type', within, picked), await file.texts('data', within, picked)];
  const moments = await file.numbers('timestamp_received', within, picked);
  for (const [n, row] of picked.entries()) {
    const given: Given = { path, row };
    const update = parsed(given, data[n]);
    if (typeof update !== 'object' || update === null) throw refused(given, 'has data that are no JSON object');
    const { token_id } = update as UpdateOfV1;
    const market = markets[row - within.begin] as number;
    const isSecond = outcomeOf(given, token_id, wanted.tokens[market]);
    const at = known(given, 'timestamp_received', moments[n]);
    addUpdate(rows, given, types[n], update, { at, market, isSecond });
  }
}

function addUpdate(
  rows: HourRows,
  given: Given,
  type: string | null | undefined,
  update: UpdateOfV1,
  { at, market, isSecond }: { readonly at: number; readonly market: number; readonly isSecond: boolean },
): void {
  const list = (levels: unknown) => levelsOf(given, JSON.stringify(levels ?? []));
  const best = (value: unknown) => (value === null || value === undefined ? Number.NaN : decimal(given, value));
  const add = (kind: PmxtRowKind) => rows.add(kind, at, Number.NaN, given.row, market, isSecond);
  switch (type) {
    case 'book_snapshot':
      rows.books.set(add('book'), { bids: list(update.bids), asks: list(update.asks) });
      return;
    case 'price_change': {
      const isBuy = sideOf(given, update.change_side) === 'BUY';
      const [price, shares] = [decimal(given, update.change_price), decimal(given, update.change_size)];
      rows.amounts(add('change'), isBuy, price, shares, best(update.best_bid), best(update.best_ask));
      return;
    }
    default:
      throw refused(given, `has the update_type ${JSON.stringify(type)}, which is not known here`);
  }
}
