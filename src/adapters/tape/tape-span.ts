import type { MarketId } from '../../core/ids.js';
import type { TapeLine } from './tape-line.js';
import { type TapeBlock, type TapeReading, tapeParts } from './tape-reader.js';
import { type OnRead, TapeUnreadable } from './tape-unreadable.js';

/** How long a recorder may be silent. It writes a line every ten seconds even when nothing happens. */
const LONGEST_SILENCE_MS = 30_000;

/** Where nothing was recorded; without `markets`, of any market. */
export interface Hole {
  readonly type: 'hole';
  readonly at: Date;
  readonly markets?: readonly MarketId[];
}

/** A step of the playback: a line of a tape, or a hole. */
export type Played = TapeLine | Hole;

/** A tape that is played: its path, with what is known of its blocks where it has an index. */
export type PlayableTape = string | { readonly path: string; readonly blocks: readonly TapeBlock[] | null };

const known = (tape: PlayableTape) => (typeof tape === 'string' ? { path: tape, blocks: null } : tape);

/** Which lines of tapes are played, and who follows how much of their files is read. */
type Playing = Pick<TapeReading, 'markets' | 'onRead'>;

/**
 * What is played of these tapes, in one order of time; a line of an earlier tape of the list comes first. It comes in parts, whose lines
 * are read when they are asked for. Where markets are given, changes of others may be left out. @throws TapeUnreadable
 */
export async function* playedParts(
  tapes: readonly PlayableTape[],
  playing: Playing = {},
): AsyncGenerator<Iterable<Played>> {
  const [first, ...others] = tapes;
  if (first === undefined || others.length > 0) {
    for await (const played of merged(tapes, playing)) yield [played];
    return;
  }
  const holes = new HoleFinder();
  const { path, blocks } = known(first);
  for await (const lines of tapeParts(path, { ...playing, blocks })) yield holes.within(lines);
}

/** Inserts a hole when no line came for longer than the longest silence: at the end of that silence. */
class HoleFinder {
  #newest: number | undefined;

  *within(lines: Iterable<TapeLine>): Generator<Played> {
    for (const line of lines) {
      const now = line.at.getTime();
      const silentUntil = (this.#newest ?? now) + LONGEST_SILENCE_MS;
      if (now > silentUntil) yield { type: 'hole', at: new Date(silentUntil) };
      this.#newest = now;
      yield line;
    }
  }
}

/** A tape that is played with others. */
class Part {
  /** The line that comes next; null after the last one. */
  next: TapeLine | null = null;
  /** Until when its markets are known, unless another line comes; infinite before the first line, and in a hole. */
  silentFrom = Number.POSITIVE_INFINITY;
  readonly #path: string;
  readonly #lines: AsyncIterator<TapeLine>;

  constructor(tape: PlayableTape, reading: Playing) {
    const { path, blocks } = known(tape);
    this.#path = path;
    this.#lines = linesOf(path, { ...reading, blocks });
  }

  async advance(): Promise<void> {
    const { value, done } = await this.#lines.next().catch((error: unknown) => {
      if (error instanceof TapeUnreadable) error.path = this.#path;
      throw error;
    });
    this.next = done === true ? null : value;
  }

  async close(): Promise<void> {
    await this.#lines.return?.();
  }
}

async function* linesOf(path: string, reading: TapeReading): AsyncGenerator<TapeLine> {
  for await (const lines of tapeParts(path, reading)) yield* lines;
}

/** Follows how much of several files together is read. */
function together(onRead: OnRead): (file: number) => OnRead {
  const files = new Map<number, readonly [read: number, size: number]>();
  return (file) => (read, size) => {
    files.set(file, [read, size]);
    const sum = (which: 0 | 1) => [...files.values()].reduce((total, one) => total + one[which], 0);
    onRead(sum(0), sum(1));
  };
}

async function* merged(
  tapes: readonly PlayableTape[],
  { markets, onRead = () => {} }: Playing,
): AsyncGenerator<Played> {
  const reads = together(onRead);
  const parts = tapes.map((tape, at) => new Part(tape, { markets, onRead: reads(at) }));
  /** The tape that last said something of a market: its silence is a hole there. */
  const source = new Map<MarketId, Part>();
  try {
    for (const part of parts) await part.advance();
    for (let part = earliest(parts); part !== null; part = earliest(parts)) {
      const { next } = part;
      if (next === null) return;
      yield* holesBefore(next.at.getTime(), parts, source);
      part.silentFrom = next.at.getTime() + LONGEST_SILENCE_MS;
      if (next.type === 'change') source.set(next.marketId, part);
      yield next;
      await part.advance();
    }
  } finally {
    for (const part of parts) await part.close();
  }
}

function earliest(parts: readonly Part[]): Part | null {
  let first: Part | null = null;
  for (const part of parts) {
    if (part.next === null) continue;
    if (first?.next == null || part.next.at < first.next.at) first = part;
  }
  return first;
}

/** The holes that begin before this moment, in order of time. */
function* holesBefore(moment: number, parts: readonly Part[], source: ReadonlyMap<MarketId, Part>): Generator<Hole> {
  const silent = parts.filter(({ silentFrom }) => silentFrom < moment);
  for (const part of silent.sort((a, b) => a.silentFrom - b.silentFrom)) {
    const markets = [...source].flatMap(([id, from]) => (from === part ? [id] : []));
    yield { type: 'hole', at: new Date(part.silentFrom), markets };
    part.silentFrom = Number.POSITIVE_INFINITY;
  }
}
