import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import cors from '@koa/cors';
import Koa from 'koa';
import type { Authenticator } from '../../ports/authenticator.js';
import type { AppContext, State } from './app-context.js';
import { AppRouter } from './app-router.js';
import { hasBody } from './body.js';
import { type DocsParts, docsRoutes } from './docs.js';
import { problemOf } from './errors.js';
import { type Gate, type GateParts, gateOf } from './gate.js';
import { requestIdOf } from './headers.js';
import type { Observer } from './metrics.js';
import { perform } from './perform.js';
import { PROBLEM_MEDIA_TYPE, Problem } from './problem.js';
import type { Method, Route, StreamReply } from './route.js';
import { EVENT_STREAM } from './sent-event.js';
import { type ServiceParts, serviceRoutes } from './service-routes.js';
import { type UiParts, uiRoutes } from './ui-routes.js';
import { WriteLimit } from './write-limit.js';

/** The parts of the HTTP adapter. */
export interface AppParts extends ServiceParts, DocsParts, GateParts {
  readonly routes: readonly Route[];
  readonly authenticator: Authenticator;
  readonly observer: Observer;
  /** True while a start is still catching up with the record: until then nothing may be changed. */
  readonly catchingUp?: () => boolean;
  /** Called once a request for orders, strategies, a stream of markets or a page was answered as asked, and before the answer is sent. */
  readonly asked?: (() => void) | undefined;
  /** How many things one key may change in a minute, orders and halts aside; absent for no bound. */
  readonly writesPerMinute?: number;
  /** The dashboard under `/ui`; without it there is none. */
  readonly ui?: UiParts;
}

const EXPOSED = ['etag', 'location', 'x-request-id', 'idempotency-replayed', 'retry-after', 'www-authenticate'];
const ALLOWED = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-match',
  'last-event-id',
  'x-request-id',
  'x-dev-user',
];
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The Koa application: every answer, including problems, passes through `answerEverything`; every operation of the API
 * passes through `perform`.
 * @throws Error for a route that names no scope.
 *
 * @example
 * ```ts
 * import { createStakeport } from 'stakeport';
 * import { AccountReadings, apiRoutes, createApp, DevAuthenticator, EventStreams, Metrics, serve } from 'stakeport/http';
 * import { useCases } from 'stakeport/core';
 *
 * const { ports } = createStakeport();
 * const use = useCases(ports);
 * const [metrics, authenticator] = [new Metrics(), new DevAuthenticator()];
 * const own = { host: '127.0.0.1', allowedHosts: [] };
 * const streams = new EventStreams({
 *   readEvents: use.accounts.events, log: ports.ledger.log, readings: new AccountReadings(use.accounts.portfolio),
 *   markets: use.markets.subscriptions,
 *   authenticator, limits: { perKey: 8, perAccount: 64, total: 1000 }, knownSports: () => null,
 *   reasons: () => [], failed: console.error,
 * });
 * const app = createApp({
 *   ...own,
 *   routes: apiRoutes({
 *     ...own, use, streams, knownSports: () => null, hasMarketData: false,
 *     webhooks: null, servers: null, keys: null, lifetime: Number, sessions: null,
 *   }),
 *   authenticator, metrics, observer: { answered: () => {}, failed: console.error },
 *   dev: true, corsOrigins: [], version: '1', swaggerUi: 'swagger-ui', guide: '.',
 *   unready: async () => [],
 * });
 * const { url, close } = await serve(app, '127.0.0.1', 8080);
 * ```
 */
export function createApp(parts: AppParts): Koa<State> {
  const app = new Koa<State>();
  const router = new AppRouter();
  const writes = parts.writesPerMinute === undefined ? null : new WriteLimit(parts.writesPerMinute);
  const checkChange = () => {
    if (parts.catchingUp?.()) throw catchingUp();
  };
  // A path that stands for itself comes before one with a parameter that it could be.
  for (const route of parts.routes.toSorted((a, b) => Number(hasParameter(a)) - Number(hasParameter(b)))) {
    if (route.scopes.length === 0) throw new Error(`${route.method} ${route.path} names no scope`);
    router.add(route.method, route.path, (ctx, parameters) => {
      if (route.method !== 'GET') checkChange();
      return perform(route, parts.authenticator, ctx, parameters, writes);
    });
  }
  serviceRoutes(router, parts);
  docsRoutes(router, parts);
  if (parts.ui !== undefined) uiRoutes(router, parts.ui, { ...parts, checkChange });
  // Koa would print it. A client that hangs up during its answer is not a failure of the service.
  app.on('error', (error: unknown, ctx: AppContext) => {
    if (!ctx.req.socket.destroyed) parts.observer.failed(ctx.state.requestId, error);
  });
  app.use(answerEverything(parts.observer, gateOf(parts)));
  if (parts.corsOrigins.length > 0) app.use(crossOrigin(new Set(parts.corsOrigins)));
  app.use(async (ctx, next) => {
    await next();
    // What is refused is thrown.
    if (ASKING.test(ctx.path)) parts.asked?.();
  });
  router.install(app);
  return app;
}

const hasParameter = ({ path }: Route): boolean => path.includes('{');

/** Orders, strategies, streams of markets and pages. */
const ASKING = /^\/(v1\/exchange\/(orders|markets\/stream)|v1\/strategies|ui)(\/|$)/;

function catchingUp(): Problem {
  const detail = 'The service has just started and is catching up; nothing was changed.';
  return new Problem('unavailable', detail, { headers: { 'retry-after': '1' } });
}

function crossOrigin(origins: ReadonlySet<string>): Koa.Middleware {
  return cors({
    origin: (ctx) => (origins.has(ctx.get('origin')) ? ctx.get('origin') : ''),
    allowMethods: [...METHODS],
    allowHeaders: ALLOWED,
    exposeHeaders: EXPOSED,
    maxAge: 600,
  });
}

/** How much of a refused body is read and discarded, so that its sender sees the refusal. */
const DRAIN_LIMIT_BYTES = 64 * 1024 * 1024;

/** The outermost middleware: request ids, headers of answers, problems of errors. `gate` runs first. */
function answerEverything(observer: Observer, gate: Gate): Koa.Middleware<State> {
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
    else sendStream(ctx, state.stream, observer);
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
function sendStream(ctx: AppContext, { type = EVENT_STREAM, headers, stream }: StreamReply, observer: Observer): void {
  ctx.respond = false;
  const { res } = ctx;
  const { requestId } = ctx.state;
  const all = { ...headersOf(requestId), 'content-type': `${type}; charset=utf-8`, 'x-accel-buffering': 'no' };
  res.writeHead(200, { ...all, ...headers });
  res.flushHeaders();
  void Promise.resolve(stream(res)).catch((error: unknown) => {
    observer.failed(requestId, error);
    res.destroy();
  });
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
