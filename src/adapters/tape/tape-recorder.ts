import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { MarketId } from '../../core/ids.js';
import { Book } from '../../core/market/book.js';
import type { MarketChange, MarketEvent } from '../../core/market/event.js';
import { type Market, sameMarket } from '../../core/market/market.js';
import type { Following, MarketData } from '../../ports/market-data.js';
import type { Clock } from '../../ports/system.js';
import { RECORDED } from './tape-line.js';
import { apply, type MarketState } from './tape-markets.js';
import { mendTape, TapeWriter } from './tape-writer.js';

const TICK_MS = 1000;
/** Twice as often as the format requires. */
const TICKS_TO_ALIVE = 5;
/** How many markets are described before other work gets a turn. */
const MARKETS_AT_ONCE = 64;
/** So many bytes may wait for the disk; what comes then is not recorded. */
const MOST_WAITING = 32 * 1024 * 1024;

/** The progress of a recording. */
export interface RecordingProgress {
  /** Recorded changes of markets, including gaps. */
  readonly events: number;
  readonly gaps: number;
  /** Bytes added to the file. */
  readonly bytes: number;
  /** Since the beginning, by the clock. */
  readonly seconds: number;
}

/** What to record, and where. */
export interface Recording {
  readonly markets: readonly Market[];
  readonly source: MarketData;
  /** The clock of the source's times. */
  readonly clock: Clock;
  /** The name of the venue, for the first line; that of the source when absent. */
  readonly venue?: string;
  /** Compressed when it ends in `.gz`, or when it exists and is compressed. */
  readonly out: string;
  /** Called once a second, and at the end. */
  readonly progress: (now: RecordingProgress) => void;
  readonly signal: AbortSignal;
}

/**
 * Records these markets to a tape, until the signal aborts. An existing tape is continued, after a gap of all its markets.
 * If the process is killed, the tape can be played up to about a second before.
 * @throws TapeUnreadable when the file exists and is not a tape; what the source throws; when the file cannot be written
 *
 * @example
 * ```ts
 * import type { MarketData } from 'stakeport';
 * import { systemClock } from 'stakeport/memory';
 * import { recordTape } from 'stakeport/tape';
 *
 * declare const source: MarketData;
 * const { items: markets } = await source.search({ text: 'arsenal' }, { limit: 10 });
 * const recording = { markets, source, clock: systemClock, out: 'arsenal.jsonl.gz', progress: () => {} };
 * const { events } = await recordTape({ ...recording, signal: AbortSignal.timeout(60_000) });
 * ```
 */
export async function recordTape(recording: Recording): Promise<RecordingProgress> {
  const { markets, source, clock } = recording;
  const writer = await openWriter(recording);
  const recorder = new TapeRecorder(oneFile(writer), clock);
  const followAll = async () => {
    for (const market of markets) await recorder.follow(market, source);
  };
  return runRecorder(recorder, recording, followAll, writer.closed);
}

async function openWriter({ out, clock, source, venue = source.venue }: Recording): Promise<TapeWriter> {
  const before = await mendTape(out);
  if (before === undefined) {
    const writer = new TapeWriter(out, out.endsWith('.gz') ? 'gzip' : 'none', new Date(0));
    await writer.header({ recordedAt: clock.now(), venue, source: RECORDED });
    return writer;
  }
  const writer = new TapeWriter(out, before.packing, before.at);
  const change = { type: 'gap', reason: 'the recorder was restarted' } as const;
  for (const marketId of before.markets) await writer.write({ at: clock.now(), type: 'change', marketId, change });
  return writer;
}

const oneFile = (writer: TapeWriter): TapeFiles => ({
  at: () => writer,
  get bytes() {
    return writer.bytes;
  },
  close: () => writer.close(),
});

/** Runs a recorder until the signal aborts, or the work or its files fail. @throws what fails */
export async function runRecorder(
  recorder: TapeRecorder,
  { signal, progress }: Pick<Recording, 'signal' | 'progress'>,
  work: () => Promise<void>,
  failed: Promise<void>,
): Promise<RecordingProgress> {
  const aborted: Promise<unknown> = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  void aborted.then(() => recorder.end());
  const timer = setInterval(() => {
    recorder.tick();
    progress(recorder.progress);
  }, TICK_MS);
  try {
    await Promise.race([work().then(() => aborted), aborted, failed]);
  } finally {
    clearInterval(timer);
    await recorder.close();
  }
  progress(recorder.progress);
  return recorder.progress;
}

