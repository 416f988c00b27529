import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { AppContext, State } from './app-context.js';
import { hasBody } from './body.js';
import { problemOf } from './errors.js';
import type { Gate } from './gate.js';
import { requestIdOf } from './headers.js';
import type { Observer } from './metrics.js';
import { PROBLEM_MEDIA_TYPE } from './problem.js';
import { EVENT_STREAM } from './sent-event.js';

/** How much of a refused body is read and discarded, so that its sender sees the refusal. */
const DRAIN_LIMIT_BYTES = 64 * 1024 * 1024;

/** The outermost middleware: request ids, headers of answers, problems of errors. `gate` runs first. */
export function answerEverything(observer: Observer, gate: Gate): Koa.Middleware<State> {
  return async (ctx, next) => {
    const started = performance.now();
    const requestId = requestIdOf(ctx.req);
    const state: State = Object.assign(ctx.state, {
      requestId,
      route: 'unmatched',
      account: null,
      answer: null,
      order: null,
      stream: null,
    });
    try {
      gate(ctx.req);
      await next();
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) observer.failed(requestId, error);
      const { headers } = problem.more;
      state.answer = { status: problem.status, headers, type: PROBLEM_MEDIA_TYPE, text: problem.body(requestId) };
    }
    if (state.stream === null) send(ctx);
    else sendStream(ctx, state.stream);
    const { route, account, order } = state;
    const durationMs = performance.now() - started;
    const answered = { requestId, method: ctx.method, route, status: ctx.status, durationMs, account };
    observer.answered(order === null ? answered : { ...answered, order });
  };
}

/** What every answer has. */
const headersOf = (requestId: string) => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});

/** A page of the documentation is sent by Koa; an answer of the API is written as it is, with its headers at once. */
function send(ctx: AppContext): void {
  const { requestId, answer } = ctx.state;
  if (answer === null) {
    const { 'cache-control': caching, ...headers } = headersOf(requestId);
    ctx.set(headers);
    if (!ctx.res.hasHeader('cache-control')) ctx.set('cache-control', caching);
    sendInPieces(ctx);
    return;
  }
  const { status, headers, type, text } = answer;
  const { req, res } = ctx;
  ctx.respond = false;
  const all: OutgoingHttpHeaders = headersOf(requestId);
  for (const name in headers) all[name] = headers[name];
  all['content-type'] = type;
  all['Content-Length'] = Buffer.byteLength(text);
  res.writeHead(status, all);
  // Node itself closes the connection of a client that never received `100 Continue`.
  const isUnread = status >= 400 && req.headers.expect === undefined && !req.complete && hasBody(req);
  if (isUnread) answerThenDrain(req, res, text);
  else sendText(req, res, text);
}

/** A proxy that holds back what it gets, until it is much, is asked not to. */
function sendStream(ctx: AppContext, stream: (res: ServerResponse) => void): void {
  ctx.respond = false;
  const headers = { ...headersOf(ctx.state.requestId), 'content-type': `${EVENT_STREAM}; charset=utf-8` };
  ctx.res.writeHead(200, { ...headers, 'x-accel-buffering': 'no' });
  ctx.res.flushHeaders();
  stream(ctx.res);
}

/**
 * Answers at once, but ends the exchange only when the rest of the body has been read and discarded: closing a socket with
 * unread data resets the connection, and the client would never see the answer.
 */
function answerThenDrain(req: IncomingMessage, res: ServerResponse, body: string): void {
  let dropped = 0;
  res.write(body);
  req.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > DRAIN_LIMIT_BYTES) req.destroy();
  });
  req.once('end', () => res.end());
  req.once('error', () => res.destroy());
  req.resume();
}

/** How much of a body is handed over at once. */
const PIECE_BYTES = 64 * 1024;

/**
 * Sends a body larger than a piece one piece after another, each when the one before has left: the client's progress is then
 * known to within a piece, so a slow reader of a large body is recognised as reading.
 */
function sendInPieces(ctx: AppContext): void {
  const { body } = ctx;
  if (!(Buffer.isBuffer(body) || typeof body === 'string') || body.length <= PIECE_BYTES || ctx.method === 'HEAD')
    return;
  ctx.respond = false;
  sendFrom(ctx.res, Buffer.isBuffer(body) ? body : Buffer.from(body), 0);
}

/** Sends a text whose headers are written, in the same pieces. */
function sendText({ method }: IncomingMessage, res: ServerResponse, text: string): void {
  if (method === 'HEAD') res.end();
  else if (text.length <= PIECE_BYTES) res.end(text);
  else sendFrom(res, Buffer.from(text), 0);
}

function sendFrom(res: ServerResponse, body: Buffer, start: number): void {
  const end = start + PIECE_BYTES;
  const piece = body.subarray(start, end);
  if (end >= body.length) {
    res.end(piece);
    return;
  }
  res.write(piece, (error) => {
    if (error === null || error === undefined) sendFrom(res, body, end);
  });
}
