import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { repeat } from '../../core/concurrency/repeat.js';
import type { OrderId } from '../../core/ids.js';
import { type Page, slices } from '../../core/ledger/query.js';
import type { Order } from '../../core/order/order.js';
import type { Reconciliation } from '../../core/order/reconciliation.js';
import type { LookAfterOrders } from '../../core/usecases/orders/background/look-after-orders.js';
import type { ReconcileOrders } from '../../core/usecases/orders/background/reconcile-orders.js';
import type { Bookmarks, Ledger } from '../../ports/ledger.js';
import type { Timeline } from '../../ports/system.js';
import type { MassStatus, VenueWallet } from '../../ports/venue-adapter.js';
import { CommandFailed, EXIT } from '../failures/exit.js';
import type { LiveVenue } from '../wiring/live-venue.js';

const SWEEP_EVERY_MS = 30_000;
const SWEEP_AGAIN_MS = 1000;
const LOOK_AFTER_EVERY_MS = 1000;
/** How far a sweep looks back beyond the one before: late bookings of the venue and differences between clocks. */
const OVERLAP_MS = 600_000;
/** How far back the first sweep of a wallet reads. */
const FIRST_LOOK_MS = 24 * 60 * 60 * 1000;
const MOST_MESSAGES = 1000;
const END_WITHIN_MS = 5000;
/** After this, new orders are refused: ten sweeps have failed. */
const MOST_SECONDS_UNSWEPT = 300;

const SWEEPING = 'reconcile the orders on record with the venue';
const LOOKING_AFTER = 'process the orders in flight to the venue';
const TAKING = 'process what the venue reported';

/** What the background work of live trading needs. */
export interface LiveWorkParts {
  readonly reconcile: Pick<ReconcileOrders, 'execute' | 'take'>;
  readonly lookAfter: Pick<LookAfterOrders, 'execute'>;
  readonly ledger: Pick<Ledger, 'listVenueOrders'>;
  readonly bookmarks: Bookmarks;
}

/**
 * Keeps the record of orders with real money equal to the venue's: sweeps at the start, every 30 seconds and after each
 * gap in its stream, processes its messages, and resolves orders whose outcome is not on record.
 */
