import { ConsecutiveBreaker } from 'cockatiel';
import { deliveryFailureOf, isPage } from './delivery-failure.js';
import type { Delivery } from './send-once.js';

/** So many calls in a row without an answer are no accident. */
const MOST_UNANSWERED = 5;
const NO_CONNECTION: ReadonlySet<string> = new Set(['unreachable', 'connect_timeout', 'tls_failed']);
/** What a gateway says for a host that does not answer it. */
const GATEWAY_ALONE: ReadonlySet<number> = new Set([502, 504]);
/** Not the fault of the host: others may well be answered. */
const OURS: ReadonlySet<string> = new Set(['aborted', 'throttled', 'withdrawn', 'malformed', 'answer_too_large']);

/** Whether a host answers, by what came of the calls to it. */
export class Reachability {
  readonly #breaker = new ConsecutiveBreaker(MOST_UNANSWERED);
  #isDown = false;
  #isReported = false;

  /** `report` is told the host, what it failed to do, and the code of the cause; nothing that the host sent. */
  constructor(
    private readonly host: string,
    private readonly report: (reason: string) => void,
  ) {}

  /** True after five calls in a row without an answer, until one is answered. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /** Takes in what came of a call; one that we kept back ourselves proves nothing. */
  note(delivery: Delivery): void {
    if (isUnanswered(delivery)) this.#isDown = this.#breaker.failure();
    else if (delivery.kind === 'answered') {
      this.#breaker.success();
      this.#isDown = false;
    }
  }

  /** Takes in what a read came to after all its repetitions; an outage is reported once, until a read succeeds. */
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

/** Whoever asks this host now would meet the same. */
function isOutage(delivery: Delivery): boolean {
  if (delivery.kind === 'answered') return delivery.status >= 500 || (delivery.status !== 200 && isPage(delivery));
  return !OURS.has(delivery.reason);
}
