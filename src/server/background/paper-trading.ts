import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { LeasedExchange } from '../../adapters/paper/index.js';
import { monotonic, systemTimeline } from '../../adapters/system/index.js';
import type { Lease } from '../../core/ledger/lease.js';
import type { Leases } from '../../ports/leases.js';
import { LeaseKeeper, type LeaseTimes } from './lease-keeper.js';
import { openTenure, type PaperTenure, type TenureParts } from './paper-tenure.js';

const TAPE_IS_SPENT = 'another server plays the tape from here on; start this one anew to take its turn again';

/** Where paper orders are matched is decided by a lease; these are the parts of the server that has it, or waits for it. */
export interface PaperTradingParts extends TenureParts {
  readonly leases: Leases;
  readonly times: LeaseTimes;
  /** Where clients' orders go. */
  readonly orders: LeasedExchange;
}

/**
 * Trades on paper while this server has the lease, and only then: takes over what rests when it gets the lease, and drops
 * it when the lease is lost. A tape is played by whoever has the lease, once a process.
 */
export class PaperTrading {
  readonly #keeper: LeaseKeeper;
  /** Resolves once market time goes on here: at once without a tape, else when this server plays it. */
  readonly begun: Promise<void>;
  #timeBegins = () => {};
  #tenure: { readonly lease: Lease; readonly parts: PaperTenure; readonly ended: AbortController } | null = null;
  #takingOver: Promise<Date | null> | null = null;
  #isOpen = false;
  #isSpent = false;

  constructor(private readonly parts: PaperTradingParts) {
    const { leases, times, logger } = parts;
    const owner = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
    const use = { taken: (lease: Lease) => this.#take(lease), lost: () => this.#drop() };
    const time = { timeline: systemTimeline, stopwatch: monotonic };
    this.begun = new Promise((resolve) => {
      this.#timeBegins = resolve;
    });
    this.#keeper = new LeaseKeeper(leases, { name: 'paper', owner, times }, time, use, logger);
  }

  /** True while this server has the lease, and may act on it. */
  get isOwner(): boolean {
    return this.#tenure !== null && this.#keeper.holds(this.#tenure.lease);
  }

  /** True while paper orders are taken here: by the owner, once what rested is back in its place. */
  get takesOrders(): boolean {
    return this.isOwner && this.#isOpen;
  }

  /** Why this server cannot do its part any more; null while it can. */
  get doubt(): string | null {
    return this.#isSpent ? TAPE_IS_SPENT : null;
  }

  /**
   * Takes the lease if it can be had, and puts back what rests; else waits for it while the server does everything else.
   * Tells from when a tape is played on; null without one, and where this server does not play it yet.
   * @throws what keeps a tape from being played to there; StorageUnavailable
   */
  async start(): Promise<Date | null> {
    await this.#keeper.start();
    if (this.parts.source.recorded === null) this.#timeBegins();
    return this.#takingOver;
  }

  /** What failed before is not tried again after this. */
  end(): void {
    this.#tenure?.parts.returning.end();
  }

  /** Gives the lease to whoever waits for it. What is still on its way to the record after this is refused there. */
  async close(): Promise<void> {
    await this.#keeper.stop();
    this.#drop();
  }

  #take(lease: Lease): void {
    const ended = new AbortController();
    const inHand = () => (this.#keeper.holds(lease) && !ended.signal.aborted ? lease : null);
    const parts = openTenure(this.parts, inHand, ended.signal);
    this.#tenure = { lease, parts, ended };
    this.#takingOver = this.#begin(parts, ended.signal);
    this.#takingOver.catch((error: unknown) => {
      this.parts.logger.error({ err: error }, 'could not take over the paper orders');
      this.#spend();
    });
  }

  async #begin({ exchange, returning }: PaperTenure, ended: AbortSignal): Promise<Date | null> {
    const from = await returning.start();
    this.#timeBegins();
    if (!ended.aborted) this.#route(exchange);
    return from;
  }

  #drop(): void {
    if (this.#tenure === null) return;
    const { parts, ended } = this.#tenure;
    this.#tenure = null;
    this.#route(null);
    ended.abort();
    parts.returning.end();
    parts.exchange.abandon();
    this.#spend();
  }

  #route(exchange: PaperTenure['exchange'] | null): void {
    this.#isOpen = exchange !== null;
    this.parts.orders.use(exchange);
  }

  /** What a tape has played cannot be unplayed in this process. */
  #spend(): void {
    if (this.parts.source.recorded === null || this.#isSpent) return;
    this.#isSpent = true;
    void this.#keeper.stop();
    void this.parts.source.close();
  }
}
