import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Exchange } from '../../ports/exchange.js';
import type { Timeline } from '../../ports/system.js';

/**
 * Trades at moments of a tape. An order's answer takes time, which a tape that waited for it would never have: so the tape
 * waits until the order has reached the exchange, or the deed is over without one, and no longer.
 */
export class TapeTrader {
  /** To be given to the use cases in place of the exchange itself: it sees when an order or a cancellation gets there. */
  readonly exchange: Exchange;
  /** How the deed under way lets the tape go on. */
  readonly #deed = new AsyncLocalStorage<() => void>();

  /** `exchange` is one in this process, on the time of the tape. */
  constructor(
    private readonly tape: Timeline,
    exchange: Exchange,
  ) {
    const { venue, local, signing } = exchange;
    this.exchange = {
      ...{ venue, local, ...(signing !== undefined && { signing }) },
      place: (order, mayStillSend) => this.#reached(exchange.place(order, mayStillSend)),
      cancel: (order) => this.#reached(exchange.cancel(order)),
      find: (order) => exchange.find(order),
    };
  }

  /**
   * Does it at this moment of the tape, or as soon after as can be; a rule that follows a market names the tape's `now()`.
   * The tape goes on once the first order is at the exchange, so that each order wants a deed of its own. Resolves with
   * what the deed does, and never when the tape is stopped before. @throws what the deed throws
   */
  at<Result>(moment: Date, deed: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve) => {
      this.tape.at(moment, () => this.#until(async () => deed(), resolve));
    });
  }

  #until<Result>(deed: () => Promise<Result>, tell: (result: Promise<Result>) => void): Promise<void> {
    return new Promise((goOn) => {
      const result = this.#deed.run(goOn, deed);
      result.then(
        () => goOn(),
        () => goOn(),
      );
      tell(result);
    });
  }

  #reached<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const goOn = this.#deed.getStore();
    // The exchange takes it in some promises later, and before it waits for anything but the tape.
    if (goOn !== undefined) void setImmediate().then(goOn);
    return answer;
  }
}