export class LiveWork {
  readonly #log: LiveLog;
  readonly #bookmark: string;
  #ended = false;
  #unknown: readonly Order[] | null = null;
  #startedAt = Number.NaN;
  #sweptAt = Number.NaN;
  /** Whether a gap came since the last sweep began. */
  #missed = false;
  #wake = () => {};
  #endLookingAfter = () => {};
  #sweeps: Promise<void> = Promise.resolve();
  #lookingAfter: Promise<void> = Promise.resolve();
  #messages: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(
    private readonly venue: LiveVenue,
    private readonly use: LiveWorkParts,
    private readonly timeline: Timeline,
    private readonly logger: Logger,
  ) {
    this.#log = new LiveLog(logger);
    this.#bookmark = `reconciled ${venue.exchange.venue} ${venue.wallet.address}`;
  }

  /**
   * Resolves once a complete sweep and then the orders in flight are done, however long the venue's answers stay
   * incomplete; until then nothing is sent. Continues in the background.
   * @throws when ended before, or when the orders on record belong to another wallet
   */
  async start(): Promise<void> {
    const foreign = await otherWallet(this.use.ledger, this.venue.wallet);
    if (foreign !== null) throw new CommandFailed(foreign, EXIT.config);
    this.#startedAt = this.timeline.now().getTime();
    this.venue.withholdWhile(() => this.isStale);
    this.venue.listen({ received: (massStatus) => this.#received(massStatus), gap: () => this.#gap() });
    return new Promise((ready, reject) => {
      this.#sweeps = this.#run(ready).then(() => reject(new Error('The start was aborted.')));
    });
  }

  /** Orders in an unknown state at the last sweep; NaN before the first. */
  get unknownOrders(): number {
    return this.#unknown?.length ?? Number.NaN;
  }

  /** Those orders. */
  get unknown(): readonly Order[] {
    return this.#unknown ?? [];
  }

  get venueName(): string {
    return this.venue.exchange.venue;
  }

  /** Time since the last complete sweep began; NaN before the first. */
  get sinceSweepSeconds(): number {
    return (this.timeline.now().getTime() - this.#sweptAt) / 1000;
  }

  /** True once the last complete sweep is too old to rely on. */
  get isStale(): boolean {
    return this.sinceSweepSeconds > MOST_SECONDS_UNSWEPT;
  }

  /** True once the last complete sweep, or the start before any, is too long ago. */
  get isLate(): boolean {
    const since = Number.isNaN(this.#sweptAt) ? this.#startedAt : this.#sweptAt;
    return (this.timeline.now().getTime() - since) / 1000 > MOST_SECONDS_UNSWEPT;
  }

  /** Takes up nothing new. */
  end(): void {
    this.#ended = true;
    this.#endLookingAfter();
    this.#wake();
  }

  /** Waits up to five seconds for the work in progress, then up to five more to disconnect from the venue. */
  async close(): Promise<void> {
    this.end();
    await soon(Promise.all([this.#sweeps, this.#lookingAfter, this.#messages]));
    await soon(this.venue.close());
  }

  async #run(ready: () => void): Promise<void> {
    let isReady = false;
    for (;;) {
      const complete = await this.#sweep();
      if (this.#ended) return;
      if (complete && !isReady) {
        await this.#lookAfter();
        this.#endLookingAfter = repeat(this.timeline, LOOK_AFTER_EVERY_MS, () => this.#lookAfter());
        isReady = true;
        ready();
      }
      await this.#pause(complete ? SWEEP_EVERY_MS : SWEEP_AGAIN_MS);
      if (this.#ended) return;
    }
  }

  async #sweep(): Promise<boolean> {
    this.#missed = false;
    try {
      const began = this.timeline.now();
      const found = await this.use.reconcile.execute(await this.#since(began));
      this.#log.reconciled(found);
      if (found.complete) {
        // The bookmark stays when a read failed: the next sweep starts from the same time.
        if (found.unread === null) await this.use.bookmarks.setBookmark(this.#bookmark, began);
        this.#sweptAt = began.getTime();
      }
      if (!found.complete)
        this.#log.failed(SWEEPING, new Error(found.unread ?? 'Not every order could be reconciled.'));
      this.#unknown = await this.#findUnknown();
      this.#log.unknown(this.#unknown);
      if (found.complete) this.#log.worked(SWEEPING);
      return found.complete;
    } catch (error) {
      this.#log.failed(SWEEPING, error);
      return false;
    }
  }

  async #since(now: Date): Promise<Date> {
    const swept = await this.use.bookmarks.findBookmark(this.#bookmark);
    return swept === undefined ? before(now, FIRST_LOOK_MS) : before(swept, OVERLAP_MS);
  }

  async #findUnknown(): Promise<readonly Order[]> {
    const found: Order[] = [];
    const own = { paper: false, venue: this.venue.exchange.venue, working: true } as const;
    const read = (page: Page<OrderId>) => this.use.ledger.listVenueOrders(own, page);
    for await (const orders of slices(read, ({ id }) => id)) {
      found.push(...orders.filter(({ state }) => state === 'unknown'));
    }
    return found;
  }

  #lookAfter(): Promise<void> {
    this.#lookingAfter = this.#guarded(LOOKING_AFTER, async () => {
      const orders = await this.use.lookAfter.execute();
      if (orders > 0) this.logger.info({ orders }, 'processed orders with real money');
    });
    return this.#lookingAfter;
  }

  /** In the order of arrival. Too many at once count as a gap. */
  #received(massStatus: MassStatus): void {
    if (this.#waiting >= MOST_MESSAGES) {
      this.#gap();
      return;
    }
    this.#waiting += 1;
    this.#messages = this.#messages.then(async () => {
      this.#waiting -= 1;
      if (!this.#ended) await this.#guarded(TAKING, () => this.#take(massStatus));
    });
  }

  async #take(massStatus: MassStatus): Promise<void> {
    const found: Reconciliation = await this.use.reconcile.take(massStatus).catch((error: unknown) => {
      this.#gap();
      throw error;
    });
    this.#log.reconciled(found);
    if (!found.complete) this.#gap();
  }

  #gap(): void {
    this.#missed = true;
    this.#wake();
  }

  async #guarded(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#log.worked(what);
    } catch (error) {
      this.#log.failed(what, error);
    }
  }

  /** Ends sooner after a gap, and at the end. */
  #pause(milliseconds: number): Promise<void> {
    if (this.#missed || this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      const callOff = this.timeline.at(new Date(this.timeline.now().getTime() + milliseconds), resolve);
      this.#wake = () => {
        callOff();
        resolve();
      };
    });
  }
}

