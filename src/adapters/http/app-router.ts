import Router, { type RouterContext } from '@koa/router';
import type Koa from 'koa';
import type { AppContext, State } from './app-context.js';
import { Problem } from './problem.js';

/** Answers a request; `parameters` are the decoded ones of its path, in their order. */
export type Handler = (ctx: AppContext, parameters: readonly string[]) => void | Promise<void>;

type Routed = RouterContext<State>;

/**
 * The router of Koa, with paths as OpenAPI writes them: each is compared exactly, with its capitals and its last slash, and
 * only its parameters are decoded. Of several paths that match, the first that was added decides which methods there are.
 */
export class AppRouter {
  readonly #router = new Router<State>({ strict: true, sensitive: true });

  /** GET also takes HEAD. Of two handlers of one method and path the first stays. */
  add(method: string, path: string, handler: Handler): void {
    this.#router.register(path.replaceAll(/\{(\w+)\}/g, ':"$1"'), [method], (ctx: Routed) => {
      if (ctx.routerPath !== ctx.matched?.[0]?.path) return answerOtherwise(ctx);
      return handler(ctx, Object.values(ctx.params));
    });
  }

  get(path: string, handler: Handler): void {
    this.add('GET', path, handler);
  }

  /** Answers every request: those that no handler takes with the methods of their path, or as unknown. */
  install(app: Koa<State>): void {
    app.use(this.#router.routes()).use(answerOtherwise);
  }
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
