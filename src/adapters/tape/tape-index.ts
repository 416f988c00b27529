import { createHash } from 'node:crypto';
import type { MarketId, VenueName } from '../../core/ids.js';
import { type Evidence, worstEvidence } from '../../core/market/event.js';
import type { Market } from '../../core/market/market.js';
import { readLine, type TapeHeader } from './tape-line.js';
import { headerOf, isCut, lineAt, readTape, readTapeHeader, type TapeBlock, venueOf } from './tape-reader.js';
import { TapeUnreadable } from './tape-unreadable.js';
import { MOST_CHARACTERS, type TextLine, textLines } from './text-lines.js';

/** What is known of a tape before it is played. */
export interface TapeIndex {
  readonly header: TapeHeader;
  /** The venue of its markets; `none` when its first line does not hold a valid venue name. */
  readonly venue: VenueName;
  /** The moment of the first line, or of the header where there is none. */
  readonly began: Date;
  /** The moment of the last line, or of the header where there is none. */
  readonly ended: Date;
  /** The number of lines, without the header. */
  readonly lines: number;
  /** Each market as first described, in the order of the tape. */
  readonly markets: readonly Market[];
  /** What the lines of each market can prove: the least, where they are on several tapes. */
  readonly evidence: ReadonlyMap<MarketId, Evidence>;
}

/** Reads a tape once, keeping only its markets. @throws TapeUnreadable */
export async function indexTape(path: string): Promise<TapeIndex> {
  const header = await readTapeHeader(path);
  const markets = new Map<MarketId, Market>();
  let began: Date | undefined;
  let ended = header.recordedAt;
  let lines = 0;
  for await (const line of readTape(path)) {
    began ??= line.at;
    ended = line.at;
    lines += 1;
    if (line.type !== 'change' || line.change.type !== 'market' || markets.has(line.marketId)) continue;
    markets.set(line.marketId, line.change.market);
  }
  return {
    header,
    venue: venueOf(header),
    began: began ?? header.recordedAt,
    ended,
    lines,
    markets: [...markets.values()],
    evidence: evidenceOf(header, markets.keys()),
  };
}

/** What the lines of each of these markets can prove, by the header of their tape. */
export const evidenceOf = ({ source }: TapeHeader, markets: Iterable<MarketId>): TapeIndex['evidence'] =>
  new Map([...markets].map((id) => [id, source.evidence]));

/** A tape whose markets are known, and not yet whether all of its lines can be read. */
export interface ScannedTape {
  readonly path: string;
  readonly index: TapeIndex;
  /** Of the unpacked text, in hexadecimal. */
  readonly sha256: string;
  /** Whether each market stays what rules find it by, and in its set. */
  readonly isSteady: boolean;
  /** Of a file beside the tape; null where it has none. */
  readonly blocks: readonly TapeBlock[] | null;
}

/** Whether each market stays what rules find it by, and in its set, over all of these tapes. */
export function areSteady(tapes: readonly ScannedTape[]): boolean {
  const known = new Map<MarketId, string>();
  for (const market of tapes.flatMap(({ index }) => index.markets)) {
    if ((known.get(market.id) ?? foundBy(market)) !== foundBy(market)) return false;
    known.set(market.id, foundBy(market));
  }
  return tapes.every(({ isSteady }) => isSteady);
}

/**
 * Reads a tape once, and of its lines only those that describe markets, in a tenth of the time that all of them take. What is wrong
 * with another line shows when it is played. @throws TapeUnreadable
 */
export async function scanTape(path: string): Promise<ScannedTape> {
  const hash = createHash('sha256');
  const described = new Described();
  let header: TapeHeader | null = null;
  let first: TextLine | null = null;
  let last: TextLine | null = null;
  for await (const line of textLines(path, MOST_CHARACTERS, (part) => hash.update(part))) {
    if (header === null) {
      header = headerOf(line);
      continue;
    }
    if (isCut(line)) break;
    first ??= line;
    last = line;
    const market = describedIn(line);
    if (market !== null) described.take({ ...market, venue: venueOf(header) });
  }
  if (header === null) throw new TapeUnreadable(1, 'the file is empty');
  const index = {
    header,
    venue: venueOf(header),
    began: first === null ? header.recordedAt : lineAt(first, readLine).at,
    ended: last === null ? header.recordedAt : lineAt(last, readLine).at,
    lines: last === null ? 0 : last.number - 1,
    markets: [...described.markets.values()],
    evidence: evidenceOf(header, described.markets.keys()),
  };
  return { path, index, sha256: hash.digest('hex'), isSteady: described.isSteady, blocks: null };
}

/** Markets as a tape describes them first. */
export class Described {
  readonly markets = new Map<MarketId, Market>();
  /** Whether each stayed what rules find it by, and in its set. */
  isSteady = true;

  take(market: Market): void {
    const known = this.markets.get(market.id);
    if (known === undefined) this.markets.set(market.id, market);
    else this.isSteady &&= foundBy(market) === foundBy(known);
  }
}

/** By what rules find a market, and the other markets of its set. */
const foundBy = ({ sport, league, kind, event, exclusiveSet }: Market): string =>
  JSON.stringify([sport, league, kind, event?.id, event?.slug, exclusiveSet]);

/** The market that a line describes; null where it is about something else. */
function describedIn(line: TextLine): Market | null {
  if (!line.text.includes(DESCRIBES)) return null;
  const parsed = lineAt(line, readLine);
  return parsed.type === 'change' && parsed.change.type === 'market' ? parsed.change.market : null;
}

/** What every line that describes a market contains. */
const DESCRIBES = '"market":{';

/** Several tapes as one: a market is as the tape describes it first that began first. @throws TapeUnreadable for tapes of two venues */
export function joinedIndex(indexes: readonly [TapeIndex, ...TapeIndex[]]): TapeIndex {
  const [first, ...others] = indexes.toSorted(
    (a, b) => a.began.getTime() - b.began.getTime(),
  ) as (typeof indexes)[number][];
  if (first === undefined) throw new TapeUnreadable(null, 'there is no tape');
  const other = others.find(({ venue }) => venue !== first.venue);
  if (other !== undefined)
    throw new TapeUnreadable(
      null,
      `tapes of one venue are played together, and these are of ${first.venue} and ${other.venue}`,
    );
  const markets = new Map<MarketId, Market>();
  const evidence = new Map<MarketId, Evidence>();
  for (const [id, one] of [first, ...others].flatMap((index) => [...index.evidence]))
    evidence.set(id, worstEvidence([one, evidence.get(id) ?? one]));
  for (const market of [first, ...others].flatMap((index) => index.markets))
    if (!markets.has(market.id)) markets.set(market.id, market);
  return {
    header: first.header,
    venue: first.venue,
    began: first.began,
    ended: new Date(Math.max(...indexes.map(({ ended }) => ended.getTime()))),
    lines: indexes.reduce((sum, { lines }) => sum + lines, 0),
    markets: [...markets.values()],
    evidence,
  };
}
