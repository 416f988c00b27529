import type { Dispatcher } from 'undici';
import { codeOf } from './error-code.js';

/** One request. `headers` is called at the last moment, since a signature ages. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base address, without a query. */
  readonly path: string;
  readonly query?: URLSearchParams;
  /** Sent byte for byte. */
  readonly body?: string;
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** The venue answered in full, with any status. */
export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Proof that not one byte of the request was written. */
export interface NotSent {
  readonly kind: 'not_sent';
  readonly reason:
    | 'unreachable'
    | 'connect_timeout'
    | 'tls_failed'
    | 'throttled'
    | 'late'
    | 'aborted'
    | 'withdrawn'
    | 'malformed';
  /** When another attempt may do better; null when the venue's allowance is not the obstacle. */
  readonly waitMs: number | null;
  /** The operating system's code, such as `ECONNREFUSED`; absent when there is none. */
  readonly code?: string;
}

/** Bytes may have left, and no complete answer came back: the venue may have acted. */
export interface Silence {
  readonly kind: 'silence';
  readonly reason: 'timeout' | 'aborted' | 'connection_lost' | 'answer_too_large' | 'answer_malformed';
}

/** How far one request got. */
export type Delivery = Answered | NotSent | Silence;

const TLS_FAILURE = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)|^EPROTO$/;
const FIRST_FINAL_STATUS = 200;

/**
 * Sends a request once. The proof that nothing was sent is that the dispatcher never announced the request: it does so
 * before it writes to an open connection (undici, `onRequestStart`). After that the outcome is an answer or a silence. A
 * dispatcher that announces a request a second time, to repeat it, is stopped before it writes. `mayStillSend` is called at
 * that moment, however long the request waited for its connection.
 */
export function sendOnce(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  withinMs: number,
  signal?: AbortSignal,
  mayStillSend: () => boolean = () => true,
): Promise<Delivery> {
  return new Promise((resolve) => {
    const attempt = new Attempt(settle, mayStillSend);
    const stop = () => attempt.stop('aborted');
    const timer = setTimeout(() => attempt.stop('late'), Math.max(withinMs, 0));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
    else dispatcher.dispatch(request, attempt);

    function settle(delivery: Delivery): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve(delivery);
    }
  });
}

/** The outcome of a request that never left this machine. */
export function notSent(reason: NotSent['reason'], waitMs: number | null = null, code?: string): NotSent {
  return { kind: 'not_sent', reason, waitMs, ...(code === undefined ? {} : { code }) };
}

class Attempt implements Dispatcher.DispatchHandler {
  readonly #settle: (delivery: Delivery) => void;
  readonly #mayStillSend: () => boolean;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #head: Pick<Answered, 'status' | 'headers'> | undefined;
  #settled = false;

  constructor(settle: (delivery: Delivery) => void, mayStillSend: () => boolean) {
    this.#settle = settle;
    this.#mayStillSend = mayStillSend;
  }

  stop(reason: 'late' | 'aborted'): void {
    const silence = reason === 'late' ? 'timeout' : 'aborted';
    this.#end(this.#controller === undefined ? notSent(reason) : { kind: 'silence', reason: silence });
    this.#controller?.abort(new Error(reason));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#controller !== undefined) this.#end({ kind: 'silence', reason: 'connection_lost' });
    else if (!this.#settled && !this.#mayStillSend()) this.#end(notSent('withdrawn'));
    if (this.#settled) controller.abort(new Error('not to be sent'));
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Answered['headers']): void {
    if (status >= FIRST_FINAL_STATUS) this.#head = { status, headers };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#head === undefined) this.#end({ kind: 'silence', reason: 'answer_malformed' });
    else this.#end({ kind: 'answered', ...this.#head, body: Buffer.concat(this.#chunks) });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    const code = 'code' in error ? String(error.code) : '';
    if (this.#controller === undefined) this.#end(notSent(obstacle(code), null, codeOf(error)));
    else this.#end({ kind: 'silence', reason: loss(error, code) });
  }

  #end(delivery: Delivery): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#settle(delivery);
  }
}

function obstacle(code: string): NotSent['reason'] {
  if (TLS_FAILURE.test(code)) return 'tls_failed';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'connect_timeout';
  if (code === 'UND_ERR_INVALID_ARG') return 'malformed';
  return code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED' ? 'aborted' : 'unreachable';
}

function loss(error: Error, code: string): Silence['reason'] {
  if (error.name === 'HTTPParserError' || code.startsWith('UND_ERR_RES_CONTENT')) return 'answer_malformed';
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return 'timeout';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code === 'UND_ERR_HEADERS_OVERFLOW') return 'answer_too_large';
  return code === 'UND_ERR_DESTROYED' ? 'aborted' : 'connection_lost';
}
