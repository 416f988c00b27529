import type { Level, LevelChange } from '../../core/market/event.js';
import { isAmount, ONE, type Price, parseMicro, type Shares } from '../../core/money.js';
import { ImportRefused } from './import-refused.js';
import { type ColumnValues, type ParquetColumns, ParquetFile, type RowGroupRows } from './parquet-file.js';
import type { StatedBest } from './rebuilt-book.js';

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

const ALIVE_MS = 10_000;

/** A file of the archive, and which time it covers. */
export interface HourFile {
  readonly path: string;
  readonly version: PmxtVersion;
  readonly file: ParquetFile;
  readonly began: number;
  readonly ended: number;
}

/** One row of a market that is wanted. */
export interface Row {
  readonly at: number;
  readonly source: number | null;
  readonly row: number;
  /** The place of its market among those wanted. */
  readonly market: number;
  readonly isSecond: boolean;
  readonly what: RowContent;
}

/** What a row says of the outcome that it is about. */
export type RowContent =
  | { readonly type: 'book'; readonly bids: readonly Level[]; readonly asks: readonly Level[] }
  | { readonly type: 'change'; readonly change: LevelChange; readonly stated: StatedBest }
  | {
      readonly type: 'trade';
      readonly price: Price;
      readonly shares: Shares;
      readonly taker: 'BUY' | 'SELL';
      readonly hash: string | null;
    }
  | { readonly type: 'tick'; readonly tick: Price };

/** Whose rows are wanted, and what they are called. */
export interface ArchivedMarkets {
  readonly ids: ReadonlyMap<string, number>;
  readonly tokens: readonly (readonly [first: string, second: string])[];
}

/** Opens a file, and finds which time its rows cover. @throws ImportRefused */
export async function openHour(path: string): Promise<HourFile> {
  const { file, schema } = await ParquetFile.open(path, SCHEMAS);
  if (file.rowCount === 0) throw new ImportRefused(path, 'has no rows');
  let [began, ended] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [group, rows] of file.groups.entries()) {
    const [least, most] = file.range('timestamp_received', group) ?? (await boundsOf(file, rows));
    began = Math.min(began, Number(least));
    ended = Math.max(ended, Number(most));
  }
  return { path, version: schema, file, began, ended };
}

async function boundsOf(file: ParquetFile, rows: RowGroupRows): Promise<readonly [number, number]> {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const at of await file.column<number>('timestamp_received', rows)) {
    least = Math.min(least, at ?? least);
    most = Math.max(most, at ?? most);
  }
  return [least, most];
}

/** The rows of the wanted markets in one file, in the order of the file, and moments at which anything was written. */
export async function readHour(
  hour: HourFile,
  wanted: ArchivedMarkets,
): Promise<{ readonly rows: Row[]; readonly alive: readonly number[] }> {
  const { file, version } = hour;
  const market = version === 'v2' ? 'market' : 'market_id';
  const rows: Row[] = [];
  const needed = file.groups.flatMap((group, at) => (mayHold(file.range(market, at), wanted) ? [group] : []));
  for (const group of needed) {
    const ids = await file.column<string>(market, group);
    const picked = ids.flatMap((id, at) => (id !== null && wanted.ids.has(id) ? [group.begin + at] : []));
    const [first, last] = [picked[0], picked.at(-1)];
    if (first === undefined || last === undefined) continue;
    const values: Record<string, ColumnValues> = {};
    for (const name of COLUMNS[version])
      values[name] = await file.column(name, { begin: first, end: last + 1 }, picked);
    const places = picked.map((row) => wanted.ids.get(ids[row - group.begin] ?? '') ?? 0);
    const parser = version === 'v2' ? rowOfV2 : rowOfV1;
    for (const [at, row] of picked.entries()) {
      const market = places[at] as number;
      const given: Given = {
        path: file.path,
        row,
        market,
        tokens: wanted.tokens[market] ?? ['', ''],
        value: (name) => values[name]?.[at] ?? null,
      };
      rows.push(parser(given));
    }
  }
  return { rows, alive: await pulses(file, needed) };
}