/** Where the lines of a recording go. */
export interface TapeFiles {
  /** The file for a line of this moment: that of the line before, unless another one begins. Null while nothing is written. */
  at(moment: Date): TapeWriter | null;
  /** Bytes given to the operating system, of all files. */
  readonly bytes: number;
  /** Resolves when everything is in the files. */
  close(): Promise<void>;
}

/** Why a market has a gap where it is first described, unless nothing can have been recorded of it before. */
export const NOT_BEFORE = 'it was not recorded before';
/** Why a book is not known before the first event of its market. */
export const NOTHING_YET = 'nothing was received yet';

interface Recorded extends MarketState {
  /** True once the present file has its description and its book, as far as they are known. */
  isCurrent: boolean;
  /** Why something may be missing on the tape before what comes next; null where nothing is. */
  lost: string | null;
  /** Trades of before are on the tape already. */
  tradesFrom: number;
}

/**
 * Records markets. Each file begins with the description and the book of each of them, so that it can also be played alone. A
 * caller that does not wait for what it hands over is never held up: what the disk does not take in time is left out, as a gap.
 */
export class TapeRecorder {
  readonly #since: number;
  readonly #markets = new Map<MarketId, Recorded>();
  readonly #followings = new Map<MarketId, Following>();
  #writer: TapeWriter | null = null;
  #isDone = false;
  #isCatchingUp = false;
  #events = 0;
  #gaps = 0;
  #ticks = 0;

  constructor(
    private readonly files: TapeFiles,
    private readonly clock: Clock,
    private readonly mostWaiting = MOST_WAITING,
  ) {
    this.#since = clock.now().getTime();
  }

