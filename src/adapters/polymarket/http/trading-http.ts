import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { Reachability } from '../../transport/reachability.js';
import { RequestBudget } from '../../transport/request-budget.js';
import { retryAfterMs } from '../../transport/retry-after.js';
import { type Answered, type Call, type Delivery, notSent, sendOnce } from '../../transport/send-once.js';
import { CALL_LIMITS, type CallLimits, LANE_ALLOWANCES, type Lane } from './limits.js';

const KEEP_ALIVE_MS = 10_000;
/** For a refusal that does not say how long to stay away. */
const UNTOLD_WAIT_MS = 1000;
/** Before the second and the third try of a read. */
const PAUSES_MS = [200, 800];
/** Too early, too many, and what a server says of itself; the others would be answered the same again. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** How a call is sent. */
export interface SendOptions {
  /** How much of the allowance it takes; 1 when absent. */
  readonly cost?: number;
  readonly signal?: AbortSignal;
  /** Asked right before the first byte leaves, which it does not when this says no. */
  readonly mayStillSend?: () => boolean;
}

interface Road {
  readonly pool: Pool;
  readonly budget: RequestBudget;
}

/** Requests to the trading API of one venue. Redirects are not followed, answers are bounded, nothing compressed is asked for. */
export class TradingHttp {
  readonly #limits: CallLimits;
  readonly #base: string;
  readonly #roads: Readonly<Record<Lane, Road>>;
  readonly #underway = new Set<Promise<Delivery>>();
  readonly #reachability = new Reachability();
  #ordersHeldUntil = 0;
  #isDraining = false;

  constructor(base: URL, limits: Partial<CallLimits> = {}, allowances = LANE_ALLOWANCES) {
    this.#limits = { ...CALL_LIMITS, ...limits };
    this.#base = base.pathname.replace(/\/$/, '');
    const road = (lane: Lane): Road => ({
      pool: poolTo(base.origin, this.#limits),
      budget: new RequestBudget(allowances[lane]),
    });
    this.#roads = { order: road('order'), cancel: road('cancel'), read: road('read') };
  }

  /** True while the venue answers nothing. */
  get isDown(): boolean {
    return this.#reachability.isDown;
  }

  /**
   * How long the venue wants to get no orders, in milliseconds; null while it wants them, or will before one that waits for its
   * turn gives up.
   */
  get ordersHeldMs(): number | null {
    const left = this.#ordersHeldUntil - performance.now();
    return left < this.#limits.overallMs / 2 ? null : left;
  }

  /**
   * Sends a request once, as soon as the allowance of its lane permits; never a second time. It waits for its turn for half
   * of the whole time at most, so that enough is left for an answer. Does not throw.
   */
  send(lane: Lane, call: Call, options: SendOptions = {}): Promise<Delivery> {
    return this.#sendBy(lane, call, performance.now() + this.#limits.overallMs, options);
  }

  /** Asks what may be asked twice: at most three times, all within the overall limit. Does not throw. */
  async read(call: Call, signal?: AbortSignal): Promise<Delivery> {
    const deadline = performance.now() + this.#limits.overallMs;
    const options = signal === undefined ? {} : { signal };
    let delivery = await this.#sendBy('read', call, deadline, options);
    for (const pauseMs of PAUSES_MS) {
      const wait = Math.max(pauseMs, waitAfter(delivery));
      if (!isPassing(delivery) || performance.now() + wait >= deadline) break;
      if (!(await passed(wait, signal))) break;
      delivery = await this.#sendBy('read', call, deadline, options);
    }
    return delivery;
  }

  /** Begins nothing more, waits until what is under way has ended, each call by its own limit, and ends every connection. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#underway.size > 0) await Promise.all(this.#underway);
    await this.close();
  }

  /** Ends every connection; what waits is told `not_sent`, what is under way `silence`. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#roads).map(({ pool }) => pool.destroy()));
  }

  async #sendBy(lane: Lane, call: Call, deadline: number, options: SendOptions): Promise<Delivery> {
    const delivery = this.#delivered(lane, call, deadline, options);
    this.#underway.add(delivery);
    return delivery.finally(() => this.#underway.delete(delivery));
  }

  async #delivered(
    lane: Lane,
    call: Call,
    deadline: number,
    { cost, signal, mayStillSend }: SendOptions,
  ): Promise<Delivery> {
    const { pool, budget } = this.#roads[lane];
    const turnBy = (performance.now() + deadline) / 2;
    for (;;) {
      if (this.#isDraining) return notSent('aborted');
      const wait = await budget.take(call.path, cost);
      if (wait === 0) break;
      if (performance.now() + wait >= turnBy) return notSent('throttled', wait);
      if (!(await passed(wait, signal))) return notSent('aborted');
    }
    if (this.#isDraining) return notSent('aborted');
    const request = this.#written(call);
    if (request === undefined) return notSent('malformed');
    const delivery = await sendOnce(pool, request, deadline - performance.now(), signal, mayStillSend);
    this.#reachability.note(delivery);
    if (delivery.kind === 'answered' && delivery.status === 429) await this.#hold(lane, call.path, delivery);
    return delivery;
  }

  async #hold(lane: Lane, path: string, delivery: Answered): Promise<void> {
    const wait = retryAfterMs(delivery) ?? UNTOLD_WAIT_MS;
    if (lane === 'order') this.#ordersHeldUntil = Math.max(this.#ordersHeldUntil, performance.now() + wait);
    await this.#roads[lane].budget.hold(path, wait);
  }

  #written(call: Call): Dispatcher.DispatchOptions | undefined {
    try {
      return this.#options(call);
    } catch {
      return undefined;
    }
  }

  #options({ method, path, query, body, headers }: Call): Dispatcher.DispatchOptions {
    const search = query === undefined || query.size === 0 ? '' : `?${query}`;
    return {
      method,
      path: `${this.#base}${path}${search}`,
      body: body ?? null,
      // undici closes a connection after a DELETE with a body unless it is told not to.
      reset: false,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'stakeport',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers?.(),
      },
    };
  }
}

function poolTo(origin: string, { connectMs, headersMs, bodyMs, maxBytes, connections }: CallLimits): Pool {
  return new Pool(origin, {
    connections,
    // A request is written only to a connection on which none is under way, so that none is ever repeated for another's fate.
    pipelining: 1,
    allowH2: false,
    connect: { timeout: connectMs, rejectUnauthorized: true },
    headersTimeout: headersMs,
    bodyTimeout: bodyMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxResponseSize: maxBytes,
  });
}

function isPassing(delivery: Delivery): boolean {
  if (delivery.kind === 'answered') return PASSING.has(delivery.status);
  return delivery.reason !== 'aborted' && delivery.reason !== 'malformed' && delivery.reason !== 'tls_failed';
}

function waitAfter(delivery: Delivery): number {
  if (delivery.kind === 'answered') return retryAfterMs(delivery) ?? 0;
  return delivery.kind === 'not_sent' ? (delivery.waitMs ?? 0) : 0;
}

async function passed(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
  try {
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
    return true;
  } catch {
    return false;
  }
}
