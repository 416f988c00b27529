import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { AUTH_SCOPES, type AuthScope } from '../../src/core/access/principal.js';
import {
  APPROVALS,
  DECISIONS,
  ORDER,
  ORDERS,
  PORTFOLIO,
  type RunningApp,
  SIGNALS,
  STRATEGIES,
  startApp,
  WEBHOOKS,
} from '../support/app.js';
import { webhookOf } from '../support/app-webhooks.js';
import type { Client } from '../support/http.js';
import { quotedMarkets } from '../support/quoted-markets.js';
import { ScriptedExchange } from '../support/scripted-exchange.js';
import { type Operation, operationsOf } from './operations.js';
import { answerOf, approvalOf, ask, BODIES, decisionOf, latest, nothing, recordFor } from './own-records.js';

/** Operators manage the keys of all accounts, reset their paper, and see the servers; nothing else may cross between accounts. */
const ACROSS_ACCOUNTS = ['createKey', 'getKey', 'listKeys', 'listServers', 'resetPaperAccount', 'revokeKey'];

/** An operator stops every account with it, and everybody the own one. */
const ALSO_OF_OPERATORS = ['setTradingState'];

/** Whoever may do anything at all may ask who that is, and log in and out. */
const OF_EVERYBODY = ['endSession', 'getSession', 'startSession'];

/** Markets belong to no account: every account reads the same. */
const OF_NOBODY = ['listMarkets', 'streamMarkets', 'getMarket', 'getMarketBook', 'listMarketHistory'];
const SHARED = [...ACROSS_ACCOUNTS, ...OF_NOBODY];

/** What is put under a name is the caller's own, whoever else uses that name. */
const PUTTING = ['putSignal', 'putSignals'];

const EVERYTHING = AUTH_SCOPES.filter((scope) => scope !== 'admin');

const asked: string[] = [];
let app: RunningApp;
let alice: Client;
let bob: Client;
let operations: readonly Operation[];

/** A fresh record of alice or bob, of the kind that the path names. */
function ownRecord(path: string, owner: Client): Promise<string> {
  const name = owner === alice ? 'alice' : 'bob';
  if (path.startsWith(`${DECISIONS}/`)) return decisionOf(name, app.ledger);
  if (path.startsWith(`${WEBHOOKS}/`)) return webhookOf(name, app.ledger);
  if (path.startsWith(`${APPROVALS}/`)) return approvalOf(name, owner, app.ledger);
  return recordFor(path, owner);
}

