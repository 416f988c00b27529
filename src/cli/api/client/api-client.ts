import type { Dispatcher, Pool } from 'undici';
import type { WireProblem } from '../../../adapters/http/answers.js';
import type { ProblemName } from '../../../adapters/http/problem.js';
import { VERSION } from '../../../adapters/system/version.js';
import { type Answered, type Delivery, sendOnce } from '../../../adapters/transport/send-once.js';
import { inOneLine } from '../../../core/one-line.js';
import { EXIT, type ExitCode } from '../../../server/failures/exit.js';
import { ApiFailure } from './api-failure.js';
import { ENVIRONMENT, type ServerAddress } from './server-address.js';

/** A request of the API. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** A member that is undefined is not sent. */
  readonly query?: Readonly<Record<string, string | boolean | undefined>>;
  readonly body?: object;
  /** The idempotency key of what must not be done twice. */
  readonly key?: string;
  /** The `ETag` of what is changed, as it was seen. */
  readonly ifMatch?: string;
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
  /** The `ETag` of what is answered; null where it has none. */
  readonly etag: string | null;
}

const CONNECT_MS = 5000;
/** Longer than a server takes for an order with real money. */
const WITHIN_MS = 60_000;
const MOST_BYTES = 16 * 1024 * 1024;
const CONNECTIONS = 8;

/** Sends requests to one server, each once. A ^C ends one, and its failure says whether it may have been done. */
export class ApiClient {
  #pool: Promise<Pool> | null = null;
  readonly #base: string;
  readonly #interrupted = new AbortController();
  readonly #interrupt = () => this.#interrupted.abort();

