import { ConsecutiveBreaker } from 'cockatiel';
import { deliveryFailureOf, isPage } from './delivery-failure.js';
import type { Delivery } from './send-once.js';

/** This many calls in a row without an answer are an outage. */
const MOST_UNANSWERED = 5;
const NO_CONNECTION: ReadonlySet<string> = new Set(['unreachable', 'connect_timeout', 'tls_failed']);
/** A gateway's answers for a host that does not answer it. */
const GATEWAY_ALONE: ReadonlySet<number> = new Set([502, 504]);
/** Not the host's fault: other calls may well be answered. */
const OURS: ReadonlySet<string> = new Set(['aborted', 'throttled', 'withdrawn', 'malformed', 'answer_too_large']);

/** Whether a host answers, judged by the outcomes of the calls to it. */
export class Reachability {
  readonly #breaker = new ConsecutiveBreaker(MOST_UNANSWERED);
  #isDown = false;
  #isReported = false;

  /** `report` gets the host, its failure, and the code of the cause; nothing that the host sent. */
  constructor(
    private readonly host: string,
    private readonly report: (reason: string) => void,
  ) {}

  /** True after five calls in a row without an answer, until one is answered. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /** Records the outcome of a call; one that we held back ourselves proves nothing. */
  note(delivery: Delivery): void {
    if (isUnanswered(delivery)) this.#isDown = this.#breaker.failure();
    else if (delivery.kind === 'answered') {
      this.#breaker.success();
      this.#isDown = false;
    }
  }

  /** Records the outcome of a read after all its repetitions; an outage is reported once, until a read succeeds. */
  noteRead(delivery: Delivery): void {
    if (isGood(delivery)) this.#isReported = false;
    else if (isOutage(delivery) && !this.#isReported) {
      this.#isReported = true;
      const code = delivery.kind === 'not_sent' ? delivery.code : undefined;
      this.report(`${this.host} ${deliveryFailureOf(delivery)}${code === undefined ? '' : ` (${code})`}`);
    }
  }
}

function isUnanswered(delivery: Delivery): boolean {
  if (delivery.kind === 'answered') return GATEWAY_ALONE.has(delivery.status);
  return delivery.kind === 'silence' ? delivery.reason !== 'aborted' : NO_CONNECTION.has(delivery.reason);
}

function isGood(delivery: Delivery): boolean {
  return delivery.kind === 'answered' && (delivery.status === 200 || delivery.status === 404) && !isPage(delivery);
}

/** Other calls to this host would now fail the same way. */
function isOutage(delivery: Delivery): boolean {
  if (delivery.kind === 'answered') return delivery.status >= 500 || (delivery.status !== 200 && isPage(delivery));
  return !OURS.has(delivery.reason);
}