/** What is read of each schema beside the market. */
const COLUMNS: Readonly<Record<PmxtVersion, readonly string[]>> = {
  v2: Object.keys(SCHEMAS.v2).filter((name) => !['market', 'fee_rate_bps', 'old_tick_size'].includes(name)),
  v1: ['timestamp_received', 'update_type', 'data'],
};

/** Whether rows of a wanted market can lie between these bounds. */
function mayHold(bounds: readonly [unknown, unknown] | null, { ids }: ArchivedMarkets): boolean {
  if (bounds === null) return true;
  const [least, most] = bounds.map(String) as [string, string];
  return [...ids.keys()].some((id) => id >= least && id <= most);
}

/** The last moment of each ten seconds in which the largest of these parts has a row: rows are sorted by market, and span the hour. */
async function pulses(file: ParquetFile, needed: readonly RowGroupRows[]): Promise<readonly number[]> {
  const sizeOf = ({ begin, end }: RowGroupRows) => end - begin;
  const [largest] = (needed.length > 0 ? [...needed] : [...file.groups]).sort((a, b) => sizeOf(b) - sizeOf(a));
  const newest = new Map<number, number>();
  for (const at of largest === undefined ? [] : await file.column<number>('timestamp_received', largest)) {
    if (at === null) continue;
    const pulse = Math.floor(at / ALIVE_MS);
    newest.set(pulse, Math.max(newest.get(pulse) ?? at, at));
  }
  return [...newest.values()].sort((a, b) => a - b);
}

/** A row as it stands in its file. */
interface Given {
  readonly path: string;
  readonly row: number;
  readonly market: number;
  readonly tokens: readonly [first: string, second: string];
  value(column: string): unknown;
}

function rowOfV2(given: Given): Row {
  const at = moment(given, 'timestamp_received');
  const isSecond = outcomeOf(given, given.value('asset_id'));
  const source = given.value('timestamp') as number | null;
  return { at, source, row: given.row, market: given.market, isSecond, what: contentOfV2(given) };
}

function contentOfV2(given: Given): RowContent {
  const type = given.value('event_type');
  switch (type) {
    case 'book':
      return { type, bids: levelsOf(given, given.value('bids')), asks: levelsOf(given, given.value('asks')) };
    case 'price_change': {
      const side = sideOf(given, given.value('side')) === 'BUY' ? 'bids' : 'asks';
      const stated = { bid: given.value('best_bid') as bigint | null, ask: given.value('best_ask') as bigint | null };
      return {
        type: 'change',
        change: { side, price: amount(given, 'price') as Price, shares: amount(given, 'size') as Shares },
        stated,
      };
    }
    case 'last_trade_price':
      return {
        type: 'trade',
        price: inside(given, amount(given, 'price')),
        shares: amount(given, 'size') as Shares,
        taker: sideOf(given, given.value('side')),
        hash: given.value('transaction_hash') as string | null,
      };
    case 'tick_size_change':
      return { type: 'tick', tick: inside(given, amount(given, 'new_tick_size')) };
    default:
      throw refused(given, `has the event_type ${JSON.stringify(type)}, which is not known here`);
  }
}

const refused = ({ path, row }: Given, reason: string): ImportRefused => new ImportRefused(path, reason, row);

function moment(given: Given, column: string): number {
  const at = given.value(column);
  if (typeof at === 'number') return at;
  throw refused(given, `has no ${column}`);
}

function amount(given: Given, column: string): bigint {
  const micro = given.value(column);
  if (typeof micro === 'bigint' && micro >= 0n && isAmount(micro)) return micro;
  throw refused(given, `has ${micro === null ? 'no' : 'an impossible'} ${column}`);
}

function inside(given: Given, micro: bigint): Price {
  if (micro > 0n && micro < ONE) return micro as Price;
  throw refused(given, 'has a price that is not between 0 and 1');
}

