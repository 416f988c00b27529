import type { IncomingMessage, ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { AppContext, State } from './app-context.js';
import { hasBody } from './body.js';
import { problemOf } from './errors.js';
import type { Gate } from './gate.js';
import { requestIdOf } from './headers.js';
import type { Observer } from './metrics.js';
import { PROBLEM_MEDIA_TYPE, type Problem } from './problem.js';
import { sendInPieces } from './send-in-pieces.js';

/** How much of a refused body is read and discarded, so that its sender sees the refusal. */
const DRAIN_LIMIT_BYTES = 64 * 1024 * 1024;

/** The outermost middleware: request ids, headers of answers, problems of errors. `gate` runs first. */
export function answerEverything(observer: Observer, gate: Gate): Koa.Middleware<State> {
  return async (ctx, next) => {
    const started = performance.now();
    const requestId = requestIdOf(ctx.req);
    Object.assign(ctx.state, { requestId, route: 'unmatched', account: null });
    ctx.set('x-request-id', requestId);
    ctx.set('x-content-type-options', 'nosniff');
    ctx.set('cache-control', 'no-store');
    try {
      gate(ctx.req);
      await next();
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) observer.failed(requestId, error);
      answerProblem(ctx, problem);
    }
    sendInPieces(ctx);
    const { route, account } = ctx.state;
    const durationMs = performance.now() - started;
    observer.answered({ requestId, method: ctx.method, route, status: ctx.status, durationMs, account });
  };
}

function answerProblem(ctx: AppContext, problem: Problem): void {
  const body = problem.body(ctx.state.requestId);
  ctx.status = problem.status;
  ctx.set(problem.more.headers ?? {});
  ctx.set('content-type', PROBLEM_MEDIA_TYPE);
  // Node itself closes the connection of a client that never received `100 Continue`.
  if (ctx.req.headers.expect === undefined && !ctx.req.complete && hasBody(ctx.req)) {
    ctx.respond = false;
    answerThenDrain(ctx.req, ctx.res, body);
    return;
  }
  ctx.body = body;
  ctx.set('content-type', PROBLEM_MEDIA_TYPE);
}

/**
 * Answers at once, but ends the exchange only when the rest of the body has been read and discarded: closing a socket with
 * unread data resets the connection, and the client would never see the answer.
 */
function answerThenDrain(req: IncomingMessage, res: ServerResponse, body: string): void {
  let dropped = 0;
  res.setHeader('content-length', Buffer.byteLength(body));
  res.write(body);
  req.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > DRAIN_LIMIT_BYTES) req.destroy();
  });
  req.once('end', () => res.end());
  req.once('error', () => res.destroy());
  req.resume();
}
