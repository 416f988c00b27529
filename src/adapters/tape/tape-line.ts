import * as v from 'valibot';
import type { MarketId } from '../../core/ids.js';
import { EVIDENCE, type Evidence, type Level, type LevelChange, type MarketChange } from '../../core/market/event.js';
import type { PriceBand } from '../../core/market/market.js';
import { formatMicro, type Price } from '../../core/money.js';
import { LAST_MOMENT, momentField, nullableText, priceField, sharesField, wholeField, words } from './fields.js';
import { bandOut, bands, marketIdField, marketLine, marketLineOf } from './market-line.js';

/** The version of the format that is written, and the newest one that is read. */
export const TAPE_VERSION = 2;
/** The first one: its tapes were all written by the recorder. */
const FIRST_VERSION = 1;

/** Where the lines of a tape come from, and what they can prove. */
export interface TapeSource {
  readonly evidence: Evidence;
  /** Who recorded or sold it: `stakeport` for what the recorder received. */
  readonly vendor: string;
  readonly version: string | null;
  /** The licence under which the vendor gives it. */
  readonly licence: string | null;
  /** Whose moments `t` are: when it was received, when the venue made it, or when a block of a chain was. */
  readonly clock: (typeof CLOCKS)[number];
  /** Whether markets are described as they were then, or as they were when the tape was made. */
  readonly metadata: (typeof METADATA)[number];
}

/** The content of the first line of a tape. */
export interface TapeHeader {
  /** Of the format. */
  readonly version: number;
  readonly recordedAt: Date;
  readonly venue: string;
  readonly source: TapeSource;
}

/** What a new tape begins with. */
export type FirstLine = Omit<TapeHeader, 'version'>;

/** What the recorder receives; all that tapes of version 1 hold. */
export const RECORDED: TapeSource = {
  evidence: 'l2',
  vendor: 'stakeport',
  version: null,
  licence: null,
  clock: 'received',
  metadata: 'as_of_then',
};

const CLOCKS = ['received', 'source', 'block'] as const;
const METADATA = ['as_of_then', 'as_of_now'] as const;

const source = v.strictObject({
  evidence: v.picklist(EVIDENCE),
  vendor: v.pipe(words, v.minLength(1)),
  version: nullableText,
  licence: nullableText,
  clock: v.picklist(CLOCKS),
  metadata: v.picklist(METADATA),
});

/** The content of one line: a change of one market, or only that the recorder was alive. */
export type TapeLine = { readonly at: Date } & (
  | { readonly type: 'change'; readonly marketId: MarketId; readonly change: MarketChange }
  | { readonly type: 'alive' }
);

const levels = v.array(
  v.pipe(
    v.strictTuple([priceField, sharesField]),
    v.transform(([at, total]): Level => ({ price: at, shares: total })),
  ),
);
const change = v.pipe(
  v.strictTuple([v.picklist(['bids', 'asks']), priceField, sharesField]),
  v.transform(([side, at, total]) => ({ side, price: at, shares: total })),
);

const t = v.pipe(
  wholeField,
  v.maxValue(LAST_MOMENT, 'must be a moment before the year 10000'),
  v.transform((ms) => new Date(ms)),
);
const ofMarket = { t, m: marketIdField };

/** The forms of a line, by the member that only such lines have. */
export const LINES = {
  market: v.strictObject({ t, market: marketLine }),
  book: v.strictObject({ ...ofMarket, book: v.strictObject({ bids: levels, asks: levels }) }),
  levels: v.strictObject({ ...ofMarket, levels: v.array(change) }),
  mid: v.strictObject({ ...ofMarket, mid: priceField }),
  trade: v.strictObject({ ...ofMarket, trade: v.strictTuple([priceField, sharesField, v.picklist(['BUY', 'SELL'])]) }),
  tick: v.strictObject({ ...ofMarket, tick: priceField, bands: v.optional(bands) }),
  gap: v.strictObject({ ...ofMarket, gap: words }),
  alive: v.strictObject({ t, alive: v.literal(true) }),
};

/** Reads any line but the first. @throws TypeError that says what is wrong with it */
export function readLine(text: string): TapeLine {
  const raw = jsonObject(text);
  if (Object.hasOwn(raw, 'book')) return read(LINES.book, raw, ({ book }) => ({ type: 'book', ...book }));
  if (Object.hasOwn(raw, 'levels'))
    return read(LINES.levels, raw, ({ levels: changes }) => ({ type: 'levels', changes }));
  if (Object.hasOwn(raw, 'trade')) {
    return read(LINES.trade, raw, ({ trade }) => ({
      type: 'trade',
      price: trade[0],
      shares: trade[1],
      taker: trade[2],
    }));
  }
  if (Object.hasOwn(raw, 'market')) {
    const line = parsed(LINES.market, raw);
    return { at: line.t, type: 'change', marketId: line.market.id, change: { type: 'market', market: line.market } };
  }
  if (Object.hasOwn(raw, 'mid')) return read(LINES.mid, raw, ({ mid }) => ({ type: 'mid', price: mid }));
  if (Object.hasOwn(raw, 'tick')) return read(LINES.tick, raw, gridOf);
  if (Object.hasOwn(raw, 'gap')) return read(LINES.gap, raw, ({ gap }) => ({ type: 'gap', reason: gap }));
  return { at: parsed(LINES.alive, raw).t, type: 'alive' };
}

