import type { LeasedExchange } from '../../adapters/paper/index.js';
import { monotonic, nextTurn, systemTimeline } from '../../adapters/system/index.js';
import { isPlayed } from '../../core/concurrency/repeat.js';
import type { Lease } from '../../core/ledger/lease.js';
import type { Exchange } from '../../ports/exchange.js';
import type { Leases } from '../../ports/leases.js';
import type { Precedence } from '../wiring/precedence.js';
import { ALONE_THERE, LeaseKeeper, type LeaseTimes } from './lease-keeper.js';
import { type LeasedPaper, type LeasedPaperParts, openLeasedPaper } from './leased-paper.js';

const TAPE_IS_SPENT = 'another server plays the tape now; restart this one so that it can take over again';

/** A lease decides which server matches paper orders; these are the parts of a server that has it or waits for it. */
export interface PaperTradingParts extends LeasedPaperParts {
  readonly leases: Leases;
  readonly times: LeaseTimes;
  /** Where clients' orders go. */
  readonly orders: LeasedExchange;
  readonly precedence: Precedence;
  /** Called once an order of a client has reached its exchange. */
  readonly asked?: () => void;
}

/**
 * Trades on paper only while this server has the lease: takes over the resting orders when it gets the lease, and drops them
 * when it loses it. The owner of the lease plays the tape, once per process.
 */
export class PaperTrading {
  readonly #keeper: LeaseKeeper;
  /** Resolves once market time runs here: at once without a tape, else when this server plays it. */
  readonly begun: Promise<void>;
  #timeBegins = () => {};
  #leased: { readonly lease: Lease; readonly parts: LeasedPaper; readonly ended: AbortController } | null = null;
  #takingOver: Promise<Date | null> | null = null;
  #isOpen = false;
  #isSpent = false;

  constructor(private readonly parts: PaperTradingParts) {
    const { leases, times, logger, precedence } = parts;
    const { owner } = precedence.program;
    const taken = (lease: Lease) => this.#take(lease);
    const use = { taken, lost: () => this.#drop(), yields: () => this.#yields() };
    const time = { timeline: systemTimeline, stopwatch: monotonic };
    this.begun = new Promise((resolve) => {
      this.#timeBegins = resolve;
    });
    this.#keeper = new LeaseKeeper(leases, { name: 'paper', owner, times }, time, use, logger);
  }

  /** True while this server has the lease, and may act on it. */
  get isOwner(): boolean {
    return this.#leased !== null && this.#keeper.holds(this.#leased.lease);
  }

  /** True while this server takes paper orders: it owns the lease and has restored the resting orders. */
  get takesOrders(): boolean {
    return this.isOwner && this.#isOpen;
  }

  /** Where strategies decide: on this server, on another one, or, here, not at all: `AUTOMATION=off`, or a newer version is at work. */
  get automation(): 'here' | 'elsewhere' | 'off' | 'outdated' {
    const { program, outdated } = this.parts.precedence;
    if (!program.automates) return 'off';
    if (outdated !== null) return 'outdated';
    return this.takesOrders ? 'here' : 'elsewhere';
  }

  /** Resolves once orders that were in flight are processed, or after a few seconds. */
  get recovered(): Promise<void> {
    return this.#leased?.parts.returning.recovered ?? Promise.resolve();
  }

  /** Why this server can no longer trade on paper; null while it can. */
  get doubt(): string | null {
    return this.#isSpent ? TAPE_IS_SPENT : null;
  }

  /**
   * Takes the lease if it is free, and restores the resting orders; else waits for it while the server does everything else.
   * Returns from when a tape is played on; null without one, and where this server does not play it yet.
   * @throws what prevents playing a tape up to there; StorageUnavailable
   */
  async start(): Promise<Date | null> {
    await this.#keeper.start();
    if (this.parts.source.recorded === null) this.#timeBegins();
    return this.#takingOver;
  }

  /** Ends the retries. */
  end(): void {
    this.#leased?.parts.returning.end();
  }

  /** Releases the lease. The store refuses anything still being written after this. */
  async close(): Promise<void> {
    await this.#keeper.stop();
    this.#drop();
    const { precedence, times, logger } = this.parts;
    if (times === ALONE_THERE) return;
    await precedence.leave().catch((error: unknown) => {
      logger.warn({ err: error }, 'could not take this server off the list of servers; its entry expires');
    });
  }

  /** Whether another server should act for the paper venue, as it decides for strategies. */
  async #yields(): Promise<boolean> {
    const { precedence, times, source, logger } = this.parts;
    if (times === ALONE_THERE) return false;
    const before = precedence.outdated;
    const yields = await precedence.look(times.lastsMs);
    const { outdated } = precedence;
    if (outdated !== null && before === null) logger.warn(`${outdated}: this server decides nothing for strategies`);
    if (outdated === null && before !== null) logger.warn('no newer version is at work: this server decides again');
    // A tape that was begun cannot be handed over.
    return yields && source.recorded === null;
  }

  #take(lease: Lease): void {
    const ended = new AbortController();
    const inHand = () => (this.#keeper.holds(lease) && !ended.signal.aborted ? lease : null);
    const parts = openLeasedPaper(this.parts, inHand, ended.signal);
    this.#leased = { lease, parts, ended };
    this.#takingOver = this.#begin(parts, ended.signal);
    this.#takingOver.catch((error: unknown) => {
      this.parts.logger.error({ err: error }, 'could not take over the paper orders');
      this.#spend();
    });
  }

  async #begin({ exchange, returning }: LeasedPaper, ended: AbortSignal): Promise<Date | null> {
    const from = await returning.start();
    this.#timeBegins();
    if (!ended.aborted) this.#route(exchange);
    return from;
  }

  #drop(): void {
    if (this.#leased === null) return;
    const { parts, ended } = this.#leased;
    this.#leased = null;
    this.#route(null);
    ended.abort();
    parts.returning.end();
    parts.exchange.abandon();
    this.#spend();
  }

  #route(exchange: LeasedPaper['exchange'] | null): void {
    this.#isOpen = exchange !== null;
    const { timeline } = this.parts.source;
    this.parts.orders.use(
      exchange !== null && isPlayed(timeline) ? this.#asking(timeline.reaching(exchange)) : exchange,
    );
  }

  /** An exchange that reports when an order has arrived: the answer to it may need the tape to go on. */
  #asking(exchange: Exchange): Exchange {
    const { asked = () => {} } = this.parts;
    const place: Exchange['place'] = (...order) => {
      // The exchange takes it in some promises later.
      void nextTurn().then(asked);
      return exchange.place(...order);
    };
    return { ...exchange, place };
  }

  /** A tape cannot be rewound within a process. */
  #spend(): void {
    if (this.parts.source.recorded === null || this.#isSpent) return;
    this.#isSpent = true;
    void this.#keeper.stop();
    void this.parts.source.close();
  }
}
