import type { MarketId } from '../../core/ids.js';
import type { TapeLine } from './tape-line.js';
import { tapeParts } from './tape-reader.js';
import { TapeUnreadable } from './tape-unreadable.js';

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

/**
 * What is played of these tapes, in one order of time; a line of an earlier tape of the list comes first. It comes in parts, whose lines
 * are read when they are asked for. Where markets are given, changes of others may be left out. @throws TapeUnreadable
 */
export async function* playedParts(
  paths: readonly string[],
  markets: ReadonlySet<MarketId> | null = null,
): AsyncGenerator<Iterable<Played>> {
  const [first, ...others] = paths;
  if (first === undefined || others.length > 0) {
    for await (const played of merged(paths, markets)) yield [played];
    return;
  }
  const holes = new HoleFinder();
  for await (const lines of tapeParts(first, markets)) yield holes.within(lines);
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
  readonly #lines: AsyncIterator<TapeLine>;

  constructor(
    private readonly path: string,
    markets: ReadonlySet<MarketId> | null,
  ) {
    this.#lines = linesOf(path, markets);
  }

  async advance(): Promise<void> {
    const { value, done } = await this.#lines.next().catch((error: unknown) => {
      if (error instanceof TapeUnreadable) error.path = this.path;
      throw error;
    });
    this.next = done === true ? null : value;
  }

  async close(): Promise<void> {
    await this.#lines.return?.();
  }
}

async function* linesOf(path: string, markets: ReadonlySet<MarketId> | null): AsyncGenerator<TapeLine> {
  for await (const lines of tapeParts(path, markets)) yield* lines;
}

async function* merged(paths: readonly string[], markets: ReadonlySet<MarketId> | null): AsyncGenerator<Played> {
  const parts = paths.map((path) => new Part(path, markets));
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
