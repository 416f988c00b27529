import cors from '@koa/cors';
import Koa from 'koa';
import type { Authenticator } from '../../ports/authenticator.js';
import { answerEverything } from './answer.js';
import type { AppContext, State } from './app-context.js';
import { AppRouter } from './app-router.js';
import { type DocsParts, docsRoutes } from './docs.js';
import { type GateParts, gateOf } from './gate.js';
import type { Observer } from './metrics.js';
import { perform } from './perform.js';
import { Problem } from './problem.js';
import type { Method, Route } from './route.js';
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
  /** Called once a request for orders, strategies or a page was answered as asked, and before the answer is sent. */
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

/** Orders, strategies and pages. */
const ASKING = /^\/(v1\/exchange\/orders|v1\/strategies|ui)(\/|$)/;

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
