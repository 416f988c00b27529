import type { OrderId } from '../../core/ids.js';
import { type QuotedPrices, withChanges } from '../../core/market/book.js';
import type { Evidence, LevelChange } from '../../core/market/event.js';
import type { Market, OutcomeSide } from '../../core/market/market.js';
import { Matcher, type ReportBatch } from '../../core/matching/matcher.js';
import type { TakenBefore } from '../../core/matching/walk.js';
import { isInFlight, isWorking } from '../../core/order/lifecycle.js';
import type { Order } from '../../core/order/order.js';
import type { Report } from '../../ports/exchange.js';
import type { Following, MarketData, MarketListener } from '../../ports/market-data.js';
import type { Timeline } from '../../ports/system.js';

/** Records what happened, one order's reports after another; resolves when they are durable. */
export type Recorder = (batches: readonly ReportBatch[]) => Promise<void>;

/** How long after the venue emptied a book it is read again, unless the venue sends a whole one first. */
const READ_AGAIN_MS = 2000;

/** The matcher of one market, fed by its data and woken when something is due. */
export class MarketSimulator {
  readonly #matcher: Matcher;
  #following: Following | undefined;
  #closed = false;
  #wakeUp: { readonly at: number; readonly callOff: () => void } | undefined;
  #reading: (() => void) | undefined;
  /** The newest total of each level received while the book is being read: the answer may be older. Null otherwise. */
  #meanwhile: Map<string, LevelChange> | null = null;
  /** When an order last used this market, in milliseconds. */
  lastUsed: number;

  constructor(
    private readonly market: Market,
    private readonly source: Pick<MarketData, 'book' | 'follow'>,
    latencyMs: number,
    private readonly timeline: Timeline,
    private readonly record: Recorder,
    evidence: Evidence,
  ) {
    const now = timeline.now();
    this.lastUsed = now.getTime();
    this.#matcher = new Matcher(market, latencyMs, now, evidence);
  }

  get fresh(): boolean {
    return this.#matcher.fresh;
  }

  /** True once a whole book has come. */
  get begun(): boolean {
    return this.#matcher.begun;
  }

  get busy(): boolean {
    return this.#matcher.busy;
  }

  /** The prices of an outcome by the book as it is now; null without one. */
  quoted(outcome: OutcomeSide): QuotedPrices | null {
    return this.#matcher.quoted(outcome);
  }

  /**
   * Resolves once the whole book was applied, or a first attempt to read it failed. `taken` is what accounts took of this
   * market before.
   */
  async follow(taken: readonly TakenBefore[] = []): Promise<void> {
    const { source, market } = this;
    this.#matcher.recall(taken);
    const take: MarketListener = (event) => {
      if (event.type === 'levels') this.#keep(event.changes);
      return this.#do((matcher) => matcher.apply(event));
    };
    const following = await source.follow(market, take, 'first');
    if (this.#closed) following.stop();
    else this.#following = following;
  }

  /** Lets an order arrive after the delay to the venue, or at its known time of arrival. */
  async enter(order: Order, arrived?: Date): Promise<void> {
    await this.#do((matcher) => matcher.enter(order, arrived));
  }

  async rest(order: Order): Promise<void> {
    await this.#do((matcher) => {
      matcher.advance(this.timeline.now());
      matcher.rest(order);
    });
  }

  async cancel(order: Order, sent: Date, arrived?: Date): Promise<void> {
    await this.#do((matcher) => matcher.cancel(order.id, sent, arrived));
  }

  /** Drops an order without a report. */
  async drop(order: Order): Promise<void> {
    await this.#do((matcher) => matcher.drop(order.id));
  }

  close(): void {
    this.#closed = true;
    this.#following?.stop();
    this.#wakeUp?.callOff();
    this.#wakeUp = undefined;
    this.#reading?.();
  }

  /** Undefined where nothing is to be recorded. */
  #do(step: (matcher: Matcher) => void): Promise<void> | undefined {
    step(this.#matcher);
    const batches = this.#matcher.drain();
    this.#plan();
    this.#planReading();
    return batches.length > 0 ? this.record(batches) : undefined;
  }

  #planReading(): void {
    if (!this.#matcher.wiped || this.#reading !== undefined) return;
    const moment = new Date(this.timeline.now().getTime() + READ_AGAIN_MS);
    this.#reading = this.timeline.at(moment, () => this.#readAgain());
  }

  /** Retries a source that has no book now. */
  async #readAgain(): Promise<void> {
    this.#meanwhile = new Map();
    const view = await this.source.book(this.market).catch(() => undefined);
    const meanwhile = [...this.#meanwhile.values()];
    this.#meanwhile = null;
    this.#reading = undefined;
    await this.#do((matcher) => {
      if (!matcher.wiped || !view?.fresh) return;
      // Applied as one book: one after the other, a level that is already gone would fill orders first.
      matcher.apply({ type: 'book', ...withChanges(view, meanwhile), at: this.timeline.now() });
    });
  }

  #keep(changes: readonly LevelChange[]): void {
    for (const change of changes) this.#meanwhile?.set(`${change.side} ${change.price}`, change);
  }

  #plan(): void {
    const next = this.#matcher.next?.getTime();
    if (next === this.#wakeUp?.at) return;
    this.#wakeUp?.callOff();
    this.#wakeUp = undefined;
    if (next === undefined) return;
    const wake = async () => {
      this.#wakeUp = undefined;
      await this.#do((matcher) => matcher.advance(this.timeline.now()));
    };
    this.#wakeUp = { at: next, callOff: this.timeline.at(new Date(next), wake) };
  }
}