function sideOf(given: Given, side: unknown): 'BUY' | 'SELL' {
  if (side === 'BUY' || side === 'SELL') return side;
  throw refused(given, `has the side ${JSON.stringify(side)}: BUY or SELL is known here`);
}

/** Whether the row is about the second outcome. */
function outcomeOf(given: Given, token: unknown): boolean {
  const [first, second] = given.tokens;
  if (token === first) return false;
  if (token === second) return true;
  throw refused(
    given,
    `is about the token ${JSON.stringify(token)}, which is neither outcome of its market in the file of --meta: fetch that file again`,
  );
}

/** Levels as JSON has them, without a double on the way. */
function levelsOf(given: Given, json: unknown): readonly Level[] {
  const pairs = parsed(given, json);
  if (!Array.isArray(pairs)) throw refused(given, 'has a book whose levels are no list');
  return pairs.map((pair) => {
    if (!Array.isArray(pair) || pair.length !== 2)
      throw refused(given, 'has a level that is no pair of price and size');
    return { price: decimal(given, pair[0]) as Price, shares: decimal(given, pair[1]) as Shares };
  });
}

function parsed(given: Given, json: unknown): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    throw refused(given, 'has JSON that is damaged: fetch the file again');
  }
}

/** A number of JSON is written by its shortest digits, which are those it was written with. */
function decimal(given: Given, value: unknown): bigint {
  try {
    return parseMicro(String(value));
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
function rowOfV1(given: Given): Row {
  const update = parsed(given, given.value('data'));
  if (typeof update !== 'object' || update === null) throw refused(given, 'has data that are no JSON object');
  const { market, row } = given;
  const isSecond = outcomeOf(given, (update as UpdateOfV1).token_id);
  return {
    at: moment(given, 'timestamp_received'),
    source: null,
    row,
    market,
    isSecond,
    what: contentOfV1(given, update),
  };
}

function contentOfV1(given: Given, update: UpdateOfV1): RowContent {
  const type = given.value('update_type');
  const list = (levels: unknown) => levelsOf(given, JSON.stringify(levels ?? []));
  const best = (value: unknown) => (value === null || value === undefined ? null : decimal(given, value));
  switch (type) {
    case 'book_snapshot':
      return { type: 'book', bids: list(update.bids), asks: list(update.asks) };
    case 'price_change': {
      const side = sideOf(given, update.change_side) === 'BUY' ? 'bids' : 'asks';
      const change = {
        side,
        price: decimal(given, update.change_price) as Price,
        shares: decimal(given, update.change_size) as Shares,
      } as const;
      return { type: 'change', change, stated: { bid: best(update.best_bid), ask: best(update.best_ask) } };
    }
    default:
      throw refused(given, `has the update_type ${JSON.stringify(type)}, which is not known here`);
  }
}

/** What is said of the second outcome, in terms of the first. */
export function inFirstOutcome(what: RowContent): RowContent {
  const turned = <At extends { readonly price: Price }>(level: At): At => ({
    ...level,
    price: (ONE - level.price) as Price,
  });
  const other = (price: bigint | null) => (price === null ? null : ONE - price);
  switch (what.type) {
    case 'book':
      return { type: 'book', bids: what.asks.map(turned), asks: what.bids.map(turned) };
    case 'change': {
      const { change, stated } = what;
      const side = change.side === 'bids' ? 'asks' : 'bids';
      return {
        ...what,
        change: { ...turned(change), side },
        stated: { bid: other(stated.ask), ask: other(stated.bid) },
      };
    }
    case 'trade':
      return { ...turned(what), taker: what.taker === 'BUY' ? 'SELL' : 'BUY' };
    case 'tick':
      return what;
  }
}

/** Whether two rows say the same. */
export function isEqual(a: RowContent, b: RowContent): boolean {
  const text = (content: RowContent) =>
    JSON.stringify(content, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
  return a.type === b.type && text(a) === text(b);
}
