import * as v from 'valibot';
import type { Principal } from '../../core/access/principal.js';
import type { Authenticator } from '../../ports/authenticator.js';
import type { Answer, AppContext } from './app-context.js';
import { hasArrived, readBody, readOptionalBody } from './body.js';
import { NOT_FOUND } from './errors.js';
import { credentialsIn, identify, requireScope } from './guard.js';
import { idempotencyKeyOf } from './headers.js';
import { type FieldError, Problem } from './problem.js';
import { type Reply, type Route, type RouteCall, takesKey } from './route.js';
import { shown } from './shown.js';
import { isCounted, type WriteLimit } from './write-limit.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const MAX_PARAMETERS = 100;

/** Takes one request through a route: authentication, authorisation, validation, and the answer. */
export async function perform(
  route: Route,
  authenticator: Authenticator,
  ctx: AppContext,
  parameters: readonly string[],
  writes: WriteLimit | null,
): Promise<void> {
  ctx.state.route = route.path;
  const arrived = route.body === undefined || (await hasArrived(ctx.req));
  let principal = await admit(route, authenticator, ctx);
  if (writes !== null && isCounted(route)) await writes.take(principal);
  const idempotencyKey = takesKey(route) ? idempotencyKeyOf(ctx.req) : null;
  const [first = '', second = ''] = parameters;
  const id = idOf(route, first);
  const query = route.query === undefined ? {} : validate(route.query, queryOf(ctx), '?');
  const proceed = () => {
    // HTTP/1.0 has no interim answers (RFC 9110, 15.2).
    if (ctx.req.headers.expect !== undefined && ctx.req.httpVersion !== '1.0') ctx.res.writeContinue();
  };
  const read = route.bodyOptional === true ? readOptionalBody : readBody;
  let body: unknown;
  if (route.body !== undefined) {
    const sent = await read(ctx.req, proceed, route.bodyLimit);
    // A slow sender is checked again: a key may be revoked, or a token expire, while the body arrives.
    if (!arrived) principal = await admit(route, authenticator, ctx);
    body = validate(route.body, sent, '');
  }
  const call: RouteCall<unknown, unknown> = { principal, id, second, query, body, idempotencyKey, req: ctx.req };
  const reply = await route.handle(call);
  if ('stream' in reply) ctx.state.stream = reply;
  else if ('text' in reply) ctx.state.answer = { status: reply.status, type: JSON_TYPE, text: reply.text };
  else {
    ctx.state.answer = answerOf(reply);
    ctx.state.order = reply.order ?? null;
  }
}

/** @throws Problem unauthenticated, insufficient-scope, or unavailable when it cannot be checked now */
async function admit(route: Route, authenticator: Authenticator, ctx: AppContext): Promise<Principal> {
  const principal = await identify(authenticator, credentialsIn(ctx.req));
  ctx.state.account = principal.account;
  requireScope(principal, ...route.scopes);
  return principal;
}

/** The parameter of the path. A malformed id is simply not found. */
function idOf(route: Route, id: string): string {
  if (route.uuid !== true) return id;
  if (!UUID.test(id)) throw new Problem('not-found', NOT_FOUND);
  return id.toLowerCase();
}

/**
 * The query as a plain object; a repeated parameter becomes a list, which no schema accepts.
 * @throws Problem validation-failed for more parameters than any route has.
 */
function queryOf({ querystring }: AppContext): Record<string, string | string[]> {
  const detail = `must have at most ${MAX_PARAMETERS} parameters`;
  if (querystring.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS)
    throw new Problem('validation-failed', `The query ${detail}.`, { errors: [{ pointer: '?', detail }] });
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(querystring)) {
    const before = query[name];
    query[name] = before === undefined ? value : [...[before].flat(), value];
  }
  return query;
}

const JSON_TYPE = 'application/json; charset=utf-8';

function answerOf({ status, body, headers, replayed = false }: Reply): Answer {
  return {
    status,
    headers: replayed ? { ...headers, 'idempotency-replayed': 'true' } : headers,
    type: JSON_TYPE,
    text: JSON.stringify(body),
  };
}

const MAX_ERRORS = 20;

/**
 * Parses `input` with `schema`.
 * @param root the prefix of pointers: empty for a body, `?` for a query.
 * @throws Problem validation-failed with at most 20 errors.
 */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  root: '' | '?',
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const errors = result.issues.slice(0, MAX_ERRORS).map((issue) => fieldError(issue, root));
  const first = errors[0]?.detail ?? 'is not allowed';
  const what = root === '' ? 'body' : 'query';
  throw new Problem(
    'validation-failed',
    `The ${what} has ${errors.length === 1 ? 'a value' : 'values'} that cannot be taken: ${errors[0]?.pointer ?? ''} ${first}.`,
    { errors },
  );
}

function fieldError(issue: v.BaseIssue<unknown>, root: '' | '?'): FieldError {
  const keys = (issue.path ?? []).map((item) => String(item.key));
  const pointer =
    root === '?'
      ? `?${keys.join('.')}`
      : keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return { pointer: pointer.slice(0, 200), detail: wording(issue, root) };
}

/** What is expected, and what was received. Valibot's own message would quote all of it, however long. */
function wording(issue: v.BaseIssue<unknown>, root: '' | '?'): string {
  const { input } = issue;
  if (root === '?' && Array.isArray(input)) return `must be given once; it is given ${input.length} times`;
  const received = `; got ${shown(input)}`;
  switch (issue.type) {
    case 'strict_object':
      return issue.expected === 'Object' ? `${issue.message}; got ${shown(issue.path?.at(-1)?.value)}` : issue.message;
    case 'boolean':
      return `must be true or false${received}`;
    case 'array':
      return `must be an array${received}`;
    // A check of several members names them itself.
    case 'raw_check':
      return issue.message;
    default:
      return `${issue.message}${received}`;
  }
}