/** One order on record, and its events that were not replayed yet. */
interface Expected {
  readonly onRecord: Order;
  /** Events of the order before this moment, in milliseconds, are on record; those at this very moment may be. */
  readonly since: number;
  readonly fills: Set<string>;
  contradicted: boolean;
}

/**
 * Compares the replay of a tape with the record. The record is authoritative: a contradiction is not news, and neither is
 * anything about an order that has ended there.
 */
export class ReplayCheck {
  readonly #expected = new Map<OrderId, Expected>();
  readonly #last: number;

  /** `last` is the newest moment on record: all events before it are on record, those at that moment may be. */
  constructor(last: Date) {
    this.#last = last.getTime();
  }

  /** An order on record that will be replayed, and when its cancellation arrives, if one was requested. */
  expect(onRecord: Order, cancelled: Date | null): void {
    const fills = new Set(onRecord.fills.map(keyOf));
    const since = Math.min(this.#last, unheardOf(onRecord, cancelled));
    this.#expected.set(onRecord.id, { onRecord, since, fills, contradicted: false });
  }

  /** The reports that may not be on record yet. */
  news({ id }: Order, reports: readonly Report[]): readonly Report[] {
    const expected = this.#expected.get(id);
    if (expected === undefined) return reports;
    for (const report of reports) this.#compare(expected, report);
    if (expected.contradicted || !isWorking(expected.onRecord.state)) return [];
    return reports.filter(({ at }) => at.getTime() >= expected.since);
  }

  /**
   * Orders whose replay contradicts the record, including those that have ended on record but are still alive by `isAlive`.
   * Call once time is past the record.
   */
  contradicted(isAlive: (order: Order) => boolean): readonly Order[] {
    const all = [...this.#expected.values()].filter(({ contradicted, fills, onRecord }) => {
      return contradicted || fills.size > 0 || (!isWorking(onRecord.state) && isAlive(onRecord));
    });
    return all.map(({ onRecord }) => onRecord);
  }

  #compare(expected: Expected, report: Report): void {
    const onRecord = report.at.getTime() < expected.since || !isWorking(expected.onRecord.state);
    if (report.type === 'fill') {
      const known = expected.fills.delete(keyOf(report.execution));
      if (!known && onRecord) expected.contradicted = true;
    } else if (report.type === 'cancelled' || report.type === 'expired') {
      if (onRecord && expected.onRecord.state !== report.type) expected.contradicted = true;
    } else if (report.type === 'rejected' || report.type === 'denied') {
      if (wasTaken(expected.onRecord, onRecord)) expected.contradicted = true;
    }
  }
}

/** From when nothing of an order is on record because something was in flight, in milliseconds; never if nothing was. */
function unheardOf({ state, placedAt }: Order, cancelled: Date | null): number {
  if (isInFlight(state)) return placedAt.getTime();
  return state === 'cancel_pending' && cancelled !== null ? cancelled.getTime() : Number.POSITIVE_INFINITY;
}

/** The venue accepted it finally, according to the record: a delayed order may still be rejected later. */
function wasTaken({ state, venueOrderId }: Order, onRecord: boolean): boolean {
  return venueOrderId !== null && state !== 'rejected' && (state !== 'delayed' || onRecord);
}

/** Identifies a trade: equal keys are the same trade. */
function keyOf({ tradeId, shares, price }: { tradeId: string; shares: bigint; price: bigint }): string {
  return `${tradeId} ${shares} ${price}`;
}
