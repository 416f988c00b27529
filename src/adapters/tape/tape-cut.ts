import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { MarketId } from '../../core/ids.js';
import { Book, isCrossed } from '../../core/market/book.js';
import type { MarketChange } from '../../core/market/event.js';
import type { Market } from '../../core/market/market.js';
import { packingNamed, zstdMissing } from './packing.js';
import { indexedTape } from './tape-index-file.js';
import type { FirstLine, TapeHeader, TapeLine } from './tape-line.js';
import { apply, type MarketState } from './tape-markets.js';
import { readTapeHeader } from './tape-reader.js';
import { type Hole, type PlayableTape, playedParts } from './tape-span.js';
import { Reached, type TapeProgress } from './tape-survey.js';
import { TapeUnreadable } from './tape-unreadable.js';
import { TapeWriter } from './tape-writer.js';

/** How often a tape says at least that its recorder was running. */
const ALIVE_MS = 10_000;
const PART = '.part';

/** Tapes that cannot be made into the one that was asked for: the message says what to do. */
export class TapeRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TapeRefused';
  }
}

/** What is kept of a tape. */
export interface TapeCut {
  /** The first moment; that of the first line when absent. */
  readonly from?: Date | undefined;
  /** The last moment; that of the last line when absent. */
  readonly to?: Date | undefined;
  /** The ids, slugs or numbers of the markets; all when absent. */
  readonly markets?: readonly string[] | undefined;
}

/** What was written. */
export interface WrittenTape {
  readonly lines: number;
  readonly markets: number;
}

type OnProgress = (reached: TapeProgress) => void;

/**
 * Writes a part of a tape into a new one, which plays alone: it begins with what was known of its markets then. Where lines of other
 * markets are left out, `alive` takes their place, so that the silences of both tapes are the same.
 * @throws TapeUnreadable, TapeRefused for a part without a market, or a file that exists
 */
export async function cutTape(
  path: string,
  out: string,
  cut: TapeCut = {},
  onProgress: OnProgress = () => {},
): Promise<WrittenTape> {
  const header = await readTapeHeader(path);
  const { tape, markets } = await readingOf(path, cut);
  return written(out, header, async (writer) => {
    const cutting = new Cutting(writer, cut);
    try {
      await cutting.all(tape, markets, onProgress);
    } catch (error) {
      // What cannot be read after the part that is kept is of no concern.
      if (!(error instanceof TapeUnreadable && cutting.isAtEnd)) throw error;
    }
    await cutting.end();
    if (cutting.markets.size > 0) return cutting.markets.size;
    const all = cut.markets === undefined ? 'no market in this time' : `none of the markets ${cut.markets.join(', ')}`;
    throw new TapeRefused(`${path}: the tape has ${all}: stakeport tape info says what it holds.`);
  });
}

/** What of a tape has to be read: where it has an index, what its markets need. */
async function readingOf(path: string, { markets: names }: TapeCut) {
  const found = names === undefined ? null : await indexedTape(path);
  if (names === undefined || found === null || found === 'stale') return { tape: path, markets: null };
  return { tape: found, markets: new Set(found.index.markets.filter(isNamed(names)).map(({ id }) => id)) };
}

const isNamed =
  (names: readonly string[]) =>
  ({ id, slug, venueId }: Market): boolean =>
    [id, slug, venueId].some((name) => name !== null && names.includes(name));

