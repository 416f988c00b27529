import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc, { type Arbitrary } from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import { tokenProblem } from '../../src/core/endpoint/endpoint.js';
import { isZone } from '../../src/core/zone.js';
import {
  APPROVALS,
  DECISIONS,
  ORDER,
  ORDERS,
  type RunningApp,
  SIGNAL,
  SIGNALS,
  STRATEGIES,
  STRATEGY,
  startApp,
  WEBHOOKS,
} from '../support/app.js';
import { webhookOf } from '../support/app-webhooks.js';
import type { Client, Reply } from '../support/http.js';
import { quotedMarkets } from '../support/quoted-markets.js';
import { within } from '../support/runs.js';
import { type FuzzRequest, fits, requests } from './arbitraries.js';
import { type Json, type Operation, operationsOf } from './operations.js';
import { approvalOf, decisionOf } from './own-records.js';

type Body = Readonly<Record<string, unknown>>;

const OF_PEOPLE = [
  'chat_id',
  'thread_id',
  'commands_from',
  'topic',
  'token',
  'quiet_hours',
  'summary_at',
  'zone',
  'gather_seconds',
];

/** What the document cannot say of a webhook in a schema, and it is refused for all the same. */
const WEBHOOKS_BEYOND_SCHEMA: Readonly<Record<string, (body: Body) => boolean>> = {
  'a time zone is one of the IANA database': ({ zone }) => typeof zone === 'string' && !isZone(zone),
  'a Telegram bot has a token of its form': ({ kind, token }) =>
    kind === 'telegram' && typeof token === 'string' && tokenProblem(kind, token) !== null,
  'an ntfy server has no path': ({ kind, url }) => kind === 'ntfy' && !/^https?:\/\/[^/?#]+\/?$/.test(String(url)),
  'people command from a chat that has a number': ({ chat_id, commands_from }) =>
    String(chat_id).startsWith('@') && Array.isArray(commands_from) && commands_from.length > 0,
  'a webhook of a program has nothing of people': (body) =>
    body['kind'] === undefined && !('market_id' in body) && OF_PEOPLE.some((member) => member in body),
};

type Said = Readonly<Record<string, unknown>> & { readonly probabilities: Readonly<Record<string, unknown>> };

const LABELS = ['yes', 'no'];
const DAY_MS = 86_400_000;

/** The signals of a body: one, many, or none. */
function saidIn(body: Body): readonly Said[] {
  const list = 'signals' in body ? (body['signals'] as readonly Said[]) : [body as Said];
  return list.filter(({ probabilities }) => probabilities !== undefined);
}

const any = (holds: (said: Said) => boolean) => (body: Body) => saidIn(body).some(holds);

/** What the document cannot say of a signal in a schema, and it is refused for all the same. */
const SIGNALS_BEYOND_SCHEMA: Readonly<Record<string, (body: Body) => boolean>> = {
  'probabilities are of outcomes of the market, each once': any(({ probabilities }) => {
    const labels = Object.keys(probabilities).map((label) => label.toLowerCase());
    return new Set(labels).size < labels.length || labels.some((label) => !LABELS.includes(label));
  }),
  'both probabilities add up to 0.98 to 1.02': any(({ probabilities }) => {
    const [first, second] = Object.values(probabilities).map((text) => Math.round(Number(text) * 1_000_000));
    return first !== undefined && second !== undefined && Math.abs(first + second - 1_000_000) > 20_000;
  }),
  'a signal expires in the next 30 days': any((said) => {
    const aheadMs = Date.parse(String(said['expires_at'])) - Date.now();
    return !(aheadMs > 0 && aheadMs <= 30 * DAY_MS);
  }),
  'a signal is of a venue that is there': any((said) => (said['venue'] ?? 'none') !== 'none'),
  'a list has each market once': (body) => {
    const markets = saidIn(body).map((said) => said['market_id']);
    return 'signals' in body && new Set(markets).size < markets.length;
  },
};

/** What the document cannot say of a strategy in a schema, and it is refused for all the same. */
const RULES_BEYOND_SCHEMA: Readonly<Record<string, (body: Body) => boolean>> = {
  'min_odds is at most max_odds': (body) => {
    const { min_odds, max_odds } = part(body, 'filter');
    return min_odds !== undefined && max_odds !== undefined && Number(min_odds) > Number(max_odds);
  },
  'a fraction is at most 1': (body) => {
    const { method, value } = part(body, 'sizing');
    return FRACTIONS.includes(String(method)) && Number(value) > 1;
  },
  'dutch divides the stake among outcomes that it backs': (body) => {
    const { outcome = 'each' } = rulesIn(body);
    return part(body, 'sizing')['method'] === 'dutch' && (part(body, 'filter')['side'] === 'LAY' || outcome !== 'each');
  },
  'reference_edge is for edge_proportional': (body) => {
    const { method, reference_edge } = part(body, 'sizing');
    return reference_edge !== undefined && method !== 'edge_proportional';
  },
  'a rule lasts at most 3650 days': (body) => timesIn(body).some((text) => Math.abs(secondsIn(text) ?? 0) > LONGEST_S),
  'a window ends after it begins': (body) => {
    const [from, to] = ['from', 'to'].map((name) => secondsIn(part(body, 'window')[name]));
    return from !== undefined && to !== undefined && from >= to;
  },
  'a profit is taken above the stop': (body) => {
    const { take_profit: profit, stop } = part(body, 'exit');
    const [up, down] = [profit, stop].map((at) => (at as Body | undefined)?.['price']);
    return up !== undefined && down !== undefined && Number(up) <= Number(down);
  },
  'a strategy that trades by itself names what it bets on': (body) => {
    return isAutomated(body) && rulesIn(body)['outcome'] === undefined;
  },
  'an edge needs the signal that gives the probability': (body) => {
    const [edge, below] = [part(body, 'filter')['min_edge'] ?? undefined, part(body, 'exit')['edge_below']];
    const needs =
      NEED_SIGNAL.includes(String(part(body, 'sizing')['method'])) || edge !== undefined || below !== undefined;
    return isAutomated(body) && needs && rulesIn(body)['signal'] === undefined;
  },
};

const FRACTIONS = ['fixed_fraction', 'kelly', 'edge_proportional'];
const NEED_SIGNAL = ['kelly', 'edge_proportional'];
const isAutomated = ({ automation, rules }: Body) =>
  automation !== undefined && automation !== 'off' && rules !== undefined;

const rulesIn = ({ rules = {} }: Body): Body => rules as Body;
const part = (body: Body, name: string): Body => (rulesIn(body)[name] ?? {}) as Body;

function timesIn(body: Body): unknown[] {
  const named = Object.values(part(body, 'window')).concat(part(body, 'filter')['max_book_age']);
  const { before_start, after } = part(body, 'exit');
  const { give_up_after, approve_within } = part(body, 'order');
  return [...named, part(body, 'limits')['cooldown'], give_up_after, approve_within, before_start, after];
}

const DURATION = /^-?(0|[1-9][0-9]{0,8})[smhd]$/;
const LONGEST_S = 315_360_000;
const SECONDS = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
]);

