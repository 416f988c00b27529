import Router, { type RouterContext } from '@koa/router';
import type Koa from 'koa';
import type { AppContext, State } from './app-context.js';
import { Problem } from './problem.js';

/** Answers a request; `parameters` are the decoded ones of its path, in their order. */
export type Handler = (ctx: AppContext, parameters: readonly string[]) => void | Promise<void>;

type Routed = RouterContext<State>;

/** The first two parts of a path of the API, such as `/v1/exchange`; nothing of any other path. */
const partOf = (path: string): string => /^\/v1\/[^/]*/.exec(path)?.[0] ?? '';

interface Registered {
  readonly method: string;
  readonly path: string;
  readonly handler: Handler;
}

/**
 * The router of Koa, with paths as OpenAPI writes them: each is compared exactly, with its capitals and its last slash, and
 * only its parameters are decoded. One that ends with `*address` has all that is below it. Of several paths that match, the first that was added decides which methods there are.
 */
export class AppRouter {
  readonly #registered: Registered[] = [];

  /** GET also takes HEAD. Of two handlers of one method and path the first stays. */
  add(method: string, path: string, handler: Handler): void {
    this.#registered.push({ method, path, handler });
  }

  get(path: string, handler: Handler): void {
    this.add('GET', path, handler);
  }

  /**
   * Answers every request: those that no handler takes with the methods of their path, or as unknown. A router compares a request with
   * each of its paths, so each part of the API has one of its own (60 µs for an order by id, where one of a hundred paths took 87),
   * unless a path has a parameter there.
   */
  install(app: Koa<State>): void {
    const isOne = this.#registered.some(({ path }) => partOf(path).includes('{'));
    const routerOf = (path: string) => (isOne ? '' : partOf(path));
    const routers = new Map<string, Router<State>>();
    for (const one of this.#registered) {
      const router = routers.get(routerOf(one.path)) ?? new Router<State>({ strict: true, sensitive: true });
      routers.set(routerOf(one.path), router);
      register(router, one);
    }
    const routes = new Map([...routers].map(([part, router]) => [part, router.routes()]));
    app.use((ctx: Routed, next) => routes.get(routerOf(ctx.path))?.(ctx, next) ?? next()).use(answerOtherwise);
  }
}

function register(router: Router<State>, { method, path, handler }: Registered): void {
  router.register(path.replaceAll(/\{(\w+)\}/g, ':"$1"'), [method], (ctx: Routed) => {
    if (ctx.routerPath !== ctx.matched?.[0]?.path) return answerOtherwise(ctx);
    return handler(ctx, Object.values(ctx.params));
  });
}

/** @throws Problem not-found, or method-not-allowed unless the request asks which methods there are */
function answerOtherwise(ctx: Routed): void {
  const { matched = [] } = ctx;
  const methods = matched.filter(({ path }) => path === matched[0]?.path).flatMap((layer) => layer.methods);
  if (methods.length === 0) throw new Problem('not-found', 'There is no such resource.');
  const allow = [...new Set(methods)].join(', ');
  if (ctx.method !== 'OPTIONS')
    throw new Problem('method-not-allowed', `This resource takes ${allow}.`, { headers: { allow } });
  ctx.set('allow', allow);
  ctx.status = 204;
}
