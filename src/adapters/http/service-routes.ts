import type { AppContext } from './app-context.js';
import type { AppRouter } from './app-router.js';
import type { Metrics } from './metrics.js';
import { Problem } from './problem.js';
import { takesPages } from './ui-routes.js';

/** What reports the state of the service. */
export interface ServiceParts {
  readonly metrics: Metrics;
  /** What prevents the service from working now; empty when it is ready. Never throws. */
  readonly unready: () => Promise<readonly string[]>;
  /** What else `/readyz` reports when the service is ready. */
  readonly state?: () => Readonly<Record<string, string>>;
  /** The dashboard, where there is one. */
  readonly ui?: object;
}

/**
 * `/healthz` (alive), `/readyz` (able to work) and `/metrics`, without credentials; `/` leads a browser to the dashboard, and a program
 * to the reference.
 */
export function serviceRoutes(router: AppRouter, { metrics, unready, state, ui }: ServiceParts): void {
  router.get('/', (ctx) => {
    ctx.state.route = '/';
    ctx.vary('accept');
    ctx.redirect(ui !== undefined && takesPages(ctx) ? '/ui' : '/docs');
  });
  router.get('/healthz', (ctx) => {
    ctx.state.route = '/healthz';
    answer(ctx, { status: 'alive' });
  });
  router.get('/readyz', async (ctx) => {
    ctx.state.route = '/readyz';
    const reasons = await unready();
    if (reasons.length > 0) {
      throw new Problem('unavailable', `Not ready: ${reasons.join(', ')}.`, { headers: { 'retry-after': '1' } });
    }
    answer(ctx, { status: 'ready', ...state?.() });
  });
  router.get('/metrics', async (ctx) => {
    ctx.state.route = '/metrics';
    const { type, text } = await metrics.read();
    ctx.set('content-type', type);
    ctx.body = text;
  });
}

function answer(ctx: AppContext, state: Readonly<Record<string, string>>): void {
  ctx.set('content-type', 'application/json; charset=utf-8');
  // As text: of an object Koa asks whether it is a `Response`, and Node loads its whole HTTP client to know.
  ctx.body = JSON.stringify(state);
}
