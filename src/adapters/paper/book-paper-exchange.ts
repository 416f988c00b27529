import { isPlayed } from '../../core/concurrency/repeat.js';
import { MarketDataUnavailable } from '../../core/errors.js';
import type { OrderId } from '../../core/ids.js';
import type { LeaseInHand } from '../../core/ledger/lease.js';
import { type MarketOrderCursor, type Page, slices } from '../../core/ledger/query.js';
import { EVIDENCE } from '../../core/market/event.js';
import { type Market, type MarketRef, marketName, refOf } from '../../core/market/market.js';
import type { ReportBatch } from '../../core/matching/matcher.js';
import { cancelledAt, type ReplayedOrder } from '../../core/matching/order-replay.js';
import { type TakenBefore, takenBy } from '../../core/matching/walk.js';
import { STALE } from '../../core/matching/working-order.js';
import { isWorking } from '../../core/order/lifecycle.js';
import type { Order } from '../../core/order/order.js';
import type {
  CancelResult,
  Exchange,
  OrderStatusReport,
  PlaceResult,
  Report,
  ReportSink,
} from '../../ports/exchange.js';
import type { Ledger } from '../../ports/ledger.js';
import type { PlayedTime } from '../../ports/played-time.js';
import type { Timeline } from '../../ports/system.js';
import type { MarketDirectory } from '../../ports/venue.js';
import { Answers, disowned, PAPER } from './answers.js';
import { MarketSimulator, ReplayCheck } from './market-simulator.js';

/** Options of a paper exchange with books. */
export interface BookExchangeOptions {
  readonly markets: MarketDirectory;
  readonly timeline: Timeline;
  /** How long an order or a cancellation takes to reach the venue; 150 when absent. */
  readonly latencyMs?: number;
  /**
   * Where the paper orders of before are on record, so that what they took of the books stays taken. Absent where none of
   * them took anything of these books, as where a tape is played from its beginning.
   */
  readonly ledger?: Pick<Ledger, 'listMarketOrders'>;
  /** Records what happens before it is reported; retries while the store does not answer. */
  readonly sink: ReportSink;
  /** The lease under which it acts now, where several processes may have one like it; absent where it is the only one. */
  readonly lease?: () => LeaseInHand;
  /** Receives failures to record a report; the order is recovered at the next start. */
  readonly onFault?: (error: unknown, order: Order) => void;
}

/** A typical delay from a client to the venue and into its book, in milliseconds. */
export const LATENCY_MS = 150;
/** A market that no order has used for this long is no longer followed. */
const IDLE_MS = 15 * 60 * 1000;
/** How often the exchange checks for idle markets. */
const LOOK_EVERY_MS = 60 * 1000;

/**
 * Simulates the venue on its own books: orders walk them, wait where the venue delays, queue where it queues, and pay the
 * market's fee. It keeps no durable state: orders, cash and shares are in the ledger, every fill is recorded before it is
 * reported, and what fills took of the books is read from there.
 */
export class BookPaperExchange implements Exchange {
  readonly venue = PAPER;
  readonly local: NonNullable<Exchange['local']>;
  readonly signing = null;
  readonly closedForMs = () => null;
  readonly #simulators = new Map<string, { readonly simulator: MarketSimulator; readonly ready: Promise<void> }>();
  readonly #answers = new Answers();
  readonly #latencyMs: number;
  /** What tapes prove is known; a venue itself sends whole books and trades. */
  readonly #played: PlayedTime | null;
  readonly #kept = new Set<string>();
  /** Markets that are followed no longer, of which nothing on display was taken then: the record adds nothing. */
  readonly #untaken = new Set<string>();
  /** Orders that are being adopted, until they are cancelled. */
  readonly #adopting = new Set<OrderId>();
  #isAbandoned = false;
  #searchedIdle: number;
  /** Compares a replay with the record. */
  #replayCheck: ReplayCheck | null = null;
  /** The write in progress for each order, so that its reports are written in order. */
  readonly #writing = new Map<OrderId, Promise<void>>();

