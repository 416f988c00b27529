import type { MarketId } from '../../core/ids.js';
import type { Page, Slice } from '../../core/ledger/query.js';
import type { BookView } from '../../core/market/book.js';
import type { Market } from '../../core/market/market.js';
import type { MarketQuery } from '../../core/market/query.js';
import type { Following, MarketData, MarketListener } from '../../ports/market-data.js';
import type { Timeline } from '../../ports/system.js';
import { type Played, withHoles } from './holes.js';
import { indexTape, type TapeIndex } from './tape-index.js';
import { TapeMarkets } from './tape-markets.js';
import { readTape } from './tape-reader.js';
import { type Speed, TapeTimeline } from './tape-timeline.js';

/**
 * Plays a tape: as market data, and as the time in which it happened. Events and tasks come in one order of time, an
 * event before a task of the same moment; each is waited for, so that a tape gives the same at every speed.
 * Until the tape first mentions a market, `find` tells what it says there.
 */
export class TapeMarketData implements MarketData, Timeline {
  /**
   * Resolves when the last line was handed over and every market got its gap; at `max`, when the tasks that were
   * waiting then are done too. Resolves as well when stopped. Rejects with what a listener or a task threw, or with what
   * is wrong with the file: then the tape is stopped.
   */
  readonly ended: Promise<void>;
  readonly #markets: TapeMarkets;
  readonly #timeline: TapeTimeline;
  #started = false;
  #stopped = false;
  #settle: (outcome: Promise<void>) => void = () => {};

  /** Stands at the tape's first moment until it is started. */
  constructor(
    private readonly path: string,
    readonly index: TapeIndex,
    speed: Speed,
  ) {
    const pace =
      speed === 'max' ? ([1, Number.POSITIVE_INFINITY] as const) : ([speed, Number.NEGATIVE_INFINITY] as const);
    this.#timeline = new TapeTimeline(index.began.getTime(), ...pace);
    this.#markets = new TapeMarkets(index.markets, index.began);
    this.ended = new Promise<void>((resolve) => {
      this.#settle = resolve;
    });
    // Who waits for it is told; who does not must not lose the process for it.
    this.ended.catch(() => {});
  }

  /**
   * Begins to play, once. What happened up to `resumeFrom` is not waited for. Resolves when that moment is reached, with all
   * that is due by then done. @throws what ended the tape before
   */
  async start(resumeFrom?: Date): Promise<void> {
    if (this.#started || this.#stopped) return;
    this.#started = true;
    const reached = new Promise<void>((resolve) => {
      if (resumeFrom === undefined) return resolve();
      this.#timeline.skipTo(resumeFrom.getTime());
      this.#timeline.at(resumeFrom, resolve);
    });
    this.#run().catch((error: unknown) => {
      this.stop();
      this.#settle(Promise.reject(error));
    });
    await Promise.race([reached, this.ended.then(() => reached)]);
  }

  /** Nothing is handed over or run after what is under way; time stands still. */
  stop(): void {
    this.#stopped = true;
    this.#timeline.stop();
    if (!this.#started) this.#settle(Promise.resolve());
  }

  now(): Date {
    return this.#timeline.now();
  }

  at(moment: Date, task: () => void | Promise<void>): () => void {
    return this.#timeline.at(moment, task);
  }

  async find(id: MarketId): Promise<Market | undefined> {
    return this.#markets.find(id);
  }

  search(query: MarketQuery, page: Page<string>): Promise<Slice<Market, string>> {
    return this.#markets.search(query, page);
  }

  /** The sports of its markets; null where none of them has one. */
  sports(): readonly string[] | null {
    return this.#markets.sports();
  }

  async book({ id }: Market): Promise<BookView | undefined> {
    return this.#markets.view(id);
  }

  follow({ id }: Market, listener: MarketListener): Promise<Following> {
    return this.#markets.follow(id, this.now(), listener);
  }

  async #run(): Promise<void> {
    await this.#play();
    if (!this.#stopped) {
      await this.#markets.takeGap('the tape has ended', this.now());
      await this.#timeline.runOut();
    }
    this.#settle(Promise.resolve());
    await this.#timeline.goOn();
  }

  async #play(): Promise<void> {
    for await (const played of withHoles(readTape(this.path))) {
      if (!(await this.#timeline.reach(played.at.getTime()))) return;
      await this.#handOver(played);
      if (this.#stopped) return;
    }
  }

  async #handOver(played: Played): Promise<void> {
    if (played.type === 'change') await this.#markets.take(played.marketId, played.change, played.at);
    if (played.type === 'hole') await this.#markets.takeGap('nothing was recorded for 30 seconds', played.at);
  }
}

/**
 * Reads the tape once, so that a file that cannot be played is refused before anything is played of it.
 * @throws TapeUnreadable, RangeError for a speed that is none, or what the file system says
 */
export async function openTape(path: string, { speed }: { readonly speed: Speed }): Promise<TapeMarketData> {
  if (speed !== 'max' && !(speed > 0 && Number.isFinite(speed))) throw new RangeError('a speed must be above 0');
  return new TapeMarketData(path, await indexTape(path), speed);
}
