import { performance } from 'node:perf_hooks';
import { type Dispatcher, Pool } from 'undici';
import { pause } from './backoff.js';
import { HTTP_LIMITS, type HttpLimits } from './http-limits.js';
import { Reachability } from './reachability.js';
import { type Allowance, RequestBudget } from './request-budget.js';
import { retryAfterMs } from './retry-after.js';
import { type Answered, type Call, type Delivery, notSent, sendOnce } from './send-once.js';

const KEEP_ALIVE_MS = 10_000;
/** For a 429 that does not say how long to stay away. */
const DEFAULT_HOLD_MS = 1000;
/** Before the second and the third try of a read; up to half as long again, so that many do not come at the same moment. */
const PAUSES_MS = [200, 800];
const JITTER = 0.5;
/** Too early, too many, and what a server says of itself; the others would be answered the same again. */
const PASSING_STATUS = new Set([408, 425, 429, 500, 502, 503, 504]);
const LASTING: ReadonlySet<string> = new Set(['aborted', 'malformed', 'tls_failed', 'answer_too_large']);

/** How a call is sent. */
export interface SendOptions {
  /** How much of the allowance it takes; 1 when absent. */
  readonly cost?: number;
  readonly signal?: AbortSignal;
  /** Asked right before the first byte leaves, which it does not when this says no. */
  readonly mayStillSend?: () => boolean;
}

/** What each lane of a client may ask, and how often. Reads have a lane of their own in every client. */
export type LaneAllowances<Lane extends string> = Readonly<Record<Lane | 'read', readonly Allowance[]>>;

interface LaneState {
  readonly pool: Pool;
  readonly budget: RequestBudget;
  heldUntil: number;
}

/**
 * Requests to one origin. Each lane has connections and allowances of its own, so that none waits for another. Redirects are
 * not followed, answers are bounded, nothing compressed is asked for. Nothing throws: how far a request got is its `Delivery`.
 */
export class HttpClient<Lane extends string = never> {
  readonly #limits: HttpLimits;
  readonly #base: string;
  readonly #lanes: ReadonlyMap<string, LaneState>;
  readonly #underway = new Set<Promise<Delivery>>();
  readonly #reachability: Reachability;
  readonly #closing = new AbortController();
  #isDraining = false;

  /** @param report told once for as long as reads fail because the host does not answer, in words without any of its text */
  constructor(
    base: URL,
    allowances: LaneAllowances<Lane>,
    limits: Partial<HttpLimits> = {},
    report: (reason: string) => void = () => {},
  ) {
    this.#limits = { ...HTTP_LIMITS, ...limits };
    this.#base = base.pathname.replace(/\/$/, '');
    this.#reachability = new Reachability(base.host, report);
    this.#lanes = new Map(
      Object.entries<readonly Allowance[]>(allowances).map(([lane, allowed]) => [
        lane,
        { pool: poolTo(base.origin, this.#limits), budget: new RequestBudget(allowed), heldUntil: 0 },
      ]),
    );
  }

  /** True while the host answers nothing. */
  get isDown(): boolean {
    return this.#reachability.isDown;
  }

  /**
   * How long the host wants no requests of this lane, in milliseconds; null while it wants them, or will before one that waits
   * for its turn gives up.
   */
  heldMs(lane: Lane | 'read'): number | null {
    const left = this.#lane(lane).heldUntil - performance.now();
    return left < this.#limits.overallMs / 2 ? null : left;
  }

  /**
   * Sends a request once, as soon as the allowance of its lane permits; never a second time. It waits for its turn for half
   * of the whole time at most, so that enough is left for an answer. Does not throw.
   */
  send(lane: Lane | 'read', call: Call, options: SendOptions = {}): Promise<Delivery> {
    return this.#sendBy(lane, call, performance.now() + this.#limits.overallMs, options);
  }

  /** Asks what may be asked twice: at most three times, all within the overall limit. Does not throw. */
  async read(call: Call, signal?: AbortSignal): Promise<Delivery> {
    const deadline = performance.now() + this.#limits.overallMs;
    const options = signal === undefined ? {} : { signal };
    let delivery = await this.#sendBy('read', call, deadline, options);
    for (const pauseMs of PAUSES_MS) {
      const wait = Math.max(pauseMs * (1 + JITTER * Math.random()), this.#waitAfter(delivery));
      if (!isPassing(delivery) || performance.now() + wait >= deadline) break;
      if (!(await this.#passed(wait, signal))) break;
      delivery = await this.#sendBy('read', call, deadline, options);
    }
    this.#reachability.noteRead(delivery);
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
    this.#closing.abort();
    await Promise.all([...this.#lanes.values()].map(({ pool }) => pool.destroy()));
  }

  async #sendBy(lane: Lane | 'read', call: Call, deadline: number, options: SendOptions): Promise<Delivery> {
    const delivery = this.#delivered(this.#lane(lane), call, deadline, options);
    this.#underway.add(delivery);
    return delivery.finally(() => this.#underway.delete(delivery));
  }

  async #delivered(
    lane: LaneState,
    call: Call,
    deadline: number,
    { cost, signal, mayStillSend }: SendOptions,
  ): Promise<Delivery> {
    const turnBy = (performance.now() + deadline) / 2;
    for (;;) {
      if (this.#isDraining) return notSent('aborted');
      const wait = await lane.budget.take(call.path, cost);
      if (wait === 0) break;
      if (performance.now() + wait >= turnBy) return notSent('throttled', wait);
      if (!(await this.#passed(wait, signal))) return notSent('aborted');
    }
    if (this.#isDraining) return notSent('aborted');
    const request = this.#written(call);
    if (request === undefined) return notSent('malformed');
    const delivery = await sendOnce(lane.pool, request, deadline - performance.now(), signal, mayStillSend);
    this.#reachability.note(delivery);
    if (delivery.kind === 'answered' && delivery.status === 429) await this.#hold(lane, call.path, delivery);
    return delivery;
  }

  async #hold(lane: LaneState, path: string, answer: Answered): Promise<void> {
    const wait = retryAfterMs(answer, null, this.#limits.longestWaitMs) ?? DEFAULT_HOLD_MS;
    lane.heldUntil = Math.max(lane.heldUntil, performance.now() + wait);
    await lane.budget.hold(path, wait);
  }

  #lane(lane: Lane | 'read'): LaneState {
    const state = this.#lanes.get(lane);
    if (state === undefined) throw new TypeError(`there is no lane ${lane}`);
    return state;
  }

  #waitAfter(delivery: Delivery): number {
    if (delivery.kind === 'answered') return retryAfterMs(delivery, null, this.#limits.longestWaitMs) ?? 0;
    return delivery.kind === 'not_sent' ? (delivery.waitMs ?? 0) : 0;
  }

  /** False when the caller or the client ended the wait. */
  #passed(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
    const closing = this.#closing.signal;
    return pause(milliseconds, signal === undefined ? closing : AbortSignal.any([closing, signal]));
  }

  #written(call: Call): Dispatcher.DispatchOptions | undefined {
    try {
      return this.#request(call);
    } catch {
      return undefined;
    }
  }

  #request({ method, path, query, body, headers }: Call): Dispatcher.DispatchOptions {
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

function poolTo(origin: string, { connectMs, headersMs, bodyMs, maxBytes, connections }: HttpLimits): Pool {
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
  return delivery.kind === 'answered' ? PASSING_STATUS.has(delivery.status) : !LASTING.has(delivery.reason);
}
