import { type Dispatcher, Pool } from 'undici';
import type { WireProblem } from '../../../adapters/http/answers.js';
import { type Answered, sendOnce } from '../../../adapters/transport/send-once.js';
import { VERSION } from '../../../server/http/version.js';
import type { ApiFailure } from './api-failure.js';
import { type AskedOf, refusedFailure, unansweredFailure } from './sentences.js';
import type { ServerAddress } from './server-address.js';

/** A request of the API. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** A member that is undefined is not sent. */
  readonly query?: Readonly<Record<string, string | boolean | undefined>>;
  readonly body?: object;
  /** The idempotency key of what must not be done twice. */
  readonly key?: string;
  /** What to do where the server has no such thing. */
  readonly missing?: string;
}

/** What the server answered. */
export interface ApiAnswer<Body> {
  /** Byte for byte. */
  readonly text: string;
  readonly body: Body;
  /** True of an answer to an earlier request with the same key. */
  readonly isReplayed: boolean;
}

const CONNECT_MS = 5000;
/** Longer than a server takes for an order with real money. */
const WITHIN_MS = 60_000;
const MOST_BYTES = 16 * 1024 * 1024;
const CONNECTIONS = 8;

/** Sends requests to one server, each once. A ^C ends one, and its failure says whether it may have been done. */
export class ApiClient {
  readonly #pool: Pool;
  readonly #base: string;
  readonly #interrupted = new AbortController();
  readonly #interrupt = () => this.#interrupted.abort();

  constructor(readonly server: ServerAddress) {
    this.#base = server.url.pathname.replace(/\/$/, '');
    this.#pool = new Pool(server.url.origin, {
      connections: CONNECTIONS,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: CONNECT_MS },
      headersTimeout: WITHIN_MS,
      bodyTimeout: WITHIN_MS,
      maxResponseSize: MOST_BYTES,
    });
    process.once('SIGINT', this.#interrupt);
  }

  /** @throws ApiFailure where the answer is not a success, or did not come */
  async request<Body>({ method = 'GET', path, query, body, key, missing }: ApiRequest): Promise<ApiAnswer<Body>> {
    const asked: AskedOf = { server: this.server, key: key ?? null, missing: missing ?? null };
    const request = {
      method,
      path: this.pathOf(path, query),
      reset: false,
      body: body === undefined ? null : JSON.stringify(body),
      headers: { ...this.headers(), ...(body !== undefined && JSON_BODY), ...(key !== undefined && keyed(key)) },
    };
    const delivery = await sendOnce(this.#pool, request, WITHIN_MS, this.#interrupted.signal);
    if (delivery.kind !== 'answered') throw unansweredFailure(delivery, asked);
    const text = delivery.body.toString('utf8');
    const read = parsed(text);
    const isDone = delivery.status >= 200 && delivery.status < 300 && read !== undefined;
    if (isDone) return { text, body: read as Body, isReplayed: headerOf(delivery, 'idempotency-replayed') === 'true' };
    const problem = isProblem(read) ? read : undefined;
    throw refusedFailure({ status: delivery.status, retryAfter: headerOf(delivery, 'retry-after'), problem }, asked);
  }

  /** Aborted by ^C. */
  get interrupted(): AbortSignal {
    return this.#interrupted.signal;
  }

  /** What an answer means that is no success, to a request that changes nothing. */
  async failureOf({ statusCode: status, headers, body }: Dispatcher.ResponseData): Promise<ApiFailure> {
    const read = parsed(await body.text());
    const after = headers['retry-after'];
    const retryAfter = typeof after === 'string' ? after : null;
    const asked = { server: this.server, key: null, missing: null };
    return refusedFailure({ status, retryAfter, problem: isProblem(read) ? read : undefined }, asked);
  }

  /** The path as the server has it, below its own address. */
  pathOf(path: string, query: ApiRequest['query'] = {}): string {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, `${value}`] as const],
    );
    return `${this.#base}${path}${given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given))}`}`;
  }

  /** What every request carries. */
  headers(): Record<string, string> {
    const { key } = this.server;
    const common = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': `stakeport/${VERSION}` };
    return key === null ? common : { ...common, authorization: `Bearer ${key}` };
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    process.removeListener('SIGINT', this.#interrupt);
    await this.#pool.destroy();
  }
}

const JSON_BODY = { 'content-type': 'application/json' };
const keyed = (key: string) => ({ 'idempotency-key': key });

function headerOf({ headers }: Answered, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(body: unknown): body is WireProblem {
  if (typeof body !== 'object' || body === null) return false;
  return 'type' in body && typeof body.type === 'string' && 'detail' in body && typeof body.detail === 'string';
}