/** Reads the first line. @throws TypeError that says why this is not a tape, or not one that can be played */
export function readHeader(text: string): TapeHeader {
  const raw: { stakeport_tape?: unknown } = jsonObject(text);
  const version = raw.stakeport_tape;
  if (typeof version === 'number' && version > TAPE_VERSION) {
    throw new TypeError(
      `the tape is of version ${version}, and the newest that can be played is ${TAPE_VERSION}: update stakeport`,
    );
  }
  const begins = { recorded_at: momentField, venue: words };
  if (version === FIRST_VERSION) {
    const { recorded_at, venue } = parsed(v.strictObject({ stakeport_tape: v.literal(FIRST_VERSION), ...begins }), raw);
    return { version, recordedAt: recorded_at, venue, source: RECORDED };
  }
  const read = parsed(v.strictObject({ stakeport_tape: v.literal(TAPE_VERSION), ...begins, source }), raw);
  return { version: read.stakeport_tape, recordedAt: read.recorded_at, venue: read.venue, source: read.source };
}

/** The first line of a tape, without its end; always of the newest version. */
export function headerText({ recordedAt, venue, source: { evidence, vendor, ...of } }: FirstLine): string {
  const { version, licence, clock, metadata } = of;
  const from: v.InferInput<typeof source> = { evidence, vendor, version, licence, clock, metadata };
  return JSON.stringify({ stakeport_tape: TAPE_VERSION, recorded_at: recordedAt.toISOString(), venue, source: from });
}

/** A line of a tape, without its end; `readLine` gives back the same. */
export function lineText(line: TapeLine): string {
  const at = { t: line.at.getTime() };
  if (line.type === 'alive') return JSON.stringify({ ...at, alive: true });
  // Most lines are these. The id of a market needs no escape, by its form.
  if (line.change.type === 'levels') return levelsText(line.at.getTime(), line.marketId, line.change.changes);
  if (line.change.type === 'market') return JSON.stringify({ ...at, market: marketLineOf(line.change.market) });
  return JSON.stringify({ ...at, m: line.marketId, ...changeOut(line.change) });
}

function levelsText(t: number, m: MarketId, changes: readonly LevelChange[]): string {
  const list = changes.map(({ side, price, shares }) => `["${side}","${formatMicro(price)}","${formatMicro(shares)}"]`);
  return `{"t":${t},"m":"${m}","levels":[${list.join(',')}]}`;
}

function changeOut(change: Exclude<MarketChange, { type: 'market' | 'levels' }>) {
  switch (change.type) {
    case 'book':
      return { book: { bids: change.bids.map(levelOut), asks: change.asks.map(levelOut) } };
    case 'trade':
      return { trade: [...levelOut(change), change.taker] };
    case 'mid':
      return { mid: formatMicro(change.price) };
    case 'tick':
      return {
        tick: formatMicro(change.tick),
        ...(change.bands !== undefined && { bands: change.bands.map(bandOut) }),
      };
    case 'gap':
      return { gap: change.reason };
  }
}

const gridOf = ({ tick, bands: priceBands }: { tick: Price; bands?: PriceBand[] | undefined }): MarketChange => ({
  type: 'tick',
  tick,
  ...(priceBands !== undefined && { bands: priceBands }),
});

const levelOut = (level: Level): [string, string] => [formatMicro(level.price), formatMicro(level.shares)];

function read<Out extends { t: Date; m: MarketId }>(
  schema: v.GenericSchema<unknown, Out>,
  raw: object,
  changeOf: (line: Out) => MarketChange,
): TapeLine {
  const line = parsed(schema, raw);
  return { at: line.t, type: 'change', marketId: line.m, change: changeOf(line) };
}

function parsed<Out>(schema: v.GenericSchema<unknown, Out>, raw: object): Out {
  const result = v.safeParse(schema, raw, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new TypeError(`${placeOf(issue)}: ${issue.message}`);
}

/** A name that is not plain is quoted, as it stands in the file. */
function placeOf(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue) ?? 'it';
  return /^[\w.]+$/.test(path) ? path : JSON.stringify(path);
}

function jsonObject(text: string): object {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw new TypeError('is not JSON');
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new TypeError('is not a JSON object');
  return raw;
}