/** Takes note of every call except the one that looks up a key. */
function watched(ledger: MemoryLedger): MemoryLedger {
  return new Proxy(ledger, {
    get: (target, name: keyof MemoryLedger) => {
      if (name !== 'findKey') asked.push(name);
      const member = target[name];
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

beforeAll(async () => {
  // Orders rest, so that there is something to cancel.
  const [ledger, paper] = [watched(new MemoryLedger()), new ScriptedExchange()];
  app = await startApp({ authenticator: 'keys', ledger, paper, markets: quotedMarkets() });
  alice = await app.keyed('alice', ...EVERYTHING);
  bob = await app.keyed('bob', ...EVERYTHING);
  operations = operationsOf((await app.client.get('/openapi.json')).json());
});

test("the document's routes are known, and only operator routes cross accounts", () => {
  expect(operations.length).toBeGreaterThan(15);
  expect(
    operations
      .filter(({ scopes }) => scopes.includes('admin'))
      .map(({ operationId }) => operationId)
      .sort(),
  ).toEqual([...ACROSS_ACCOUNTS, ...ALSO_OF_OPERATORS, ...OF_EVERYBODY].sort());
});

describe('what another account owns', () => {
  const own = () =>
    operations.filter(({ operationId, path }) => path.includes('{') && ![...SHARED, ...PUTTING].includes(operationId));

  test('answers on every route exactly as what does not exist', async () => {
    for (const operation of own()) {
      const [mine, theirs] = [await ownRecord(operation.path, alice), await ownRecord(operation.path, bob)];
      const other = await ask(alice, operation, theirs);
      expect(other.status, operation.operationId).toBe(404);
      expect(answerOf(other), operation.operationId).toEqual(
        answerOf(await ask(alice, operation, nothing(operation.path))),
      );
      expect((await ask(alice, operation, mine)).status, operation.operationId).toBe(200);
    }
  });

  test('is untouched by all attempts', async () => {
    for (const operation of own().filter(({ method }) => method !== 'GET')) {
      const [collection = ''] = operation.path.split('/{');
      const path = `${collection}/${await ownRecord(operation.path, bob)}`;
      const before = await bob.get(path);
      await ask(alice, operation, path.slice(collection.length + 1));
      expect((await bob.get(path)).text, operation.operationId).toBe(before.text);
    }
  });

  test('is not changed by what is put under the same name', async () => {
    for (const operation of operations.filter(({ operationId }) => PUTTING.includes(operationId))) {
      const id = await ownRecord(operation.path, bob);
      const path = `${SIGNALS}/${id.split('/')[0]}/${ORDER.market_id}`;
      const before = await bob.get(path);
      expect([before.status, (await alice.get(path)).status], operation.operationId).toEqual([200, 404]);
      expect((await ask(alice, operation, id)).status, operation.operationId).toBe(200);
      expect((await bob.get(path)).text, operation.operationId).toBe(before.text);
    }
  });

  test('is in no list, by no filter and no cursor', async () => {
    const signal = await recordFor(`${SIGNALS}/{name}`, bob);
    const webhook = await webhookOf('bob', app.ledger);
    expect((await bob.get(WEBHOOKS)).text).toContain(webhook);
    const strategy = await recordFor(`${STRATEGIES}/{sid}`, bob);
    const order = (await bob.post(ORDERS, { ...ORDER, market_id: 'only-bobs', strategy_id: strategy })).json<{
      id: string;
    }>().id;
    const lists = operations.filter(({ method, path, operationId }) => {
      return method === 'GET' && !path.includes('{') && !SHARED.includes(operationId);
    });
    expect(lists.length).toBeGreaterThan(3);
    for (const { path, parameters } of lists) {
      const inPages = parameters.some(({ name }) => name === 'cursor');
      for (const query of inPages ? ['limit=100', `limit=100&cursor=${latest(path)}`] : ['']) {
        const { text, status } = await alice.get(`${path}?${query}`);
        expect(status).toBe(200);
        expect(text).not.toContain(strategy);
        expect(text).not.toContain(order);
        expect(text).not.toContain(signal);
        expect(text).not.toContain(webhook);
      }
    }
    expect((await alice.get(`${SIGNALS}?name=${signal}`)).json()['data']).toEqual([]);
    expect((await bob.get(`${SIGNALS}?name=${signal}`)).json()['data']).toHaveLength(1);
    for (const query of [`strategy_id=${strategy}`, 'market_id=only-bobs']) {
      expect((await alice.get(`${ORDERS}?${query}`)).json()['data']).toEqual([]);
      expect((await bob.get(`${ORDERS}?${query}`)).text).toContain(order);
    }
  });

  test('cannot be named in a portfolio', async () => {
    const strategy = await recordFor(`${STRATEGIES}/{sid}`, bob);
    const read = (path: string, id: string) =>
      alice.get(`${path}?strategy_id=${id}`, { 'x-request-id': 'the-same' }).then(answerOf);
    const none = await read(PORTFOLIO, randomUUID());
    expect(none.status).toBe(404);
    expect(await read(PORTFOLIO, strategy)).toEqual(none);
    expect((await bob.get(`${PORTFOLIO}?strategy_id=${strategy}`)).json()['strategy_id']).toBe(strategy);
    const history = `${PORTFOLIO}/history`;
    expect(await read(history, strategy)).toEqual(await read(history, randomUUID()));
  });

  test('cannot be named in an order', async () => {
    const place = (id: string) => alice.post(ORDERS, { ...ORDER, strategy_id: id }, { 'x-request-id': 'the-same' });
    const other = await place(await recordFor(`${STRATEGIES}/{sid}`, bob));
    expect([other.status, other.json()['type']]).toEqual([404, '/problems/strategy-not-found']);
    expect(answerOf(other)).toEqual(answerOf(await place(randomUUID())));
  });

  test('is not reached through its idempotency key on any route', async () => {
    for (const operation of operations.filter(
      ({ parameters, operationId }) =>
        parameters.some(({ name }) => name === 'idempotency-key') && !ACROSS_ACCOUNTS.includes(operationId),
    )) {
      const key = { 'idempotency-key': `shared-${operation.operationId}` };
      const body = operation.body ? (BODIES[operation.operationId] ?? {}) : undefined;
      const path = async (owner: Client) =>
        operation.path.includes('{')
          ? operation.path.replace(/\{\w+\}/, await ownRecord(operation.path, owner))
          : operation.path;
      const [first, second] = [
        await bob.post(await path(bob), body, key),
        await alice.post(await path(alice), body, key),
      ];
      expect(first.status, operation.operationId).toBeOneOf([200, 201]);
      expect(second.status, operation.operationId).toBe(first.status);
      expect(second.headers, operation.operationId).not.toHaveProperty('idempotency-replayed');
      // What has no id says whose credential made it.
      const [one, other] = [first.json(), second.json()].map((made) => made['id'] ?? made['by']);
      expect(other).not.toBe(one);
    }
  });
});

describe('every operation', () => {
  test('asks for credentials, and looks at nothing before', async () => {
    asked.length = 0;
    for (const operation of operations) {
      for (const client of [
        app.client,
        app.client.as({ authorization: 'Bearer sp_0_no' }),
        app.client.as({ 'x-dev-user': 'alice' }),
      ]) {
        const reply = await ask(client, operation, nothing(operation.path));
        expect(reply.status, operation.operationId).toBe(401);
        expect(reply.headers['www-authenticate']).toMatch(/^Bearer realm="stakeport"/);
      }
    }
    expect(asked).toEqual([]);
  });

  test('checks its scope first, answering alike for own, foreign and unknown ids', async () => {
    for (const operation of operations) {
      const others = AUTH_SCOPES.filter((scope: AuthScope) => !operation.scopes.includes(scope));
      const lacking = await app.keyed('alice', ...others);
      const ids: string[] = [nothing(operation.path)];
      if (operation.path.includes('{') && !ACROSS_ACCOUNTS.includes(operation.operationId)) {
        ids.push(await ownRecord(operation.path, alice), await ownRecord(operation.path, bob));
      }
      asked.length = 0;
      const replies = [];
      for (const id of ids) replies.push(answerOf(await ask(lacking, operation, id)));
      expect(asked, operation.operationId).toEqual([]);
      expect(replies[0], operation.operationId).toMatchObject({ status: 403 });
      expect(new Set(replies.map((reply) => JSON.stringify(reply))).size, operation.operationId).toBe(1);
    }
  });

  test('is done with its scope alone', async () => {
    // A key has no session to end.
    const others = [...ACROSS_ACCOUNTS, 'endSession'];
    for (const operation of operations.filter(({ operationId }) => !others.includes(operationId))) {
      const [scope = 'admin'] = operation.scopes;
      const client = await app.keyed('alice', scope);
      const id = operation.path.includes('{') ? await ownRecord(operation.path, alice) : '';
      expect((await ask(client, operation, id)).status, operation.operationId).toBeOneOf([200, 201]);
    }
  });
});
