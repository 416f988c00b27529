import type { MarketId, VenueName } from '../../core/ids.js';
import type { Market } from '../../core/market/market.js';
import type { TapeHeader } from './tape-line.js';
import { readTape, readTapeHeader, venueOf } from './tape-reader.js';

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
  };
}