  constructor(readonly server: ServerAddress) {
    this.#base = server.url.pathname.replace(/\/$/, '');
    process.once('SIGINT', this.#interrupt);
  }

  /** @throws ApiFailure where the answer is not a success, or did not come */
  async request<Body>({
    method = 'GET',
    path,
    query,
    body,
    key,
    ifMatch,
    missing,
  }: ApiRequest): Promise<ApiAnswer<Body>> {
    const asked: AskedOf = { server: this.server, key: key ?? null, missing: missing ?? null };
    const request = {
      method,
      path: this.pathOf(path, query),
      reset: false,
      body: body === undefined ? null : JSON.stringify(body),
      headers: {
        ...this.headers(),
        ...(body !== undefined && JSON_BODY),
        ...(key !== undefined && keyed(key)),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
    };
    this.#pool ??= poolFor(this.server);
    const delivery = await sendOnce(await this.#pool, request, WITHIN_MS, this.#interrupted.signal);
    if (delivery.kind !== 'answered') throw unansweredFailure(delivery, asked);
    const text = delivery.body.toString('utf8');
    const read = parsed(text);
    const isDone = delivery.status >= 200 && delivery.status < 300 && read !== undefined;
    if (isDone) {
      const isReplayed = headerOf(delivery, 'idempotency-replayed') === 'true';
      return { text, body: read as Body, isReplayed, etag: headerOf(delivery, 'etag') };
    }
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
    await (await this.#pool)?.destroy();
  }
}

/** Loaded for the first request: a list of all commands needs none. */
async function poolFor({ url }: ServerAddress): Promise<Pool> {
  const undici = await import('undici');
  return new undici.Pool(url.origin, {
    connections: CONNECTIONS,
    pipelining: 1,
    allowH2: false,
    connect: { timeout: CONNECT_MS },
    headersTimeout: WITHIN_MS,
    bodyTimeout: WITHIN_MS,
    maxResponseSize: MOST_BYTES,
  });
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

/** What was asked, as far as a failure depends on it. */
export interface AskedOf {
  readonly server: ServerAddress;
  /** Repeats the request; null where it changes nothing, or may be repeated without one. */
  readonly key: string | null;
  /** What to do where the server has no such thing. */
  readonly missing: string | null;
}

type Unanswered = Exclude<Delivery, { kind: 'answered' }>;

/** Problems whose exit code does not follow from their status. */
const EXITS: Partial<Record<ProblemName, ExitCode>> = {
  'market-unusable': EXIT.no,
  'misdirected-request': EXIT.config,
};

const WRONG_REQUEST = [400, 413, 414, 415, 422];

/** Refused before anything could be recorded, although the status is one of a server that failed. */
const NOT_DONE: readonly string[] = ['market-data-unavailable', 'paper-elsewhere'] satisfies ProblemName[];

/** No answer came: whether the request can have been done, and what to do. */
function unansweredFailure(delivery: Unanswered, { server, key }: AskedOf): ApiFailure {
  const { origin } = server.url;
  if (delivery.kind === 'silence')
    return key === null ? lostRead(origin) : lostWrite(`The answer of ${origin} was lost`, key);
  const { reason } = delivery;
  if (reason === 'aborted') return new ApiFailure('Interrupted. Nothing was sent.', EXIT.no);
  const why = delivery.code === undefined ? reason.replace('_', ' ') : delivery.code;
  const words = `${origin} is not reached (${why}). Is the server running, and is ${server.from} right? Nothing was sent.`;
  return new ApiFailure(words, reason === 'malformed' ? EXIT.config : EXIT.unavailable);
}

/** The answer is no, or a failure; `problem` is undefined where the server did not say why. */
function refusedFailure(
  answer: { readonly status: number; readonly retryAfter: string | null; readonly problem: WireProblem | undefined },
  asked: AskedOf,
): ApiFailure {
  const { status, problem } = answer;
  if (problem === undefined) return unexplained(status, asked);
  const name = problem.type.slice(problem.type.lastIndexOf('/') + 1);
  const isOpen = asked.key !== null && isInDoubt(name, status);
  if (isOpen) return lostWrite(inOneLine(problem.detail).replace(/\.$/, ''), asked.key ?? '', problem);
  const exit = EXITS[name as ProblemName] ?? exitOf(status);
  const again = exit === EXIT.unavailable ? ` Try again in ${answer.retryAfter ?? '1'} s.` : '';
  return new ApiFailure(`${inOneLine(wordsOf(name, problem, asked))}${again}`, exit, { problem });
}

/** A server that failed may have recorded what it was asked for. */
const isInDoubt = (name: string, status: number): boolean =>
  name === 'idempotency-in-progress' || (status >= 500 && !NOT_DONE.includes(name));

function exitOf(status: number): ExitCode {
  if (status === 401) return EXIT.config;
  if (status === 429 || status === 408 || status >= 500) return EXIT.unavailable;
  return WRONG_REQUEST.includes(status) ? EXIT.usage : EXIT.no;
}

function unexplained(status: number, { server, key }: AskedOf): ApiFailure {
  const { origin } = server.url;
  if (status >= 500 && key !== null) return lostWrite(`${origin} answered ${status} without a reason`, key);
  if (status >= 500)
    return new ApiFailure(`${origin} answered ${status} without a reason. Try again.`, EXIT.unavailable);
  const words = `${origin} answers ${status}, and not as a stakeport server does. Is ${server.from} right?`;
  return new ApiFailure(words, EXIT.config);
}

const lostRead = (origin: string) =>
  new ApiFailure(`The answer of ${origin} was lost. Run the same again: that changes nothing twice.`, EXIT.unavailable);

function lostWrite(what: string, key: string, problem?: WireProblem): ApiFailure {
  const words = `${what}: it is not known whether it was done. Run the same with --key ${key} to learn what happened; that does nothing twice.`;
  return new ApiFailure(words, EXIT.unfinished, { key, problem });
}

/** What the server says, and the way out. */
function wordsOf(name: string, { detail, errors }: WireProblem, { server, missing }: AskedOf): string {
  switch (name as ProblemName) {
    case 'unauthenticated':
      if (server.key === null) return `${server.url.origin} wants a key. ${loginWords(server)}`;
      return `${server.url.origin} does not take ${keyNameOf(server)}. ${loginWords(server)}`;
    case 'insufficient-scope':
      return `${detail} It is not among those of ${keyNameOf(server)}: use a key that has it (stakeport keys create).`;
    case 'not-found':
      return missing ?? detail;
    case 'market-not-found':
      return `${detail} Find it with: stakeport markets WORDS`;
    case 'strategy-not-found':
      return `${detail} Yours are in: stakeport strategies`;
    case 'validation-failed':
      return `${(errors ?? []).map((one) => `${nameOf(one.pointer)} ${one.detail}`).join(';\n') || detail}. See --help`;
    case 'idempotency-key-reused':
      return `${detail} Leave --key out for something new.`;
    default:
      return detail;
  }
}

const isOfEnvironment = ({ from }: ServerAddress): boolean => from === ENVIRONMENT;

/** What authenticates, by where it was stored. */
const keyNameOf = (server: ServerAddress): string =>
  isOfEnvironment(server) ? 'STAKEPORT_KEY' : `the key of ${server.from}`;

/** How another key gets used: a profile is of no use while the environment names the server. */
function loginWords(server: ServerAddress): string {
  if (isOfEnvironment(server))
    return 'Set STAKEPORT_KEY to a valid one (stakeport keys create makes one, beside the server), or unset STAKEPORT_URL to use a profile.';
  const { url, profile } = server;
  return `Run, with a valid one: stakeport login ${url.origin}${profile === null ? '' : ` --profile ${profile}`}`;
}

/** The member or the parameter that a pointer names. */
const nameOf = (pointer: string): string => pointer.replace(/^[/?]/, '').replace(/_usdc$/, '') || 'The request';
