import { performance } from 'node:perf_hooks';
import { type Dispatcher, Pool } from 'undici';
import { pause } from './backoff.js';
import { HTTP_LIMITS, type HttpLimits } from './http-limits.js';
import { Reachability } from './reachability.js';
import { type Allowance, RequestBudget } from './request-budget.js';
import { retryAfterMs } from './retry-after.js';
import { type Answered, type Call, type Delivery, notSent, sendOnce } from './send-once.js';

const KEEP_ALIVE_MS = 10_000;
/** For a 429 that does not say how long to wait. */
const DEFAULT_HOLD_MS = 1000;
/** By how much a pause may be longer, so that clients do not retry in step. */
const JITTER = 0.5;
/** Too early, too many requests, and server errors; other statuses would come back the same. */
const PASSING_STATUS = new Set([408, 425, 429, 500, 502, 503, 504]);
const LASTING: ReadonlySet<string> = new Set(['aborted', 'malformed', 'tls_failed', 'answer_too_large']);

/** The options of a read. */
export interface ReadOptions<Lane extends string> {
  /** `read` when absent. */
  readonly lane?: Lane | 'read';
  /** Its cost against the allowance, each time that it is sent; 1 when absent. */
  readonly cost?: number;
  /** The account whose share of the allowance it takes; null, or absent, for none. */
  readonly account?: string | null;
  readonly signal?: AbortSignal | undefined;
  /** Resolves, with what frees its place, once the request may be sent; the place is freed while it waits for the allowance. */
  readonly turn?: () => Promise<() => void>;
}

/** The options of one call. */
export interface SendOptions {
  /** Its cost against the allowance; 1 when absent. */
  readonly cost?: number;
  /** Whose share of the allowance it takes. */
  readonly account?: string | null;
  readonly signal?: AbortSignal | undefined;
  readonly turn?: () => Promise<() => void>;
  /** Called right before the first byte is written; false stops the request. */
  readonly mayStillSend?: () => boolean;
}

/** The allowances of each lane of a client. Reads have a lane of their own in every client. */
export type LaneAllowances<Lane extends string> = Readonly<Record<Lane | 'read', readonly Allowance[]>>;

interface LaneState {
  readonly pool: Pool;
  budget: RequestBudget;
  heldUntil: number;
}

/**
 * Requests to one origin. Each lane has its own connections and allowances, so that none waits for another. Redirects are
 * not followed, answers are bounded, no compression is requested. Nothing throws: the `Delivery` says how far a request got.
 */
export class HttpClient<Lane extends string = never> {
  readonly #limits: HttpLimits;
  readonly #base: string;
  readonly #lanes: ReadonlyMap<string, LaneState>;
  readonly #underway = new Set<Promise<Delivery>>();
  readonly #reachability: Reachability;
  readonly #closing = new AbortController();
  #isDraining = false;

  /** @param report called once per outage in which the host answers no reads, with a reason that holds none of its text */
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

  /** From now on each lane keeps to these; they count afresh, and end what a 429 holds off. */
  allow(allowances: LaneAllowances<Lane>): void {
    for (const [lane, allowed] of Object.entries<readonly Allowance[]>(allowances)) {
      const state = this.#lanes.get(lane);
      if (state !== undefined) state.budget = new RequestBudget(allowed);
    }
  }

  /** True while the host does not answer. */
  get isDown(): boolean {
    return this.#reachability.isDown;
  }

  /**
   * How long the host holds off requests of this lane, in milliseconds; null while it takes them, or will by half of the time
   * after which a queued request gives up: one that waited longer could be late by the delay of a timer.
   */
  heldMs(lane: Lane | 'read'): number | null {
    const left = this.#lane(lane).heldUntil - performance.now();
    return left < this.#limits.overallMs / 4 ? null : left;
  }

  /**
   * Sends a request once, as soon as the allowance of its lane permits; never a second time. It is queued for at most half of
   * the total time, so that enough is left for an answer. Does not throw.
   */
  send(lane: Lane | 'read', call: Call, options: SendOptions = {}): Promise<Delivery> {
    return this.#sendBy(lane, call, performance.now() + this.#limits.overallMs, options);
  }

  /** Sends a request that is safe to repeat: at most three times, all within the overall limit. Does not throw. */
  async read(call: Call, { lane = 'read', ...options }: ReadOptions<Lane> = {}): Promise<Delivery> {
    const deadline = performance.now() + this.#limits.overallMs;
    let delivery = await this.#sendBy(lane, call, deadline, options);
    for (const pauseMs of this.#limits.pausesMs) {
      const wait = Math.max(pauseMs * (1 + JITTER * Math.random()), this.#waitAfter(delivery));
      if (!isPassing(delivery) || performance.now() + wait >= deadline) break;
      if (!(await this.#passed(wait, options.signal))) break;
      delivery = await this.#sendBy(lane, call, deadline, options);
    }
    this.#reachability.noteRead(delivery);
    return delivery;
  }

  /**
   * Starts nothing more, waits until the calls in progress have ended, each by its own limit, and closes every connection.
   */
  async drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#underway.size > 0) await Promise.all(this.#underway);
    await this.close();
  }

  /** Closes every connection; waiting calls get `not_sent`, calls in progress `silence`. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#lanes.values()].map(({ pool }) => pool.destroy()));
  }

  async #sendBy(lane: Lane | 'read', call: Call, deadline: number, options: SendOptions): Promise<Delivery> {
    const delivery = this.#delivered(this.#lane(lane), call, deadline, options);
    this.#underway.add(delivery);
    return delivery.finally(() => this.#underway.delete(delivery));
  }

  async #delivered(lane: LaneState, call: Call, deadline: number, options: SendOptions): Promise<Delivery> {
    const turnBy = (performance.now() + deadline) / 2;
    for (;;) {
      if (this.#isDraining) return notSent('aborted');
      const end = (await options.turn?.()) ?? (() => {});
      if (performance.now() >= turnBy) {
        end();
        return notSent('late');
      }
      const wait = await lane.budget.take(call.path, options.cost, options.account);
      if (wait === 0) return this.#sent(lane, call, deadline, options).finally(end);
      end();
      if (performance.now() + wait >= turnBy) return notSent('throttled', wait);
      if (!(await this.#passed(wait, options.signal))) return notSent('aborted');
    }
  }

  async #sent(lane: LaneState, call: Call, deadline: number, options: SendOptions): Promise<Delivery> {
    if (this.#isDraining) return notSent('aborted');
    const request = this.#written(call);
    if (request === undefined) return notSent('malformed');
    const { signal, mayStillSend } = options;
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
      // undici closes a connection after a DELETE with a body unless configured not to.
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
    // A request is written only to an idle connection, so that none is ever repeated because another one failed.
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
