import {
  afterFailure,
  beginning,
  dueOf,
  type EventDelivery,
  type Failure,
  heldAfter,
  heldAfterMany,
  isBehind,
  isDead,
  MOST_TRIES,
  nextDue,
  type Progress,
  TRIES_IN_ORDER,
  waitingFor,
} from './delivery.js';
import type { EndpointKey, SkippedEvents } from './endpoint.js';

/** How many events of an endpoint may wait: beyond that it goes no further in the log, which keeps the others. */
const MOST_WAITING = 256;
/** How many waiting events are read: as many again may lie beyond its place in the log after it was sent back. */
export const MOST_READ = 2 * MOST_WAITING;
/** How many failures in a row end a round; the next one waits. */
const MOST_FAILURES = 3;

type Waiting = Pick<EventDelivery, 'seq' | 'type' | 'orderId'>;

/** What an endpoint is sent in one go, and what came of it: a place in the log, and events that failed. */
export class DeliveryRound {
  readonly #put = new Map<number, EventDelivery>();
  readonly #removed: EventDelivery[] = [];
  readonly #skipped: SkippedEvents[] = [];
  #waiting: readonly EventDelivery[];
  #progress: Progress;
  #failures = 0;
  #again: Date | null = null;

  /** @param waiting at most `MOST_READ` of what waits, by number */
  constructor(
    private readonly endpoint: EndpointKey & { readonly startsAfter: number },
    progress: Progress | undefined,
    waiting: readonly EventDelivery[],
  ) {
    this.#progress = progress ?? beginning(endpoint, endpoint.startsAfter);
    this.#waiting = waiting;
  }

  /** The number of the last event that was examined. */
  get passed(): number {
    return this.#progress.passed;
  }

  /** How many events wait, to be tried again or for others. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether one more event may be examined. */
  get hasRoom(): boolean {
    return this.#reached.length < MOST_WAITING;
  }

  /** What is tried again now. */
  due(at: Date): readonly EventDelivery[] {
    return dueOf(this.#reached, at);
  }

  /** Whether nothing more is sent for now. */
  isOver(at: Date): boolean {
    const { heldUntil } = this.#progress;
    return this.#failures >= MOST_FAILURES || (heldUntil !== null && at < heldUntil);
  }

  /** Whether the endpoint has taken nothing for so long that it is to be disabled. */
  isDead(at: Date): boolean {
    const { failingSince } = this.#progress;
    return failingSince !== null && isDead(failingSince, at);
  }

  /** The delivery of an event of the log that has to wait for an earlier one of its order; null for one that is sent now. */
  behind(event: Waiting, at: Date): EventDelivery | null {
    return isBehind(this.#waiting, event) ? (this.#known(event.seq) ?? waitingFor(this.endpoint, event, at)) : null;
  }

  /** Whether an event waits already, and its time has not come. */
  waits(seq: number, at: Date): boolean {
    const { nextAt = null } = this.#known(seq) ?? {};
    return nextAt !== null && nextAt > at;
  }

  /** There is more to do at this moment, whatever waits. */
  again(at: Date): void {
    this.#again = at;
  }

  /** Notes that the log was read up to this number. */
  pass(seq: number): void {
    this.#progress = { ...this.#progress, passed: Math.max(seq, this.#progress.passed) };
  }

  /** The log begins only after `to`, or ends before the place of the endpoint, at `last`. */
  jump(to: number, last: number): void {
    if (this.passed > last) {
      for (const one of this.#waiting.filter(({ seq }) => seq > last)) this.lose(one);
      this.#progress = { ...this.#progress, passed: last, epoch: this.#progress.epoch + 1 };
    }
    if (this.passed >= to) return;
    this.#skipped.push({ from: this.passed + 1, to, orderId: null, because: 'gone' });
    this.pass(to);
  }

  /** The log has an event no more that waited. */
  lose(event: Waiting): void {
    const { seq, orderId } = event;
    const known = this.#known(seq) ?? waitingFor(this.endpoint, event, new Date(0));
    this.keep({ ...known, nextAt: null });
    this.#skipped.push({ from: seq, to: seq, orderId, because: 'gone' });
  }

  /** Lets a delivery wait from now on. */
  keep(delivery: EventDelivery): void {
    this.#put.set(delivery.seq, delivery);
    const others = this.#waiting.filter(({ seq }) => seq !== delivery.seq);
    this.#waiting = delivery.nextAt === null ? others : [...others, delivery].sort((a, b) => a.seq - b.seq);
  }

  /** The receiver took it. */
  taken(seq: number, at: Date): void {
    this.#failures = 0;
    this.#progress = { ...this.#progress, failingSince: null, heldUntil: null, deliveredAt: at };
    const known = this.#known(seq);
    if (known === undefined) return;
    this.#removed.push(known);
    this.#waiting = this.#waiting.filter((one) => one !== known);
  }

  /** The receiver did not take it. `event` is new, or a delivery that waited. */
  failed(event: Waiting, failure: Failure, at: Date, chance: number): void {
    const before = this.#known(event.seq) ?? waitingFor(this.endpoint, event, at);
    const after = afterFailure(before, failure, at, chance);
    this.keep(after);
    this.#failures += 1;
    const held = heldAfter(failure, at) ?? (this.#failures < MOST_FAILURES ? null : heldAfterMany(at));
    this.#progress = { ...this.#progress, failingSince: this.#progress.failingSince ?? at, heldUntil: held };
    this.#skip(after);
  }

  /** Events that were not sent in order, or not at all. */
  get skipped(): readonly SkippedEvents[] {
    return this.#skipped;
  }

  /** When there is more to do, if nothing new happens; null where nothing waits. */
  get nextAt(): Date | null {
    const waiting = nextDue(this.#reached);
    const again = this.#again ?? waiting;
    const next = waiting !== null && again !== null && waiting < again ? waiting : again;
    const { heldUntil } = this.#progress;
    return heldUntil !== null && (next === null || next < heldUntil) ? heldUntil : next;
  }

  /** What is to be stored. */
  get changes() {
    const remove = this.#removed.filter(({ seq }) => !this.#put.has(seq));
    return { progress: this.#progress, put: [...this.#put.values()], remove };
  }

  /** What waits up to the position in the log; what is beyond it, as after a client moved it back, is sent once it is reached. */
  get #reached(): readonly EventDelivery[] {
    return this.#waiting.filter(({ seq }) => seq <= this.passed);
  }

  #known(number: number): EventDelivery | undefined {
    return this.#waiting.find(({ seq }) => seq === number);
  }

  #skip({ seq, orderId, tries }: EventDelivery): void {
    if (tries === MOST_TRIES) this.#skipped.push({ from: seq, to: seq, orderId, because: 'given_up' });
    if (tries === TRIES_IN_ORDER && orderId !== null)
      this.#skipped.push({ from: seq, to: seq, orderId, because: 'passed' });
  }
}