function secondsIn(text: unknown): number | undefined {
  if (typeof text !== 'string' || !DURATION.test(text)) return undefined;
  return Number.parseInt(text, 10) * (SECONDS.get(text.slice(-1)) ?? 0);
}

const REQUESTS = 10_000;
const AT_ONCE = 20;

/** What the document cannot say in a schema, and a request is refused for all the same. This is the whole list. */
const BEYOND_SCHEMA: Readonly<Record<string, (body: Body) => boolean>> = {
  ...SIGNALS_BEYOND_SCHEMA,
  ...RULES_BEYOND_SCHEMA,
  ...WEBHOOKS_BEYOND_SCHEMA,
  'an amount has at most six decimals': (body) => leaves(body).some((amount) => !isOnGrid(amount)),
  'expires_at and GTD of an order need each other': ({ time_in_force, expires_at, probabilities }) => {
    return (
      probabilities === undefined && (time_in_force === 'GTD') !== (expires_at !== null && expires_at !== undefined)
    );
  },
  'post_only needs an order that may rest': ({ post_only, time_in_force }) => {
    return post_only === true && (time_in_force === 'FOK' || time_in_force === 'FAK');
  },
  'what ends by itself stops something, and ends in the future': ({ state, until }) => {
    return typeof until === 'string' && state !== undefined && (state === 'active' || Date.parse(until) <= Date.now());
  },
  'the address of a webhook is one that requests may be sent to': ({ url }) => {
    return typeof url === 'string' && app.webhooks.problemOf(url) !== null;
  },
  'a key lasts at most 3650 days': ({ expires }) => {
    return typeof expires === 'string' && Number.parseInt(expires, 10) > (LONGEST.get(expires.slice(-1)) ?? 0);
  },
};

const LONGEST = new Map([
  ['d', 3650],
  ['h', 87_600],
  ['s', 315_360_000],
]);

/** Everything in a value that is neither an object nor an array. */
function leaves(value: unknown): unknown[] {
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(leaves) : [value];
}

const isOnGrid = (amount: unknown) => typeof amount !== 'number' || /^-?\d+(\.\d{1,6})?$/.test(String(amount));