  get progress(): RecordingProgress {
    const seconds = Math.floor((this.clock.now().getTime() - this.#since) / 1000);
    return { events: this.#events, gaps: this.#gaps, bytes: this.files.bytes, seconds };
  }

  /** The markets that are being recorded, as they are known now. */
  get markets(): readonly Market[] {
    return [...this.#markets.values()].map(({ market }) => market);
  }

  /** Adds the market, and records all that the source says of it. @throws what the source throws */
  async follow(market: Market, source: Pick<MarketData, 'follow'>, lost: string | null = null): Promise<void> {
    if (this.#isDone) return;
    await this.add(market, lost);
    const following = await source.follow(market, (event) => this.take(market.id, event));
    if (this.#isDone || !this.#markets.has(market.id)) return following.stop();
    this.#followings.set(market.id, following);
  }

  /** Records a market from now on; `lost` is why something of it may be missing before. */
  async add(market: Market, lost: string | null = null): Promise<void> {
    const at = this.clock.now();
    const state = { market, book: new Book(), at, gap: NOTHING_YET };
    await this.#put(state, { lost, tradesFrom: 0 }, at);
  }

  /** Another source goes on with a market: this is what it has said so far. It may repeat trades of before. */
  replace(state: MarketState, lost: string): void {
    const at = this.clock.now();
    void this.#put(state, { lost, tradesFrom: at.getTime() }, at);
  }

  /** Records what happened to a market that was added. Resolves when the next event may come, for callers that can wait. */
  async take(id: MarketId, { at, ...change }: MarketEvent): Promise<void> {
    const recorded = this.#markets.get(id);
    if (recorded === undefined || this.#isDone || isSaid(recorded, change)) return;
    const writer = this.#at(at);
    const isBegun = writer !== null && (recorded.isCurrent || this.#begin(recorded, writer, at));
    const isLost = writer !== null && writer.waiting > this.mostWaiting;
    if (isLost) this.#leaveOut(recorded, writer, at);
    apply(recorded, change, at);
    if (!isBegun || isLost || (change.type === 'trade' && at.getTime() < recorded.tradesFrom)) return;
    await this.#write(writer, id, change, at);
  }

  /** Records nothing more of the market. */
  remove(id: MarketId): void {
    this.#followings.get(id)?.stop();
    this.#followings.delete(id);
    const recorded = this.#markets.get(id);
    if (recorded === undefined || !this.#markets.delete(id) || !recorded.isCurrent || this.#isDone) return;
    const at = this.clock.now();
    const writer = this.#at(at);
    if (writer !== null) void this.#write(writer, id, { type: 'gap', reason: 'it is not followed any more' }, at);
  }

  /** Call it once a second: what was written until then outlives this process, and a quiet tape shows that it goes on. */
  tick(): void {
    if (this.#isDone || (this.#markets.size === 0 && this.#writer === null)) return;
    const now = this.clock.now();
    const writer = this.#at(now);
    if (writer === null) return;
    this.#ticks += 1;
    if (this.#ticks % TICKS_TO_ALIVE === 0) void writer.write({ at: now, type: 'alive' });
    writer.flush();
    void this.#catchUp();
  }

  /** Takes nothing from now on. */
  end(): void {
    this.#isDone = true;
    for (const following of this.#followings.values()) following.stop();
    this.#followings.clear();
  }

  /** Describes what the present file does not have yet. Resolves when everything is in the files. @throws when they cannot be written */
  async close(): Promise<void> {
    const now = this.clock.now();
    for (const recorded of this.#markets.values())
      if (this.#writer !== null && !recorded.isCurrent) this.#begin(recorded, this.#writer, now);
    this.end();
    await this.files.close();
  }

  async #put(state: MarketState, how: Pick<Recorded, 'lost' | 'tradesFrom'>, at: Date): Promise<void> {
    if (this.#isDone) return;
    const writer = this.#at(at);
    const recorded = { ...state, ...how, isCurrent: false };
    this.#markets.set(state.market.id, recorded);
    if (writer !== null) this.#begin(recorded, writer, at);
  }

  /** The file of this moment. In a new one each market is described anew. */
  #at(moment: Date): TapeWriter | null {
    const writer = this.files.at(moment);
    if (writer === this.#writer) return writer;
    const isOnTime = writer !== null && this.#writer !== null;
    for (const recorded of this.#markets.values()) {
      recorded.isCurrent = false;
      if (!isOnTime) recorded.lost ??= 'nothing was recorded for a while';
    }
    this.#writer = writer;
    if (writer !== null) void setImmediate().then(() => this.#catchUp());
    return writer;
  }

  async #catchUp(): Promise<void> {
    if (this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    let described = 0;
    for (const recorded of this.#markets.values()) {
      if (recorded.isCurrent) continue;
      const now = this.clock.now();
      const writer = this.#isDone ? null : this.#at(now);
      if (writer === null || !this.#begin(recorded, writer, now)) break;
      described += 1;
      if (described % MARKETS_AT_ONCE === 0) await setImmediate();
    }
    this.#isCatchingUp = false;
  }

  /** Writes what is known of a market, unless too much waits. */
  #begin(recorded: Recorded, writer: TapeWriter, at: Date): boolean {
    if (writer.waiting > this.mostWaiting) return false;
    const { market, book, gap, lost } = recorded;
    const write = (change: MarketChange) => void this.#write(writer, market.id, change, at);
    write({ type: 'market', market });
    if (lost !== null) write({ type: 'gap', reason: lost });
    if (gap === null) write({ type: 'book', bids: book.side('bids'), asks: book.side('asks') });
    else if (lost === null && gap !== NOTHING_YET) write({ type: 'gap', reason: gap });
    recorded.isCurrent = true;
    recorded.lost = null;
    return true;
  }

  /** The line of the gap does not wait for room: a market has one until it is described anew. */
  #leaveOut(recorded: Recorded, writer: TapeWriter, at: Date): void {
    if (!recorded.isCurrent) return;
    recorded.isCurrent = false;
    void this.#write(writer, recorded.market.id, { type: 'gap', reason: 'the disk was too slow' }, at);
  }

  #write(writer: TapeWriter, marketId: MarketId, change: MarketChange, at: Date): Promise<void> {
    this.#events += 1;
    if (change.type === 'gap') this.#gaps += 1;
    return writer.write({ at, type: 'change', marketId, change });
  }
}

/** A description that says nothing new is not repeated. */
const isSaid = ({ market }: Recorded, change: MarketChange): boolean =>
  change.type === 'market' && sameMarket(market, change.market);
