import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { MarketId, VenueName } from '../../core/ids.js';
import type { Page, Slice } from '../../core/ledger/query.js';
import type { BookView } from '../../core/market/book.js';
import type { Evidence } from '../../core/market/event.js';
import type { Market, MarketQuery, MarketRef } from '../../core/market/market.js';
import type { ClosePrice, NoClose } from '../../core/performance/bet.js';
import type { ClosingBet } from '../../ports/close-prices.js';
import type { Exchange } from '../../ports/exchange.js';
import type { Following, FollowPlace, MarketData, MarketListener } from '../../ports/market-data.js';
import type { PlayedTime } from '../../ports/played-time.js';
import { indexTape, joinedIndex, type ScannedTape, type TapeIndex } from './tape-index.js';
import { TapeMarkets, type TapeWatch } from './tape-markets.js';
import { type PlayableTape, type Played, playedParts } from './tape-span.js';
import { type Speed, TapeTimeline } from './tape-timeline.js';

/**
 * Plays a tape: as market data, and as the time in which it happened. Events and tasks come in one order of time, an event before a task of
 * the same moment, and the gaps at its end after both; each is waited for, so that a tape gives the same results at every speed. An order
 * placed in its time, by a listener, a task or `perform`, holds the tape until it is at the venue, and again once it is answered. Until the
 * tape first mentions a market, `find` returns what the tape says there.
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
  readonly #work: TapeWork;
  /** The last moment of which lines are played, in milliseconds. */
  readonly #until: number;
  /** Work is tracked only where it may wait for an answer. */
  #isTradedOn = false;
  /** Its time goes on after its last line as that of the machine, at every speed. */
  #isServed = false;
  #started = false;
  #stopped = false;
  #isOver = false;
  #settle: (outcome: Promise<void>) => void = () => {};

  /** Stays at the tape's first moment until it is started. */
  constructor(
    private readonly tapes: readonly PlayableTape[],
    readonly index: TapeIndex,
    speed: Speed,
    private readonly span: TapeSpan = {},
  ) {
    const pace =
      speed === 'max' ? ([1, Number.POSITIVE_INFINITY] as const) : ([speed, Number.NEGATIVE_INFINITY] as const);
    this.venue = index.venue;
    this.#work = new TapeWork(span.isAlone === true);
    this.#until = span.until?.getTime() ?? Number.POSITIVE_INFINITY;
    this.#timeline = new TapeTimeline(index.began.getTime(), ...pace);
    this.#markets = new TapeMarkets(index.markets, index.began, span.watch);
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
   * Begins to play, once: up to this moment at once, and stops there until `goOn`. After its last line, its time goes on as
   * that of the machine at every speed, so that it ends the same. Resolves as `start`. @throws what ended the tape before
   */
  async standAt(moment: Date): Promise<void> {
    this.#isServed = true;
    if (!this.#started) this.#timeline.standAt(moment.getTime());
    await this.start(moment);
  }

  /** Goes on from where it stopped. */
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

  /** Stops once the work in progress is done: nothing more is delivered or run, and time stops. */
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

  every(ms: number, task: () => Promise<void>, isNeeded?: () => boolean): () => void {
    return this.#timeline.every(ms, () => (this.#isTradedOn ? this.#work.run(task) : task()), isNeeded);
  }

  /** Runs work from outside as a task of the tape, or at once while the tape does not play. */
  perform<Result>(action: () => Promise<Result>): Promise<Result> {
    if (this.#work.isInside || !this.#isPlaying) return action();
    return new Promise((resolve) => {
      this.at(this.now(), async () => {
        const result = action();
        resolve(result);
        await result.catch(() => {});
      });
    });
  }

  inBackground(work: () => Promise<void>): Promise<void> {
    return this.#work.inBackground(work);
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

  /** Whether a market so far has one net position. */
  nets(): boolean {
    return this.#markets.nets;
  }

  async book({ id }: Market): Promise<BookView | undefined> {
    return this.#markets.view(id);
  }

  closeOf(bet: ClosingBet): ClosePrice | NoClose {
    return bet.venue === this.venue ? this.#markets.closeOf(bet, this.now()) : 'not_started';
  }

  evidenceOf({ marketId }: MarketRef): Evidence {
    return this.index.evidence.get(marketId) ?? this.index.header.source.evidence;
  }

  follow({ id }: Market, listener: MarketListener, place?: FollowPlace): Promise<Following> {
    const take: MarketListener = (event) =>
      this.#isTradedOn ? this.#work.join(() => listener(event)) : listener(event);
    return this.#markets.follow(id, this.now(), take, place);
  }

  get #isPlaying(): boolean {
    return this.#started && !this.#stopped && !this.#isOver;
  }

  async #playOut(): Promise<void> {
    await this.#play();
    // What is decided at the last moment is not to depend on what follows: before a later line, too, this is run.
    if (!this.#stopped) await this.#timeline.runDue();
    if (!this.#stopped) {
      await this.#deliver(() => this.#markets.takeGap('the tape has ended', this.now()));
      await this.span.atEnd?.();
      await this.#timeline.runOut(!this.#isServed);
      await this.#work.idle();
    }
    this.#isOver = true;
    this.#settle(Promise.resolve());
    await this.#timeline.runOn();
  }

  async #play(): Promise<void> {
    for await (const part of playedParts(this.tapes, { markets: this.span.markets }))
      for (const played of part) {
        const playing = this.#playOne(played);
        if (playing !== undefined) await playing;
        if (this.#stopped || this.#isPast(played)) return;
      }
  }

  #isPast({ at }: Played): boolean {
    return at.getTime() > this.#until;
  }

  /** Undefined where nothing has to be waited for: most lines change nothing that anybody waits for. */
  #playOne(played: Played): Promise<void> | undefined {
    const reaching = this.#timeline.reach(Math.min(played.at.getTime(), this.#until));
    if (this.#isPast(played)) return reaching;
    return reaching === undefined ? this.#handOver(played) : reaching.then(() => this.#handOver(played));
  }

  #handOver(played: Played): Promise<void> | undefined {
    const { type, at } = played;
    if (this.#stopped || type === 'alive') return undefined;
    if (type === 'change') return this.#deliver(() => this.#markets.take(played.marketId, played.change, at));
    return this.#deliver(() => this.#markets.takeHole('nothing was recorded for 30 seconds', at, played.markets));
  }

  /** Where others may act on the tape too, each of its listeners is work by itself. */
  #deliver(give: () => Promise<void> | undefined): Promise<void> | undefined {
    return this.#isTradedOn && this.span.isAlone === true ? this.#work.run(give) : give();
  }
}