  constructor(private readonly options: BookExchangeOptions) {
    this.#latencyMs = options.latencyMs ?? LATENCY_MS;
    this.#played = isPlayed(options.timeline) ? options.timeline : null;
    this.#searchedIdle = options.timeline.now().getTime();
    this.local = {
      lease: options.lease ?? (() => undefined),
      arrival: (sent) => new Date(sent.getTime() + this.#latencyMs),
      prepare: (market) => this.#prepare(market),
      quoted: (of, outcome) => this.#simulators.get(marketName(of))?.simulator.quoted(outcome) ?? null,
      decide: (order) => this.#look(order),
    };
  }

  /** Resolves with the venue's first answer, once that is on record. */
  async place(order: Order): Promise<PlaceResult> {
    // Without a book it was never sent: an unknown outcome would keep its money reserved.
    const simulator = await this.#simulatorOf(order).catch(() => undefined);
    if (simulator === undefined) return { kind: 'denied', refusal: STALE };
    const answer = this.#answers.expect(order);
    await simulator.enter(order);
    return answer;
  }

  async cancel(order: Order): Promise<CancelResult> {
    const simulator = this.#simulators.get(marketName(order.intent))?.simulator;
    if (simulator === undefined || !this.#answers.isWorking(order)) {
      this.#adopting.delete(order.id);
      await simulator?.drop(order);
      return disowned(order);
    }
    const answer = this.#answers.expectEnd(order);
    await simulator.cancel(order, this.options.timeline.now());
    return answer;
  }

  async find(order: Order): Promise<OrderStatusReport> {
    return this.#answers.known(order) ?? { kind: 'absent' };
  }

  /**
   * Continues an order after a restart that was accepted before. A resting order goes to the back of the queue, since what
   * happened meanwhile is not known; a delayed one is delayed again. One that is already here stays in its place. False when
   * the source does not know the order's market. @throws MarketUnusable, MarketDataUnavailable
   */
  async adopt(order: Order): Promise<boolean> {
    if (this.#answers.isWorking(order)) return true;
    this.#adopting.add(order.id);
    try {
      const simulator = await this.#simulatorOf(order);
      if (simulator !== undefined && this.#adopting.has(order.id)) await this.#takeUp(order, simulator);
      return simulator !== undefined;
    } finally {
      this.#adopting.delete(order.id);
    }
  }

  async #takeUp(order: Order, simulator: MarketSimulator): Promise<void> {
    const { timeline } = this.options;
    this.#answers.resume(order);
    if (order.state === 'delayed') return simulator.enter(order, timeline.now());
    await simulator.rest(order);
    if (order.state === 'cancel_pending') await simulator.cancel(order, order.updatedAt);
  }

  /** Follows a market from now on, with or without orders. */
  keep(market: Market): Promise<void> {
    this.#kept.add(marketName(refOf(market)));
    return this.#prepare(market);
  }

  /**
   * Replays orders on record, in the replayed time. Up to `last`, the newest moment on record, nothing new is recorded
   * except for orders in flight, which arrive when they were due. An order that then differs from the record is reported to
   * `onFault`; the record stays as it is, and a resting order continues at the back of the queue.
   */
  async replay(orders: readonly ReplayedOrder[], last: Date): Promise<void> {
    const replay = new ReplayCheck(last);
    this.#replayCheck = replay;
    this.options.timeline.at(new Date(last.getTime() + 1), () => this.#endReplay());
    for (const { onRecord, replay: past } of orders) {
      const simulator = past === null ? undefined : await this.#simulatorOf(onRecord);
      if (past === null || simulator === undefined) continue;
      const { order, arrived, cancellation } = past;
      const cancelled = cancelledAt(onRecord, past, this.#latencyMs);
      replay.expect(onRecord, cancelled);
      await simulator.enter(order, arrived ?? undefined);
      if (cancellation !== null) await simulator.cancel(order, cancellation.sent, cancelled ?? undefined);
    }
  }

  async #endReplay(): Promise<void> {
    const contradicted = this.#replayCheck?.contradicted((order) => this.#answers.isWorking(order)) ?? [];
    this.#replayCheck = null;
    for (const order of contradicted) {
      this.options.onFault?.(new Error('the replayed tape contradicts the record of the order'), order);
      await (await this.#simulatorOf(order))?.drop(order);
      this.#answers.giveUp(order, 'the replayed tape contradicts its record');
      if (isWorking(order.state)) await this.adopt(order);
    }
  }

  /** No market is followed after this, and nothing fills. */
  close(): void {
    for (const { simulator } of this.#simulators.values()) simulator.close();
    this.#simulators.clear();
  }

  /** As `close`, for good: no market is followed again, and waiting callers get the answer that it is unknown. */
  abandon(): void {
    this.#isAbandoned = true;
    this.close();
    this.#answers.giveUpAll('another server trades on paper now');
  }

  /** Null leaves the answer to `place`, after the delay to the venue. */
  #look({ intent }: Order): PlaceResult | null {
    return this.#simulators.get(marketName(intent))?.simulator.fresh ? null : { kind: 'denied', refusal: STALE };
  }

  async #simulatorOf({ intent }: Order): Promise<MarketSimulator | undefined> {
    const known = this.#simulators.get(marketName(intent));
    const market = known === undefined ? await this.options.markets.find(intent) : undefined;
    if (known !== undefined) await known.ready;
    else if (market === undefined) return undefined;
    else await this.#prepare(market);
    const simulator = this.#simulators.get(marketName(intent))?.simulator;
    if (simulator === undefined) throw new MarketDataUnavailable();
    return simulator;
  }

  async #prepare(market: Market): Promise<void> {
    this.#dropIdle();
    if (this.#isAbandoned) return;
    const known = this.#simulators.get(marketName(refOf(market)));
    const { markets, timeline } = this.options;
    if (known !== undefined) {
      known.simulator.lastUsed = timeline.now().getTime();
      return known.ready;
    }
    const record = (batches: readonly ReportBatch[]) => this.#record(batches);
    const evidence = this.#played?.evidenceOf(refOf(market)) ?? EVIDENCE[0];
    const simulator = new MarketSimulator(market, markets, this.#latencyMs, timeline, record, evidence);
    const ready = this.#follow(market, simulator).catch(() => {
      // The order finds no fresh book and is denied for that reason; the next one tries again.
      simulator.close();
      this.#simulators.delete(marketName(refOf(market)));
    });
    this.#simulators.set(marketName(refOf(market)), { simulator, ready });
    return ready;
  }

  async #follow(market: Market, simulator: MarketSimulator): Promise<void> {
    const { ledger } = this.options;
    const ref = refOf(market);
    const reads = ledger !== undefined && !this.#untaken.has(marketName(ref));
    await simulator.follow(reads ? await takenOnRecord(ledger, ref) : []);
  }

  #dropIdle(): void {
    const now = this.options.timeline.now().getTime();
    if (now - this.#searchedIdle < LOOK_EVERY_MS) return;
    this.#searchedIdle = now;
    for (const [id, { simulator }] of this.#simulators) {
      if (simulator.busy || simulator.lastUsed > now - IDLE_MS || this.#kept.has(id)) continue;
      simulator.close();
      this.#simulators.delete(id);
      if (simulator.begun) this.#untaken.add(id);
    }
  }

  async #record(batches: readonly ReportBatch[]): Promise<void> {
    await Promise.all(batches.map((batch) => this.#recordInTurn(batch)));
  }

  #recordInTurn({ order, reports }: ReportBatch): Promise<void> {
    const before = this.#writing.get(order.id) ?? Promise.resolve();
    const written = before.then(() => this.#write(order, reports));
    this.#writing.set(order.id, written);
    return written.finally(() => {
      if (this.#writing.get(order.id) === written) this.#writing.delete(order.id);
    });
  }

  /** A report that cannot be recorded ends the order's simulation, and is passed to `onFault`. */
  async #write(order: Order, reports: readonly Report[]): Promise<void> {
    const { sink, onFault } = this.options;
    try {
      const news = this.#replayCheck?.news(order, reports) ?? reports;
      if (news.length > 0) await sink(order, news);
      this.#answers.take(order, reports);
    } catch (error) {
      this.#answers.giveUp(order, 'what happened to the order could not be recorded');
      onFault?.(error, order);
    }
  }
}

/** What the paper orders of one market took of its book, by the record. @throws StorageUnavailable */
async function takenOnRecord(
  ledger: Pick<Ledger, 'listMarketOrders'>,
  market: MarketRef,
): Promise<readonly TakenBefore[]> {
  const read = (page: Page<MarketOrderCursor>) => ledger.listMarketOrders({ ...market, paper: true }, page);
  let taken: readonly TakenBefore[] = [];
  for await (const orders of slices(read, ({ account, id }: Order) => ({ account, id })))
    taken = takenBy(orders, taken);
  return taken;
}
