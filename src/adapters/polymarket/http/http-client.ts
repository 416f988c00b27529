import { performance } from 'node:perf_hooks';
import { DelegateBackoff, ExponentialBackoff, handleWhen, type IBackoff, retry } from 'cockatiel';
import { type Dispatcher, errors, Pool } from 'undici';
import { MarketDataUnavailable } from '../../../core/errors.js';
import { Outage } from '../../transport/outage.js';
import { type Allowance, RequestBudget } from '../../transport/request-budget.js';

/** How long and how large an answer may be. */
export interface HttpLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** The longest silence within a body. */
  readonly bodyMs: number;
  /** For the whole call, with its repetitions and the waits between them. */
  readonly overallMs: number;
  readonly maxBytes: number;
}

const LIMITS: HttpLimits = {
  connectMs: 3000,
  headersMs: 5000,
  bodyMs: 5000,
  overallMs: 12_000,
  maxBytes: 8 * 1024 * 1024,
};

const CONNECTIONS = 8;
const KEEP_ALIVE_MS = 10_000;
const REPETITIONS = 2;
const BACKOFF_STEPS = { initialDelay: 200, maxDelay: 2000 };
/** For a refusal that does not say how long to stay away. */
const UNTOLD_WAIT_MS = 1000;
/** No answer may silence the client for longer than this. */
const LONGEST_HOLD_MS = 600_000;
/** Too early, too many, and what a server says of itself; the others would be answered the same again. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** One attempt that failed; `again` when another may do better, after `waitMs` at the earliest. */
class Failure extends Error {
  constructor(
    message: string,
    readonly again: boolean,
    readonly waitMs = 0,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** One that whoever asks this host now would meet. */
class Down extends Failure {}

/** Reads JSON from one origin. Redirects are not followed, bodies are bounded, and no text of an answer is repeated in an error. */
export class HttpClient {
  readonly #pool: Pool;
  readonly #base: string;
  readonly #budget: RequestBudget;
  readonly #limits: HttpLimits;
  readonly #closing = new AbortController();

  constructor(
    base: URL,
    allowances: readonly Allowance[],
    limits: Partial<HttpLimits> = {},
    private readonly outage = new Outage(base.host, () => {}),
  ) {
    this.#limits = { ...LIMITS, ...limits };
    this.#base = base.pathname.replace(/\/$/, '');
    this.#budget = new RequestBudget(allowances);
    this.#pool = new Pool(base.origin, {
      connections: CONNECTIONS,
      connect: { timeout: this.#limits.connectMs },
      headersTimeout: this.#limits.headersMs,
      bodyTimeout: this.#limits.bodyMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxResponseSize: this.#limits.maxBytes,
    });
  }

  /**
   * The JSON at this path; undefined when the server says 404. Repeated at most twice.
   * @throws MarketDataUnavailable for every other answer, and for none in time.
   */
  async get(path: string, query = new URLSearchParams(), signal?: AbortSignal): Promise<unknown> {
    const deadline = performance.now() + this.#limits.overallMs;
    const late = AbortSignal.timeout(this.#limits.overallMs);
    const ended = AbortSignal.any([late, this.#closing.signal, ...(signal === undefined ? [] : [signal])]);
    const worthwhile = (error: Error): boolean =>
      error instanceof Failure && error.again && performance.now() + error.waitMs < deadline;
    const policy = retry(handleWhen(worthwhile), { maxAttempts: REPETITIONS, backoff: BACKOFF });
    try {
      const answer = await policy.execute(() => this.#attempt(path, query, ended), ended);
      this.outage.ended();
      return answer;
    } catch (error) {
      const failure = failureOf(error);
      if (failure instanceof Down) this.outage.met(failure.message, failure.cause);
      throw new MarketDataUnavailable(`The source of market data ${failure.message}.`);
    }
  }

  /** Ends every connection; requests under way fail, and are not repeated. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#pool.destroy();
  }

  async #attempt(path: string, query: URLSearchParams, signal: AbortSignal): Promise<unknown> {
    const waitMs = await this.#budget.take(path);
    if (waitMs > 0) throw new Failure('must not be asked so often', true, waitMs);
    const search = query.size > 0 ? `?${query}` : '';
    try {
      const headers = { accept: 'application/json', 'user-agent': 'stakeport' };
      const answer = await this.#pool.request({
        method: 'GET',
        path: `${this.#base}${path}${search}`,
        headers,
        signal,
      });
      return await this.#read(path, answer);
    } catch (error) {
      throw failureOf(error);
    }
  }

  async #read(path: string, { statusCode, headers, body }: Dispatcher.ResponseData): Promise<unknown> {
    if (statusCode === 200) return parsed(await body.arrayBuffer());
    await body.dump({ limit: this.#limits.maxBytes });
    const isPage = String(headers['content-type']).startsWith('text/html');
    if (statusCode === 404 && !isPage) return undefined;
    const waitMs = statusCode === 429 || statusCode === 503 ? retryAfter(headers['retry-after']) : 0;
    if (statusCode === 429) await this.#budget.hold(path, waitMs);
    throw new (isPage || statusCode >= 500 ? Down : Failure)(
      `answered with status ${statusCode}${isPage ? ' and a page' : ''}`,
      PASSING.has(statusCode),
      waitMs,
    );
  }
}

/** Waits longer each time, and never less than the server asked for. */
const BACKOFF = new DelegateBackoff<{ readonly result: object }, IBackoff<unknown>>(({ result }, last) => {
  const state = last?.next(undefined) ?? new ExponentialBackoff(BACKOFF_STEPS).next();
  const error = 'error' in result ? result.error : undefined;
  return { delay: Math.max(state.duration, error instanceof Failure ? error.waitMs : 0), state };
});

/**
 * Numbers become doubles here. That is exact for what is read as money later: a decimal of at most 15 significant digits
 * survives the way into a double and back to its shortest text, and the readers refuse longer ones.
 */
function parsed(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Failure('answered with something that is not JSON', false);
  }
}

/** In seconds or as a date (RFC 9110, 10.2.3). */
function retryAfter(header: string | string[] | undefined): number {
  const text = String(header ?? '').trim();
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? UNTOLD_WAIT_MS : Math.min(Math.max(wait, 0), LONGEST_HOLD_MS);
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof errors.ResponseExceededMaxSizeError) return new Failure('sent more than is read of it', false);
  if (error instanceof Error && error.name === 'AbortError') return new Failure('is no longer asked', false);
  if (error instanceof Error && error.name === 'TimeoutError') return new Down('did not answer in time', false);
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    return new Down('did not answer in time', true);
  }
  return new Down('cannot be reached', true, 0, error);
}