let app: RunningApp;
let client: Client;
let operations: ReadonlyMap<string, Operation>;
let document: Json;
const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
addFormats.default(ajv);
const compiled = new WeakMap<object, ValidateFunction>();

/** Schemas are compiled once, and may refer into the document. */
function validator(schema: Json): ValidateFunction {
  const known = compiled.get(schema) ?? ajv.compile({ ...schema, components: document['components'] });
  compiled.set(schema, known);
  return known;
}

const matches = (schema: Json, value: unknown): boolean => validator(schema)(value) === true;

beforeAll(async () => {
  app = await startApp({ authenticator: 'keys', markets: quotedMarkets() });
  client = await app.keyed('fuzz', ...AUTH_SCOPES);
  document = (await client.get('/openapi.json')).json();
  operations = new Map(operationsOf(document).map((one) => [one.operationId, one]));
});

function named(operationId: string): Operation {
  const operation = operations.get(operationId);
  if (operation === undefined) throw new Error(`The document has no ${operationId}`);
  return operation;
}

const RECORDS: ReadonlyMap<string, object> = new Map<string, object>([
  [STRATEGIES, STRATEGY],
  [ORDERS, ORDER],
  ['/v1/admin/keys', { account: 'fuzz', scopes: ['orders:read'] }],
]);

/** Records that are there, one that is not, and what cannot be an id. */
async function idsFor({ path }: Operation): Promise<Arbitrary<string>> {
  const [collection = ''] = path.split('/{');
  if (collection === SIGNALS) return signalIds(path);
  if (collection === APPROVALS) return fc.oneof(fc.constant(await approvalOf('fuzz', client, app.ledger)), fc.uuid());
  if (collection === WEBHOOKS) return fc.oneof(fc.constant(await webhookOf('fuzz', app.ledger)), fc.uuid());
  if (collection === DECISIONS) return fc.oneof(fc.constant(await decisionOf('fuzz', app.ledger)), fc.uuid());
  const body = RECORDS.get(collection);
  const made = body === undefined ? [] : await Promise.all([1, 2, 3].map(() => client.post(collection, body)));
  const ids = path.startsWith('/v1/admin/accounts') ? ['fuzz'] : made.map((reply) => reply.json<{ id: string }>().id);
  const others = ['a-market', 'x', '0', '%00', '%E0%A4%A', '__proto__', '..%2f..', 'a'.repeat(300)];
  return fc.oneof(fc.constantFrom(...ids, ...ids, ...ids, ...others), fc.uuid());
}

/** Names of models, each with a market where the path names one. */
async function signalIds(path: string): Promise<Arbitrary<string>> {
  const names = fc.constantFrom('elo', 'elo', 'rain-2', 'a'.repeat(65), '%00', '__proto__', 'a%20b', '..');
  if (!path.includes('}/{')) return names;
  await client.put(`${SIGNALS}/elo/a-market`, SIGNAL);
  const markets = fc.constantFrom('a-market', 'a-market', 'b:c.d_e', 'x', 'a'.repeat(300), '%00');
  return fc.tuple(names, markets).map((parts) => parts.join('/'));
}

async function send({ operationId, id, query, body, headers }: FuzzRequest): Promise<Reply> {
  const operation = named(operationId);
  const path = operation.path.replace(/\{\w+\}(\/\{\w+\})?/, id);
  const search = new URLSearchParams(query).toString();
  const text = body === undefined && operation.body !== undefined ? 'null' : JSON.stringify(body);
  const sent = operation.body === undefined ? undefined : text;
  return client.send(operation.method, search === '' ? path : `${path}?${search}`, { headers, body: sent });
}

/** The answer is one that the document promises: its status, its media type and its body. */
function checkAnswer({ operationId }: FuzzRequest, reply: Reply): void {
  const operation = named(operationId);
  expect(reply.status, reply.text).toBeLessThan(500);
  const declared = operation.responses[reply.status];
  if (declared === undefined)
    throw new Error(`${operation.operationId} does not declare ${reply.status}: ${reply.text}`);
  const [type = ''] = (reply.headers['content-type'] ?? '').split(';');
  const schema = declared.content[type]?.schema;
  if (schema === undefined) throw new Error(`${operation.operationId} does not declare ${type} for ${reply.status}`);
  const validate = validator(schema);
  for (const value of answeredIn(type, reply))
    if (!validate(value))
      throw new Error(`${operation.operationId}: ${ajv.errorsText(validate.errors)}: ${reply.text}`);
}

