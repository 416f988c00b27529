import type { GenericSchema } from 'valibot';
import { PROBLEM_MEDIA_TYPE, PROBLEMS, type ProblemName } from './problem.js';
import { CSV_TYPE, type Route, TAGS, takesKey } from './route.js';
import { EVENT_STREAM } from './sent-event.js';
import { SESSION_COOKIE } from './session-cookie.js';
import { schemaOf } from './shown-schema.js';
import { webhookMessages } from './webhook-messages.js';
import { isCounted } from './write-limit.js';

const SECURED: readonly ProblemName[] = ['bad-request', 'unauthenticated', 'insufficient-scope', 'request-timeout'];
const EVERYWHERE: readonly ProblemName[] = [
  'uri-too-long',
  'headers-too-large',
  'foreign-origin',
  'misdirected-request',
  'expectation-failed',
  'internal-error',
  'unavailable',
];
const WITH_BODY: readonly ProblemName[] = [
  'malformed-json',
  'payload-too-large',
  'unsupported-media-type',
  'validation-failed',
];
const WITH_KEY: readonly ProblemName[] = [
  'idempotency-key-invalid',
  'idempotency-in-progress',
  'idempotency-key-reused',
];

type Json = Record<string, unknown>;

const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance'],
  properties: {
    type: { type: 'string', enum: Object.keys(PROBLEMS).map((name) => `/problems/${name}`) },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'The id of the request, also in `x-request-id`.' },
    errors: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: { pointer: { type: 'string' }, detail: { type: 'string' } },
      },
    },
  },
};

const ANSWER_HEADERS: Record<string, Json> = {
  location: { description: 'The path of the new resource.', schema: { type: 'string' } },
  etag: { description: 'The strong entity tag of this version.', schema: { type: 'string' } },
  'set-cookie': {
    description: 'The session: `__Host-stakeport`, `Secure`, `HttpOnly`, `SameSite=Strict`.',
    schema: { type: 'string' },
  },
  'x-request-id': { description: "The request's id.", schema: { type: 'string' } },
  'idempotency-replayed': {
    description: '`true` when an earlier request with the same key made this.',
    schema: { type: 'string', enum: ['true'] },
  },
};

/** The OpenAPI 3.1 document of these routes, made from the validating schemas. `dev`: callers need no credentials. */
export function openApi(routes: readonly Route[], version: string, dev: boolean): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  const hasSessions = routes.some(({ operationId }) => operationId === 'startSession');
  const messages = routes.some(({ tag }) => tag === 'webhooks') ? webhookMessages() : null;
  const answers = routes
    .filter(({ isCsv }) => isCsv !== true)
    .map((route) => [route.answerName, schemaOf(route.answer, 'output')]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'stakeport',
      version,
      description:
        'Strategies and orders on prediction markets, on paper or with real money. [The guide](/docs/guide) says how to trade, operate and build with it.',
      contact: { name: 'stakeport', url: 'https://github.com/stakeport/stakeport' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: dev ? [{ devUser: [] }, {}] : [{ bearer: [] }, ...(hasSessions ? [{ session: [] }] : [])],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    ...(messages !== null && { webhooks: messages.webhooks }),
    components: {
      schemas: { ...Object.fromEntries(answers), ...messages?.schemas, Problem: PROBLEM_SCHEMA },
      securitySchemes: securitySchemes(dev, hasSessions),
    },
  };
}

function securitySchemes(dev: boolean, hasSessions: boolean): Json {
  if (dev)
    return {
      devUser: {
        type: 'apiKey',
        in: 'header',
        name: 'x-dev-user',
        description: 'The user to act as; `dev` when absent.',
      },
    };
  const session = {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: 'A session, for pages of this server. `Authorization` beside it counts alone.',
  };
  return {
    bearer: { type: 'http', scheme: 'bearer', description: 'An API key or an access token.' },
    ...(hasSessions && { session }),
  };
}

function operation(route: Route): Json {
  const { operationId, tag, summary, description, scopes, body } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    'x-scopes': scopes,
    parameters: parameters(route),
    ...(body !== undefined && { requestBody: requestBody(route, body) }),
    responses: { [route.status]: answer(route), ...problems(route) },
  };
}

function requestBody({ method, bodyOptional }: Route, schema: GenericSchema): Json {
  const content = { schema: schemaOf(schema, 'input') };
  const merge = method === 'PATCH' ? { 'application/merge-patch+json': content } : {};
  return { required: bodyOptional !== true, content: { 'application/json': content, ...merge } };
}

function parameters(route: Route): Json[] {
  const list: Json[] = [];
  for (const [, name] of route.path.matchAll(/\{(\w+)\}/g))
    list.push({ name, in: 'path', required: true, schema: { type: 'string', ...(route.uuid && { format: 'uuid' }) } });
  if (route.query !== undefined) {
    const shape = schemaOf(route.query, 'input') as { properties?: Record<string, Json>; required?: string[] };
    for (const [key, schema] of Object.entries(shape.properties ?? {}))
      list.push({ name: key, in: 'query', required: shape.required?.includes(key) ?? false, schema });
  }
  const header = (key: string, schema: Json, text: string) =>
    list.push({ name: key, in: 'header', required: false, schema, description: text });
  if (takesKey(route))
    header('idempotency-key', { type: 'string', minLength: 1, maxLength: 255 }, 'Makes the request safe to repeat.');
  if (route.isStream === true)
    header('last-event-id', { type: 'string' }, 'The last `id` of an earlier stream; wins over `after`.');
  if (route.takesIfMatch === true) header('if-match', { type: 'string' }, 'The ETag of the version to change.');
  header('x-request-id', { type: 'string', maxLength: 128 }, 'An id of yours for this request.');
  return list;
}

function answer(route: Route): Json {
  const { answerName, answerHeaders = [] } = route;
  const names = [...answerHeaders, 'x-request-id', ...(takesKey(route) ? ['idempotency-replayed'] : [])];
  const headers = Object.fromEntries(names.map((name) => [name, ANSWER_HEADERS[name]]));
  return {
    description: 'Successful Response',
    headers,
    content:
      route.isCsv === true
        ? { [CSV_TYPE]: { schema: { type: 'string', description: columnsOf(route) } } }
        : {
            [route.isStream === true ? EVENT_STREAM : 'application/json']: {
              schema: { $ref: `#/components/schemas/${answerName}` },
            },
          },
  };
}

/** The columns of a table, and what each means. */
function columnsOf({ answer }: Route): string {
  const { properties = {} } = schemaOf(answer, 'output') as { properties?: Record<string, { description?: string }> };
  const columns = Object.entries(properties).map(([name, { description = '' }]) => `- \`${name}\`: ${description}`);
  return `A line of names, then a line a row. Columns:\n${columns.join('\n')}`;
}

function problems(route: Route): Json {
  const names = [...SECURED, ...EVERYWHERE, ...route.problems];
  if (route.body !== undefined) names.push(...WITH_BODY);
  if (route.query !== undefined) names.push('validation-failed');
  if (takesKey(route)) names.push(...WITH_KEY);
  if (isCounted(route)) names.push('too-many-writes');
  if (names.includes('market-data-unavailable')) names.push('too-many-lookups');
  const byStatus = new Map<number, ProblemName[]>();
  for (const name of new Set(names)) {
    const [status] = PROBLEMS[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  const schema = { $ref: '#/components/schemas/Problem' };
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      { description: same.join(', '), content: { [PROBLEM_MEDIA_TYPE]: { schema } } },
    ]),
  );
}