class Cutting {
  /** Those whose lines are kept. */
  readonly markets = new Map<MarketId, MarketState>();
  readonly #others = new Set<MarketId>();
  #isBegun = false;
  /** When the last line was, and the last that was kept, in milliseconds. */
  #seen = Number.NEGATIVE_INFINITY;
  #kept = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly writer: TapeWriter,
    private readonly cut: TapeCut,
  ) {}

  /** True once no line that follows can be one that is kept, but of the same moment. */
  get isAtEnd(): boolean {
    return this.cut.to !== undefined && this.#seen >= this.cut.to.getTime();
  }

  async all(tape: PlayableTape, markets: ReadonlySet<MarketId> | null, onProgress: OnProgress): Promise<void> {
    const reached = new Reached(onProgress);
    for await (const part of playedParts([tape], { markets, onRead: reached.onRead }))
      for (const played of part) {
        if (this.cut.to !== undefined && played.at > this.cut.to) return;
        if (played.type === 'hole') this.#hole(played);
        else await this.#line(played);
        reached.line(played);
      }
  }

  /** Says that it was recorded up to its last moment. */
  async end(): Promise<void> {
    // Nothing is left of a tape that ended before.
    if (!this.#isBegun) this.markets.clear();
    else if (this.#seen > this.#kept) await this.#alive(this.#seen);
  }

  #hole({ at }: Hole): void {
    if (!this.#isBegun) for (const state of this.markets.values()) apply(state, { type: 'gap', reason: SILENCE }, at);
  }

  async #line(line: TapeLine): Promise<void> {
    const { from } = this.cut;
    const now = line.at.getTime();
    const isFirst = this.#seen === Number.NEGATIVE_INFINITY;
    if (!this.#isBegun && (from === undefined || line.at >= from))
      await this.#begin(isFirst ? line.at : (from ?? line.at));
    if (this.#isBegun && now - this.#kept > ALIVE_MS && this.#seen > this.#kept) await this.#alive(this.#seen);
    this.#seen = now;
    if (line.type === 'alive') return;
    const state = this.#stateOf(line);
    if (state === null) return;
    if (!this.#isBegun) return apply(state, line.change, line.at);
    await this.writer.write(line);
    this.#kept = now;
  }

  /** Null of a market that is left out. */
  #stateOf({ marketId, change, at }: Extract<TapeLine, { type: 'change' }>): MarketState | null {
    const known = this.markets.get(marketId);
    if (known !== undefined || change.type !== 'market' || this.#others.has(marketId)) return known ?? null;
    const { id } = change.market;
    const { markets } = this.cut;
    if (markets !== undefined && !isNamed(markets)(change.market)) {
      this.#others.add(id);
      return null;
    }
    const state = { market: change.market, book: new Book(), at, gap: NOTHING };
    this.markets.set(id, state);
    return state;
  }

  /** Writes what is known by then. */
  async #begin(at: Date): Promise<void> {
    this.#isBegun = true;
    this.#seen = at.getTime();
    for (const [marketId, { market, book, gap, mid }] of this.markets) {
      const write = (change: MarketChange) => this.writer.write({ at, type: 'change', marketId, change });
      await write({ type: 'market', market });
      if (gap === null) await write({ type: 'book', bids: book.side('bids'), asks: book.side('asks') });
      else if (gap !== NOTHING && mid === undefined) await write({ type: 'gap', reason: gap });
      if (mid !== undefined) await write({ type: 'mid', price: mid });
    }
    await this.#alive(at.getTime());
  }

  async #alive(ms: number): Promise<void> {
    await this.writer.write({ at: new Date(ms), type: 'alive' });
    this.#kept = ms;
  }
}

const SILENCE = 'nothing was recorded for 30 seconds';
const NOTHING = 'nothing was received yet';

/**
 * Writes several tapes of one venue and source into one, in order of time; of one moment, in the order of the list. Where one of them is
 * silent, its markets have a gap. @throws TapeUnreadable, TapeRefused for tapes of two sources, or a file that exists
 */
export async function mergeTapes(
  paths: readonly [string, ...string[]],
  out: string,
  onProgress: OnProgress = () => {},
): Promise<WrittenTape> {
  const headers: TapeHeader[] = [];
  for (const path of paths) headers.push(await headerAt(path));
  const [first] = headers as [TapeHeader];
  for (const [at, header] of headers.entries()) refuseOther(header, first, paths[at] ?? '', paths[0]);
  const recordedAt = new Date(Math.min(...headers.map((header) => header.recordedAt.getTime())));
  return written(out, { ...first, recordedAt }, async (writer) => {
    const merging = new Merging(writer);
    const reached = new Reached(onProgress);
    for await (const part of playedParts(paths, { onRead: reached.onRead }))
      for (const played of part) {
        reached.line(played);
        await (played.type === 'hole' ? merging.hole(played) : merging.line(played));
      }
    return merging.markets;
  });
}

class Merging {
  /** True of markets whose book is known. */
  readonly #isKnown = new Map<MarketId, boolean>();

  constructor(private readonly writer: TapeWriter) {}

  get markets(): number {
    return this.#isKnown.size;
  }

  async hole({ at, markets = [...this.#isKnown.keys()] }: Hole): Promise<void> {
    for (const id of markets) {
      if (this.#isKnown.get(id) === true) await this.writer.write(silence(id, at));
      this.#isKnown.set(id, false);
    }
  }

  async line(line: TapeLine): Promise<void> {
    if (line.type === 'change')
      this.#isKnown.set(line.marketId, isKnownAfter(line.change, this.#isKnown.get(line.marketId)));
    await this.writer.write(line);
  }
}

const silence = (marketId: MarketId, at: Date): TapeLine => ({
  at,
  type: 'change',
  marketId,
  change: { type: 'gap', reason: SILENCE },
});

function isKnownAfter(change: MarketChange, before = false): boolean {
  if (change.type === 'book') return !isCrossed(change);
  return change.type === 'gap' ? false : before;
}

function headerAt(path: string): Promise<TapeHeader> {
  return readTapeHeader(path).catch((error: unknown) => {
    if (error instanceof TapeUnreadable) error.path = path;
    throw error;
  });
}

function refuseOther(header: TapeHeader, first: TapeHeader, path: string, firstPath: string): void {
  const other = (['evidence', 'vendor', 'version', 'licence', 'clock', 'metadata'] as const).find(
    (name) => header.source[name] !== first.source[name],
  );
  if (other === undefined && header.venue === first.venue) return;
  const [one, two] =
    other === undefined ? [first.venue, header.venue] : [`${first.source[other]}`, `${header.source[other]}`];
  throw new TapeRefused(
    `${path} is of another ${other ?? 'venue'} (${two}) than ${firstPath} (${one}): one tape is of one source. Give a backtest both, it takes several tapes.`,
  );
}

/** Writes a new tape, which has its name only once it is whole. */
async function written(
  out: string,
  header: FirstLine,
  work: (writer: TapeWriter) => Promise<number>,
): Promise<WrittenTape> {
  if (existsSync(out)) throw new TapeRefused(`${out} exists already: name a new file, so that no tape is lost.`);
  const packing = packingNamed(out);
  if (packing === 'zstd' && zstdMissing() !== null)
    throw new TapeRefused(`${out} cannot be written: ${zstdMissing()}.`);
  const writer = new TapeWriter(`${out}${PART}`, packing, new Date(0), 'w');
  try {
    await writer.header(header);
    const markets = await Promise.race([work(writer), writer.closed.then(() => 0)]);
    await writer.close();
    await rename(`${out}${PART}`, out);
    return { lines: writer.lines, markets };
  } catch (error) {
    await writer.close().catch(() => {});
    await rm(`${out}${PART}`, { force: true });
    throw error;
  }
}