function answeredIn(type: string, reply: Reply): readonly unknown[] {
  if (type === 'text/csv') return [reply.text];
  return type === 'text/event-stream' ? loggedIn(reply.text) : [reply.json()];
}

/** The events with an id that a stream had; here each ends at once. */
function loggedIn(text: string): unknown[] {
  const blocks = text.split('\n\n').filter((block) => /^id: .*\nevent: /.test(block));
  expect(text).toContain('event: bye');
  return blocks.map((block) => JSON.parse(block.split('\ndata: ')[1] ?? ''));
}

const values = (reply: Reply) =>
  reply.json()['type'] === '/problems/validation-failed' || reply.json()['type'] === '/problems/malformed-json';

/** The body is refused exactly when its schema, or the list above, refuses it. */
function checkBody({ operationId, body }: FuzzRequest, reply: Reply): void {
  const operation = named(operationId);
  // They come before the body is looked at.
  if (operation.body === undefined || /idempotency-key-invalid|\/not-found|"pointer":"\?/.test(reply.text)) return;
  // Whether a strategy may trade by itself depends on what it is, too.
  if (operationId === 'updateStrategy' && /"pointer":"\/rules\/(outcome|signal)"/.test(reply.text)) return;
  const shown = matches(operation.body, body);
  // A changed record, a used key, or a market that is not there, is reported before what the schema cannot express.
  const preempted = /precondition-failed|idempotency-key-reused|market-not-found/.test(reply.text);
  const draft = operationId === 'evaluateDraft' && shown ? (body as { strategy: Body }).strategy : (body as Body);
  const fits = shown && (preempted || !Object.values(BEYOND_SCHEMA).some((refuses) => refuses(draft)));
  expect(values(reply), `${operation.operationId} ${JSON.stringify(body)}\n${reply.text}`).toBe(!fits);
}

/**
 * A query is refused exactly when one of its parameters is, or is missing; a cursor that was not given may be, what is past the log is gone, and an
 * account has few exports at once.
 */
function checkQuery({ operationId, query }: FuzzRequest, reply: Reply): void {
  const operation = named(operationId);
  if (operation.method !== 'GET' || [404, 410, 429].includes(reply.status)) return;
  const asked = operation.parameters.filter((parameter) => parameter.in === 'query');
  const refused = Object.entries(query).filter(([name, text]) => {
    const parameter = asked.find((one) => one.name === name) ?? { name, schema: {} };
    return !fits(parameter, text, matches);
  });
  if (query['cursor'] !== undefined && refused.length === 0) return;
  // Events are listed in one direction.
  const bothWays = operationId === 'listEvents' && query['after'] !== undefined && query['before'] !== undefined;
  const isMissing = asked.some(({ name, required }) => required && query[name] === undefined);
  const status = refused.length > 0 || isMissing ? 422 : bothWays ? 400 : 200;
  expect(reply.status, `${JSON.stringify(query)}\n${reply.text}`).toBe(status);
}

test(`${REQUESTS} requests, good and bad, are answered as the document says`, async () => {
  const seen = new Map<string, number>();
  const arbitraries = await Promise.all(
    [...operations.values()].map(async (one) => {
      // Of a body few draws are right in every member; fewest of the one with a whole strategy and a market.
      const weight = one.body === undefined ? 1 : one.operationId === 'evaluateDraft' ? 24 : 6;
      return { arbitrary: requests(one, await idsFor(one), matches), weight };
    }),
  );
  const batches = fc.array(fc.oneof(...arbitraries), { minLength: AT_ONCE, maxLength: AT_ONCE });
  const property = fc.asyncProperty(batches, async (batch) => {
    const replies = await Promise.all(batch.map(async (asked) => ({ asked, reply: await send(asked) })));
    for (const { asked, reply } of replies) {
      checkAnswer(asked, reply);
      checkBody(asked, reply);
      checkQuery(asked, reply);
      const name = `${asked.operationId} ${reply.status}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
  });
  await fc.assert(property, {
    numRuns: REQUESTS / AT_ONCE,
    seed: 20_300_131,
    endOnFailure: true,
    plugins: [within(120_000)],
  });
  expect(app.failures).toEqual([]);
  // Every operation succeeded, and every body was refused, or this would mean nothing.
  for (const { operationId, body } of operations.values()) {
    const count = (status: string) =>
      [...seen].filter(([name]) => name.startsWith(`${operationId} ${status}`)).reduce((sum, [, n]) => sum + n, 0);
    // A key has no session to end.
    const done = operationId === 'endSession' ? count('404') : count('2') + count('409');
    expect(done, operationId).toBeGreaterThan(0);
    if (body !== undefined) expect(count('422'), operationId).toBeGreaterThan(50);
  }
});
