import { Agent, type Dispatcher } from 'undici';
import { AddressRefused, guardedConnect, type Resolve } from './guarded-connect.js';
import type { GuardTerms } from './guarded-url.js';
import { retryAfterMs } from './retry-after.js';

/** A request to an address that a user gave. */
export interface GuardedCall {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent byte for byte. */
  readonly body: string;
}

/** What came of a request. Its texts may be shown to the user who gave the address. */
export type GuardedAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** How long it asks to wait, a day at most; null where it does not. */
      readonly retryAfterMs: number | null;
      /** The beginning of the body, of `mostBytes`; less where it broke off. */
      readonly text: string;
    }
  /** Nothing was sent: the address is none that requests of users may go to. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The request may have been received all the same. */
  | { readonly kind: 'failed'; readonly reason: string };

/** How long a request may take, and how much its answer may have. */
export interface GuardedLimits {
  /** For the whole, from looking the name up to the end of the answer. */
  readonly overallMs: number;
  readonly connectMs: number;
  /** How much of an answer is read. */
  readonly mostBytes: number;
}

const LIMITS: GuardedLimits = { overallMs: 15_000, connectMs: 5000, mostBytes: 4096 };
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;
/** One answer for every failure before there is a connection: differences would show users what is in the server's network. */
const UNREACHABLE = 'cannot be reached';
/** What ends a connection that there was. */
const BROKEN = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|HPE_.*)$/;
const TLS_FAILURE = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)|^EPROTO$/;

/**
 * Sends POST requests to addresses that users gave: never into a network that the operator did not name, never to the target of
 * a redirect, each bounded in time and in what is read. Never throws. Its creator closes it.
 *
 * @example
 * ```ts
 * import { AddressRule, GuardedHttp } from 'stakeport/webhooks';
 *
 * const http = new GuardedHttp({ allowHttp: false, addresses: new AddressRule(['192.168.1.0/24']) });
 * await http.close();
 * ```
 */
export class GuardedHttp {
  readonly #agent: Agent;
  readonly #limits: GuardedLimits;
  readonly #closing = new AbortController();

  /** @param resolve looks names up; by default as the system does */
  constructor(
    private readonly terms: GuardTerms,
    limits: Partial<GuardedLimits> = {},
    resolve?: Resolve,
  ) {
    this.#limits = { ...LIMITS, ...limits };
    this.#agent = new Agent({
      connect: guardedConnect(terms, this.#limits.connectMs, resolve),
      pipelining: 1,
      // As many as are asked for: senders share places among accounts, and a host that several use may not be held by one of them.
      connections: null,
      keepAliveTimeout: 4000,
    });
  }

  /** Sends it once. An answer that redirects is an answer like any other. */
  async post({ url, headers, body }: GuardedCall): Promise<GuardedAnswer> {
    if (url.protocol !== 'https:' && !(this.terms.allowHttp && url.protocol === 'http:'))
      return { kind: 'refused', reason: 'is not an https URL' };
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#limits.overallMs)]);
    try {
      const own = { 'user-agent': 'stakeport', 'accept-encoding': 'identity' };
      const answer = await this.#agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        body,
        signal,
        headers: { ...own, ...headers },
      });
      const wait = retryAfterMs(answer, null, LONGEST_WAIT_MS);
      const text = await beginningOf(answer.body, this.#limits.mostBytes);
      return { kind: 'answered', status: answer.statusCode, retryAfterMs: wait, text };
    } catch (error) {
      if (error instanceof AddressRefused) return { kind: 'refused', reason: UNREACHABLE };
      return { kind: 'failed', reason: failureOf(error) };
    }
  }

  /** Ends what is under way, and closes every connection. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#agent.destroy();
  }
}

/** A body that is longer, or never ends, is not read on: its status is what counts. */
async function beginningOf(body: Dispatcher.ResponseData['body'], most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= most) break;
    }
  } catch {
    // What was read until then is shown.
  }
  return Buffer.concat(chunks).subarray(0, most).toString('utf8');
}

/** In words that follow the name of the receiver, and that hold nothing of its text. */
function failureOf(error: unknown): string {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return 'did not answer in time';
  const raw = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (TLS_FAILURE.test(raw)) return 'failed TLS verification';
  return BROKEN.test(raw) ? 'broke the connection off' : UNREACHABLE;
}
