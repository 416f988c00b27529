import { ExponentialBackoff } from 'cockatiel';
import type { Clock } from '../../../ports/system.js';
import { pause } from '../../transport/backoff.js';
import type { VenueClock } from '../../venue/venue-clock.js';
import type { ClobTrading } from '../http/clob-trading.js';
import type { PlaceOutcome } from '../http/place-outcomes.js';
import type { Hex } from '../signing/signer.js';

/** The dependencies of sending. */
export interface OrderSenderOptions {
  readonly clob: Pick<ClobTrading, 'placeOrder'>;
  /** The clock that `sendBy` is measured by. */
  readonly clock: Clock;
  readonly venueClock: VenueClock;
  /** Ends a wait at once, and stops all further sending. */
  readonly ending?: AbortSignal;
  /** Resolves after this many milliseconds, or at once when the signal aborts; a timer when absent. */
  wait?(milliseconds: number, signal: AbortSignal): Promise<unknown>;
}

/** An order to send, and its deadline. */
export interface Outgoing {
  /** Sent byte for byte, at every attempt. */
  readonly body: string;
  readonly hash: Hex;
  readonly sendBy: Date;
  mayStillSend(): boolean;
  /** Called after a wait, before another copy is sent. */
  isWanted(): Promise<boolean>;
}

/**
 * The retry state of one order: its next wait when the venue gives none, and whether our clock may still be corrected for
 * it.
 */
interface Patience {
  backoff: ReturnType<ExponentialBackoff<unknown>['next']>;
  mayMeasure: boolean;
}

/** The waits while the venue does not say when to retry (`reliability.md` rows 32, 35). */
const PACE = { initialDelay: 1000, maxDelay: 30_000 };

/**
 * Sends an order so that at most one copy of it can have arrived: the same bytes are resent only after the venue proved that
 * it did nothing with the previous copy. An order in an unknown state is never resent.
 */
export class OrderSender {
  readonly #options: OrderSenderOptions;
  readonly #ending: AbortSignal;

  constructor(options: OrderSenderOptions) {
    this.#options = options;
    this.#ending = options.ending ?? new AbortController().signal;
  }

  /**
   * The outcome of the last copy. A copy that the venue did not process is followed by the next after the wait that the
   * venue requests, if that ends before `sendBy`. One refused for our clock is resent once, with the venue's time.
   */
  async send(outgoing: Outgoing): Promise<PlaceOutcome> {
    const patience = { backoff: new ExponentialBackoff(PACE).next(), mayMeasure: true };
    let passedOver: PlaceOutcome | null = null;
    for (;;) {
      const outcome = await this.#once(outgoing);
      if (outcome.kind === 'not_sent') return passedOver ?? outcome;
      if (!(await this.#mayFollow(outgoing, outcome, patience))) return outcome;
      passedOver = outcome.kind === 'not_processed' ? outcome : null;
    }
  }

  async #mayFollow(outgoing: Outgoing, outcome: PlaceOutcome, patience: Patience): Promise<boolean> {
    if (outcome.kind === 'not_processed') {
      const { backoff } = patience;
      patience.backoff = backoff.next(undefined);
      return this.#waited(outgoing, outcome.waitMs ?? pauseOf(backoff.duration));
    }
    if (outcome.kind !== 'rejected' || outcome.retry === null || !patience.mayMeasure) return false;
    patience.mayMeasure = false;
    return (await this.#options.venueClock.measure()) && outgoing.isWanted().catch(() => false);
  }

  #once(outgoing: Outgoing): Promise<PlaceOutcome> {
    const mayStillSend = () => this.#maySend(outgoing);
    return this.#options.clob.placeOrder(outgoing.body, outgoing.hash, { mayStillSend });
  }

  /** False at once when the wait would end too late for another copy. */
  async #waited(outgoing: Outgoing, waitMs: number): Promise<boolean> {
    const { clock, wait = pause } = this.#options;
    if (clock.now().getTime() + waitMs > outgoing.sendBy.getTime() || !this.#maySend(outgoing)) return false;
    await wait(waitMs, this.#ending);
    return outgoing.isWanted().catch(() => false);
  }

  #maySend({ sendBy, mayStillSend }: Outgoing): boolean {
    return !this.#ending.aborted && this.#options.clock.now() <= sendBy && mayStillSend();
  }
}

const pauseOf = (duration: number): number => Math.min(Math.max(duration, PACE.initialDelay), PACE.maxDelay);