const soon = (end: Promise<unknown>) => Promise.race([end, delay(END_WITHIN_MS, undefined, { ref: false })]);
const before = (moment: Date, milliseconds: number): Date => new Date(moment.getTime() - milliseconds);

/** Logs what live trading finds, each finding once, so that an operator is not flooded. */
class LiveLog {
  readonly #logged = new Set<string>();
  readonly #failing = new Set<string>();

  constructor(private readonly logger: Logger) {}

  /** The outcome of a reconciliation. */
  reconciled({ changed, external, contradictions, failures }: Reconciliation): void {
    if (changed > 0) this.logger.info({ orders: changed }, 'updated orders to the state that the venue reports');
    for (const { venue, venueOrderId, marketId } of external) {
      this.logger.error({ venue, venueOrderId, marketId }, 'the wallet has an order that was not placed here');
    }
    for (const { orderId, message } of contradictions) {
      this.#once(`${orderId} ${message}`, () =>
        this.logger.error({ order: orderId, reason: message }, 'the venue contradicts the record of an order'),
      );
    }
    for (const { order, error } of failures) {
      this.#once(`${order} failed`, () =>
        this.logger.error({ err: error, order }, 'could not reconcile an order with the venue; retrying'),
      );
    }
  }

  /** Orders in an unknown state: the venue may or may not have them. */
  unknown(orders: readonly Order[]): void {
    for (const { id, account, venueOrderId } of orders) {
      this.#once(`${id} unknown`, () =>
        this.logger.error({ order: id, account, venueOrderId }, 'it is not known yet whether the venue has an order'),
      );
    }
  }

  /** Something that is retried failed. It is logged again only after it has worked. */
  failed(what: string, error: unknown): void {
    if (this.#failing.has(what)) return;
    this.#failing.add(what);
    this.logger.error({ err: error }, `could not ${what}; retrying`);
  }

  /** Logs that what failed before works again. */
  worked(what: string): void {
    if (this.#failing.delete(what)) this.logger.info(`could ${what} again`);
  }

  #once(what: string, log: () => void): void {
    if (this.#logged.has(what)) return;
    this.#logged.add(what);
    log();
  }
}

/**
 * Why this wallet must not trade on this database, in words; null when it may. A database belongs to one wallet per venue
 * for good: the venue shows nothing of another wallet's orders, and that must not be read as their outcome.
 */
export async function otherWallet(
  ledger: Pick<Ledger, 'listVenueOrders'>,
  wallet: Pick<VenueWallet, 'venue' | 'address' | 'chosenBy' | 'isOwn'>,
): Promise<string | null> {
  const read = (page: Page<OrderId>) => ledger.listVenueOrders({ paper: false, venue: wallet.venue }, page);
  for await (const orders of slices(read, ({ id }) => id)) {
    const signed = orders.find(wasSent);
    if (signed === undefined) continue;
    if (wallet.isOwn(signed)) return null;
    const how = `Use ${wallet.chosenBy} of that one, or another DATABASE_URL.`;
    return `The orders on record belong to another wallet than ${wallet.address}. ${how}`;
  }
  return null;
}

/** Whether the venue may have an order: the wallet of one that it never accepted does not matter. */
const wasSent = (order: Order): boolean =>
  order.intent.envelope !== null && order.venueOrderId !== null && (order.state !== 'rejected' || order.presumed);
