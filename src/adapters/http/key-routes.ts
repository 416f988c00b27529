import * as v from 'valibot';
import { ACCOUNT_NAME, AUTH_SCOPES } from '../../core/access/principal.js';
import { checkUnrestrained } from '../../core/access/session-restraint.js';
import { KeyNotFound } from '../../core/errors.js';
import type { AccountId } from '../../core/ids.js';
import type { ManageKeys } from '../../core/usecases/accounts/manage-keys.js';
import { keyOut, presentKey, presentWebhookOfKey, webhookOfKeyOut } from './key-wire.js';
import { CURSOR_KEYS, listOut, listQuery, pageFrom, presentPage } from './paging.js';
import { RESTRAINED, type Route, route } from './route.js';
import { describe, means, members } from './schema.js';

const LIST = '/v1/admin/keys';

const account = describe(
  v.pipe(
    v.string('must be a string'),
    v.regex(ACCOUNT_NAME, 'must be 1 to 128 letters, digits and . _ - @ + : starting with a letter or digit'),
    v.transform((text) => text as AccountId),
  ),
  { type: 'string', pattern: ACCOUNT_NAME.source },
);

const scope = v.picklist(AUTH_SCOPES, `must be one of ${AUTH_SCOPES.join(', ')}`);
const scopes = describe(
  v.pipe(
    v.array(scope),
    v.minLength(1, `must name at least one of ${AUTH_SCOPES.join(', ')}`),
    v.maxLength(AUTH_SCOPES.length, `must name at most the ${AUTH_SCOPES.length} existing scopes`),
  ),
  {
    type: 'array',
    items: { enum: [...AUTH_SCOPES] },
    minItems: 1,
    maxItems: AUTH_SCOPES.length,
  },
);

/** Everything under `/v1/admin/keys`. `lifetime` reads a duration such as `90d` into milliseconds, or throws. */
export function keyRoutes(keys: ManageKeys, lifetime: (text: string) => number): Route[] {
  return [creation(keys, lifetime), listing(keys), finding(keys), revocation(keys)];
}

function creation(keys: ManageKeys, lifetime: (text: string) => number): Route {
  const expires = expiresIn(lifetime);
  return route({
    method: 'POST',
    path: LIST,
    operationId: 'createKey',
    tag: 'admin',
    status: 201,
    scopes: ['admin'],
    summary: 'Create an API key',
    description:
      'The answer shows the key only this once. A repeated request with the same Idempotency-Key gets `key: null`.',
    body: members({
      account,
      scopes,
      expires: v.optional(describe(expires, { type: 'string', pattern: '^[1-9][0-9]{0,8}[smhd]$' })),
    }),
    answer: v.object({ key: v.nullable(v.string()), ...keyOut.entries }),
    answerName: 'CreatedKey',
    answerHeaders: ['location'],
    problems: [...RESTRAINED],
    async handle({ principal, body, idempotencyKey }) {
      checkUnrestrained(principal.restraint);
      const { account, scopes, expires } = body;
      const created = await keys.create({
        by: principal.account,
        account,
        scopes,
        lifetimeMs: expires ?? null,
        idempotencyKey,
      });
      const headers = { location: `${LIST}/${created.key.id}` };
      return {
        status: 201,
        body: { key: created.text, ...presentKey(created.key) },
        headers,
        replayed: created.text === null,
      };
    },
  });
}

function expiresIn(lifetime: (text: string) => number) {
  return v.pipe(
    v.string('must be a string'),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      try {
        return lifetime(dataset.value);
      } catch (error) {
        addIssue({ message: error instanceof Error ? error.message : 'must be a duration such as 90d' });
        return NEVER;
      }
    }),
  );
}

function listing(keys: ManageKeys): Route {
  return route({
    method: 'GET',
    path: LIST,
    operationId: 'listKeys',
    tag: 'admin',
    status: 200,
    scopes: ['admin'],
    summary: 'List the API keys of all accounts, newest first',
    description: 'With their scopes, and when they expire or were revoked; never with a secret.',
    query: listQuery({}, 'apiKey'),
    answer: listOut(keyOut),
    answerName: 'KeyList',
    problems: [],
    async handle({ query }) {
      const page = await keys.list(pageFrom(query, (key) => key));
      return { status: 200, body: presentPage(page, presentKey) };
    },
  });
}

function finding(keys: ManageKeys): Route {
  return route({
    method: 'GET',
    path: `${LIST}/{id}`,
    operationId: 'getKey',
    tag: 'admin',
    status: 200,
    scopes: ['admin'],
    summary: 'Read an API key, without its secret',
    description: 'With its scopes, and when it expires or was revoked.',
    answer: keyOut,
    answerName: 'Key',
    problems: ['not-found'],
    handle: async ({ id }) => ({ status: 200, body: presentKey(await keys.one(id)) }),
  });
}

function revocation(keys: ManageKeys): Route {
  return route({
    method: 'DELETE',
    path: `${LIST}/{id}`,
    operationId: 'revokeKey',
    tag: 'admin',
    status: 200,
    scopes: ['admin'],
    summary: 'Revoke an API key',
    description:
      'It is refused from the next request on. The webhooks that it made, or led elsewhere, are listed, and those that are active are disabled unless they are to be kept. Revoking it again does what was left undone.',
    query: members({
      webhooks: v.optional(
        means(
          v.picklist(['disable', 'keep'], 'must be disable or keep'),
          'What becomes of its webhooks: `disable` unless given.',
        ),
      ),
    }),
    answer: v.object({ ...keyOut.entries, webhooks: v.array(webhookOfKeyOut) }),
    answerName: 'RevokedKey',
    problems: ['not-found'],
    async handle({ id, query }) {
      if (!CURSOR_KEYS.apiKey.test(id)) throw new KeyNotFound();
      const { key, webhooks } = await keys.revoke(id, query.webhooks);
      return { status: 200, body: { ...presentKey(key), webhooks: webhooks.map(presentWebhookOfKey) } };
    },
  });
}