/** What is played of tapes, and who learns of it. */
export interface TapeSpan {
  /** The last moment of which lines are played. */
  readonly until?: Date | undefined;
  readonly watch?: TapeWatch | undefined;
  /** Called once every market has its last gap, before tasks of later moments. */
  readonly atEnd?: (() => Promise<void>) | undefined;
  /** Whether nothing calls what trades on the tape but its own work. */
  readonly isAlone?: boolean | undefined;
  /** The markets whose changes are played; those of others may be left out, but for how they are described. By default all. */
  readonly markets?: ReadonlySet<MarketId> | null | undefined;
}

/**
 * Reads the tape once, so that a file that cannot be played is refused before any of it is played. It plays as fast as its
 * listeners take it, unless `speed` says otherwise. Several tapes of one venue are one: their lines come in one order of time, and a
 * market is the same in all of them.
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
  path: string | readonly [string, ...string[]],
  { speed = 'max' }: { readonly speed?: Speed } = {},
): Promise<TapeMarketData> {
  if (speed !== 'max' && !(speed > 0 && Number.isFinite(speed))) throw new RangeError('a speed must be above 0');
  const [first, ...others] = typeof path === 'string' ? [path] : path;
  const indexes: [TapeIndex, ...TapeIndex[]] = [await indexTape(first)];
  for (const other of others) indexes.push(await indexTape(other));
  return new TapeMarketData([first, ...others], joinedIndex(indexes), speed);
}

/** Tapes that were scanned, at full speed. @throws TapeUnreadable */
export function playScanned(tapes: readonly [ScannedTape, ...ScannedTape[]], span: TapeSpan): TapeMarketData {
  const [first, ...others] = tapes;
  const index = joinedIndex([first.index, ...others.map((one) => one.index)]);
  return new TapeMarketData(tapes, index, 'max', span);
}

/**
 * What a tape waits for: its listeners, its tasks and the orders placed in its time. Work that waits for the answer to an
 * order does not hold it, since the tape must go on for the answer to come; once it is there, the tape waits again.
 */
class TapeWork {
  /** Null where everything that happens is work of the tape: then nobody has to ask. */
  readonly #inside: AsyncLocalStorage<true> | null;
  #running = 0;
  #awaiting = 0;
  #waiters: (() => void)[] = [];
  #failure: { readonly error: unknown } | null = null;

  constructor(isAlone: boolean) {
    this.#inside = isAlone ? null : new AsyncLocalStorage();
  }

  /** True inside of work that is waited for. */
  get isInside(): boolean {
    return this.#inside === null || this.#inside.getStore() === true;
  }

  /** Resolves once no work runs; undefined where none does. @throws what any work threw so far */
  run(work: () => void | Promise<void>): Promise<void> | undefined {
    this.#begin(work);
    return this.#isIdle ? undefined : this.idle();
  }

  /** As part of the work that runs, or as work of its own where none of it calls. */
  join(work: () => void | Promise<void>): void | Promise<void> {
    return this.isInside ? work() : this.run(work);
  }

  /** Starts work that counts by itself: it may wait for the answer to an order while its caller still has others to place. */
  async inBackground(work: () => Promise<void>): Promise<void> {
    this.#begin(work);
  }

  /** Resolves once no work runs. @throws what any work threw so far */
  async idle(): Promise<void> {
    do {
      if (this.#running > 0) await new Promise<void>((resolve) => this.#waiters.push(resolve));
      // The caller that got an answer by this work continues some promises later.
      if (this.#awaiting > 0) await setImmediate();
    } while (this.#running > 0);
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Returns the same answer; work waiting for it no longer counts as running once the request has arrived. */
  async awaits<Answer>(answer: Promise<Answer>): Promise<Answer> {
    if (!this.isInside) return answer;
    let [isAnswered, isAwaited] = [false, false];
    // The exchange takes it in some promises later, and before it waits for anything but the tape.
    void setImmediate().then(() => {
      if (isAnswered) return;
      isAwaited = true;
      this.#awaiting += 1;
      this.#ends();
    });
    return answer.finally(() => {
      isAnswered = true;
      if (!isAwaited) return;
      this.#awaiting -= 1;
      this.#running += 1;
    });
  }

  get #isIdle(): boolean {
    return this.#running === 0 && this.#awaiting === 0 && this.#failure === null;
  }

  #begin(work: () => void | Promise<void>): void {
    this.#running += 1;
    const fails = (error: unknown) => {
      this.#failure ??= { error };
    };
    try {
      const done = this.#inside === null ? work() : this.#inside.run(true, work);
      if (done instanceof Promise) return void done.catch(fails).finally(() => this.#ends());
    } catch (error) {
      fails(error);
    }
    this.#ends();
  }

  #ends(): void {
    this.#running -= 1;
    if (this.#running > 0) return;
    for (const wake of this.#waiters.splice(0)) wake();
  }
}
