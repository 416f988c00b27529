import { ConsecutiveBreaker } from 'cockatiel';
import type { Delivery } from './send-once.js';

/** So many calls in a row without an answer are no accident. */
const MOST_UNANSWERED = 5;
const NO_CONNECTION: ReadonlySet<string> = new Set(['unreachable', 'connect_timeout', 'tls_failed']);
/** What a gateway says for a venue that does not answer it. */
const GATEWAY_ALONE: ReadonlySet<number> = new Set([502, 504]);

/** Whether a venue answers at all, by what came of the calls to it: five in a row without an answer say no, one answer yes. */
export class Reachability {
  readonly #breaker = new ConsecutiveBreaker(MOST_UNANSWERED);
  #isDown = false;

  get isDown(): boolean {
    return this.#isDown;
  }

  /** Takes in what came of a call; one that we kept back ourselves tells nothing. */
  note(delivery: Delivery): void {
    if (isUnanswered(delivery)) this.#isDown = this.#breaker.failure();
    else if (delivery.kind === 'answered') {
      this.#breaker.success();
      this.#isDown = false;
    }
  }
}

function isUnanswered(delivery: Delivery): boolean {
  if (delivery.kind === 'answered') return GATEWAY_ALONE.has(delivery.status);
  return delivery.kind === 'silence' ? delivery.reason !== 'aborted' : NO_CONNECTION.has(delivery.reason);
}
