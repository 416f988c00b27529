import type { MarketId, VenueName } from '../../core/ids.js';
import type { Page, Slice } from '../../core/ledger/query.js';
import type { BookView } from '../../core/market/book.js';
import type { Market } from '../../core/market/market.js';
import type { MarketQuery } from '../../core/market/query.js';
import type { Exchange } from '../../ports/exchange.js';
import type { Following, MarketData, MarketListener } from '../../ports/market-data.js';
import type { PlayedTime } from '../../ports/played-time.js';
import { type Played, withHoles } from './holes.js';
import { indexTape, type TapeIndex } from './tape-index.js';
import { TapeMarkets } from './tape-markets.js';
import { readTape } from './tape-reader.js';
import { type Speed, TapeTimeline } from './tape-timeline.js';
import { TapeWork } from './tape-work.js';

/**
 * Plays a tape: as market data, and as the time in which it happened. Events and tasks come in one order of time, an event
 * before a task of the same moment; each is waited for, so that a tape gives the same results at every speed. An order
 * placed in its time, by a listener, a task or `perform`, holds the tape until it is at the venue, and again once it is
 * answered. Until the tape first mentions a market, `find` returns what the tape says there.
 *
 * @example
 * ```ts
 * const tape = await openTape('season.jsonl.gz');
 * const stakeport = createStakeport(tape);
 * for (const market of tape.index.markets) await tape.follow(market, (event) => rule(market, event));
 * await tape.play();
 * await stakeport.close();
 * ```
 */
export class TapeMarketData implements MarketData, PlayedTime {
  readonly venue: VenueName;
  /** Itself: a tape is its own source of books and time. */
  readonly marketData: MarketData = this;
  /** Itself. */
  readonly clock: PlayedTime = this;
  /**
   * Resolves when the last line was delivered and every market got its gap; at `max`, when the tasks that were waiting then
   * are done too. Also resolves when stopped. Rejects with what a listener or a task threw, or with what is wrong with the
   * file: then the tape is stopped.
   */
  readonly ended: Promise<void>;
  readonly #markets: TapeMarkets;
  readonly #timeline: TapeTimeline;
  readonly #work = new TapeWork();
  /** Work is tracked only where it may wait for an answer. */
  #isTradedOn = false;
  /** Its time goes on after its last line as that of the machine, at every speed. */
  #isServed = false;
  #started = false;
  #stopped = false;
  #isOver = false;
  #settle: (outcome: Promise<void>) => void = () => {};

  /** Stands at the tape's first moment until it is started. */
  constructor(
    private readonly path: string,
    readonly index: TapeIndex,
    speed: Speed,
  ) {
    const pace =
      speed === 'max' ? ([1, Number.POSITIVE_INFINITY] as const) : ([speed, Number.NEGATIVE_INFINITY] as const);
    this.venue = index.venue;
    this.#timeline = new TapeTimeline(index.began.getTime(), ...pace);
    this.#markets = new TapeMarkets(index.markets, index.began);
    this.ended = new Promise<void>((resolve) => {
      this.#settle = resolve;
    });
    // Its callers get the rejection; without one it must not end the process.
    this.ended.catch(() => {});
  }

  /**
   * Begins to play, once. Moments up to `resumeFrom` are not waited for. Resolves when that moment is reached and everything
   * due by then is done. @throws what ended the tape before
   */
  async start(resumeFrom?: Date): Promise<void> {
    if (this.#started || this.#stopped) return;
    this.#started = true;
    const reached = new Promise<void>((resolve) => {
      if (resumeFrom === undefined) return resolve();
      this.#timeline.skipTo(resumeFrom.getTime());
      this.#timeline.at(resumeFrom, resolve);
    });
    this.#playOut().catch((error: unknown) => {
      this.stop();
      this.#settle(Promise.reject(error));
    });
    await Promise.race([reached, this.ended.then(() => reached)]);
  }

  /**
   * Begins to play, once: up to this moment at once, and stands there until `goOn`. After its last line, its time goes on as
   * that of the machine at every speed, so that it ends the same. Resolves as `start`. @throws what ended the tape before
   */
  async standAt(moment: Date): Promise<void> {
    this.#isServed = true;
    if (!this.#started) this.#timeline.standAt(moment.getTime());
    await this.start(moment);
  }

  /** Goes on from where it stands. */
  goOn(): void {
    this.#timeline.goOn();
  }

  /** Plays it from its beginning to its end. @throws what a listener or a task threw, or what is wrong with the file */
  async play(): Promise<void> {
    await this.start();
    await this.ended;
  }

  /** As `stop`. */
  close(): void {
    this.stop();
  }

  /** Stops once the work in progress is done: nothing more is delivered or run, and time stands still. */
  stop(): void {
    this.#stopped = true;
    this.#timeline.stop();
    if (!this.#started) this.#settle(Promise.resolve());
  }

  get began(): Date {
    return this.index.began;
  }

  now(): Date {
    return this.#timeline.now();
  }

  at(moment: Date, task: () => void | Promise<void>): () => void {
    return this.#timeline.at(moment, () => (this.#isTradedOn ? this.#work.run(task) : task()));
  }

  /** Outside work waits for its turn; while the tape does not play, nothing is waited for. */
  perform<Result>(deed: () => Promise<Result>): Promise<Result> {
    if (this.#work.isInside || !this.#isPlaying) return deed();
    return new Promise((resolve) => {
      this.at(this.now(), async () => {
        const result = deed();
        resolve(result);
        await result.catch(() => {});
      });
    });
  }

  apart(work: () => Promise<void>): Promise<void> {
    return this.#work.apart(work);
  }

  reaching(exchange: Exchange): Exchange {
    this.#isTradedOn = true;
    return {
      venue: exchange.venue,
      local: exchange.local,
      signing: exchange.signing,
      closedForMs: () => exchange.closedForMs(),
      place: (...asked) => this.#work.awaits(exchange.place(...asked)),
      cancel: (order) => this.#work.awaits(exchange.cancel(order)),
      find: (order) => exchange.find(order),
    };
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
    return this.#markets.follow(id, this.now(), (event) =>
      this.#isTradedOn ? this.#work.run(() => listener(event)) : listener(event),
    );
  }

  get #isPlaying(): boolean {
    return this.#started && !this.#stopped && !this.#isOver;
  }

  async #playOut(): Promise<void> {
    await this.#play();
    if (!this.#stopped) {
      await this.#markets.takeGap('the tape has ended', this.now());
      await this.#timeline.runOut(!this.#isServed);
      await this.#work.idle();
    }
    this.#isOver = true;
    this.#settle(Promise.resolve());
    await this.#timeline.runOn();
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
 * Reads the tape once, so that a file that cannot be played is refused before any of it is played. It plays as fast as its
 * listeners take it, unless `speed` says otherwise.
 * @throws TapeUnreadable, RangeError for an invalid speed, or an error of the file system
 *
 * @example
 * ```ts
 * import { openTape, type TapeMarketData } from 'stakeport/tape';
 *
 * const tape: TapeMarketData = await openTape('season.jsonl.gz', { speed: 60 });
 * tape.at(new Date('2026-03-01T12:00:10Z'), async () => console.log(tape.now()));
 * await tape.play();
 * ```
 */
export async function openTape(
  path: string,
  { speed = 'max' }: { readonly speed?: Speed } = {},
): Promise<TapeMarketData> {
  if (speed !== 'max' && !(speed > 0 && Number.isFinite(speed))) throw new RangeError('a speed must be above 0');
  return new TapeMarketData(path, await indexTape(path), speed);
}
