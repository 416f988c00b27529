import { once } from 'node:events';
import type { MarketEvent } from '../../core/market/event.js';
import type { Market } from '../../core/market/market.js';
import type { Following, MarketData } from '../../ports/market-data.js';
import type { Clock } from '../../ports/system.js';
import { mendTape } from './mend-tape.js';
import { TapeWriter } from './tape-writer.js';

const TICK_MS = 1000;
/** Twice as often as the format requires. */
const TICKS_TO_ALIVE = 5;

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
 * import { systemClock } from 'stakeport/system';
 * import { recordTape } from 'stakeport/tape';
 *
 * declare const source: MarketData;
 * const { items: markets } = await source.search({ text: 'arsenal' }, { limit: 10 });
 * const recording = { markets, source, clock: systemClock, out: 'arsenal.jsonl.gz', progress: () => {} };
 * const { events } = await recordTape({ ...recording, signal: AbortSignal.timeout(60_000) });
 * ```
 */
export async function recordTape(recording: Recording): Promise<RecordingProgress> {
  const recorder = new Recorder(recording, await openWriter(recording));
  return recorder.run();
}

async function openWriter({ out, clock, source, venue = source.venue }: Recording): Promise<TapeWriter> {
  const before = await mendTape(out);
  if (before === undefined) {
    const writer = new TapeWriter(out, out.endsWith('.gz'), new Date(0));
    await writer.header({ recordedAt: clock.now(), venue });
    return writer;
  }
  const writer = new TapeWriter(out, before.compressed, before.at);
  const change = { type: 'gap', reason: 'the recorder was restarted' } as const;
  for (const marketId of before.markets) await writer.write({ at: clock.now(), type: 'change', marketId, change });
  return writer;
}

class Recorder {
  readonly #since: number;
  readonly #followings: Following[] = [];
  #done = false;
  #events = 0;
  #gaps = 0;
  #ticks = 0;

  constructor(
    private readonly recording: Recording,
    private readonly writer: TapeWriter,
  ) {
    this.#since = recording.clock.now().getTime();
  }

  async run(): Promise<RecordingProgress> {
    const { signal, progress } = this.recording;
    const aborted: Promise<unknown> = signal.aborted ? Promise.resolve() : once(signal, 'abort');
    const timer = setInterval(() => this.#tick(), TICK_MS);
    try {
      await Promise.race([this.#followAll().then(() => aborted), aborted, this.writer.closed]);
    } finally {
      clearInterval(timer);
      this.#done = true;
      for (const following of this.#followings) following.stop();
      await this.writer.close();
    }
    progress(this.#progress());
    return this.#progress();
  }

  async #followAll(): Promise<void> {
    const { markets, source, clock } = this.recording;
    for (const market of markets) {
      if (this.#isOver) return;
      await this.#take(market, { type: 'market', market, at: clock.now() });
      const following = await source.follow(market, (event) => this.#take(market, event));
      this.#followings.push(following);
      if (this.#isOver) following.stop();
    }
  }

  async #take({ id }: Market, { at, ...change }: MarketEvent): Promise<void> {
    if (this.#isOver) return;
    this.#events += 1;
    if (change.type === 'gap') this.#gaps += 1;
    await this.writer.write({ at, type: 'change', marketId: id, change });
  }

  get #isOver(): boolean {
    return this.#done || this.recording.signal.aborted;
  }

  #tick(): void {
    this.#ticks += 1;
    if (this.#ticks % TICKS_TO_ALIVE === 0) void this.writer.write({ at: this.recording.clock.now(), type: 'alive' });
    this.writer.flush();
    this.recording.progress(this.#progress());
  }

  #progress(): RecordingProgress {
    const seconds = Math.floor((this.recording.clock.now().getTime() - this.#since) / 1000);
    return { events: this.#events, gaps: this.#gaps, bytes: this.writer.bytes, seconds };
  }
}
