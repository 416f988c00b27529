import { describe, expect, test } from 'vitest';
import { AUTH_SCOPES } from '../../../src/core/access/principal.js';
import { ORDER, ORDERS, PORTFOLIO, startApp } from '../../support/app.js';
import { anOrderContext, NOON } from '../../support/builders.js';
import type { Reply } from '../../support/http.js';
import { delays, ScriptedExchange } from '../../support/scripted-exchange.js';

const resetOf = (account: string) => `/v1/admin/accounts/${account}/paper/reset`;
const RESET = resetOf('alice');
const KEY = { 'idempotency-key': 'once' };
const typeOf = (reply: Reply) => reply.json()['type'];

/** Alice has an order that rests, and an operator looks after her. */
async function fixture(paper = new ScriptedExchange()) {
  const app = await startApp({ authenticator: 'keys', paper, context: anOrderContext() });
  const alice = await app.keyed('alice', ...AUTH_SCOPES.filter((scope) => scope !== 'admin'));
  const operator = await app.keyed('operator', 'admin');
  const order = (await alice.post(ORDERS, ORDER)).headers.location ?? '';
  return { app, alice, operator, order };
}

describe('resetting a paper account', () => {
  test('answers with the account as it is then, and cancels what rested', async () => {
    const { alice, operator, order } = await fixture();
    const reply = await operator.post(RESET);
    const money = { cash_usdc: '1000', reserved_usdc: '0' };
    expect([reply.status, reply.json()]).toEqual([
      200,
      { account: 'alice', ...money, cancelled_orders: 1, reset_at: NOON },
    ]);
    expect((await alice.get(order)).json()['status']).toBe('cancelled');
    expect((await alice.get(PORTFOLIO)).json()).toMatchObject(money);
  });

  test('with the same key again answers the same, and cancels nothing more', async () => {
    const { alice, operator } = await fixture();
    const first = await operator.post(RESET, undefined, KEY);
    const since = (await alice.post(ORDERS, ORDER)).headers.location ?? '';
    const second = await operator.post(RESET, {}, KEY);
    expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect((await alice.get(since)).json()['status']).toBe('open');
  });

  test('is for operators alone, not for the account itself', async () => {
    const { alice, order } = await fixture();
    const reply = await alice.post(RESET);
    expect([reply.status, typeOf(reply)]).toEqual([403, '/problems/insufficient-scope']);
    expect((await alice.get(order)).json()['status']).toBe('open');
  });

  test.each(['bob', '.', '%20', 'a'.repeat(129), '__proto__'])(
    'of %s, who never traded, finds nothing',
    async (name) => {
      const { operator } = await fixture();
      const reply = await operator.post(resetOf(name === '.' ? '%2E%2E' : name));
      expect([reply.status, typeOf(reply)]).toEqual([404, '/problems/not-found']);
      expect(reply.json()['detail']).toBe('No paper account of that name has traded yet.');
    },
  );

  test('takes an account name that a path has to encode', async () => {
    const { app, operator } = await fixture();
    await (await app.keyed('a+b:c@d', 'orders:paper')).post(ORDERS, ORDER);
    expect((await operator.post(resetOf(encodeURIComponent('a+b:c@d')))).json()['account']).toBe('a+b:c@d');
  });

  test('says when to come back while an order cannot be cancelled', async () => {
    const { operator } = await fixture(new ScriptedExchange({ place: delays() }));
    const reply = await operator.post(RESET);
    expect([reply.status, typeOf(reply), reply.headers['retry-after']]).toEqual([409, '/problems/account-busy', '5']);
  });

  test.each([
    ['a member', '{"cash_usdc":5}', 422, 'validation-failed'],
    ['a list', '[]', 422, 'validation-failed'],
    ['what is not JSON', '{', 400, 'malformed-json'],
  ])('refuses a body with %s, and cancels nothing', async (_, body, status, problem) => {
    const { alice, operator, order } = await fixture();
    const reply = await operator.post(RESET, body);
    expect([reply.status, typeOf(reply)]).toEqual([status, `/problems/${problem}`]);
    expect((await alice.get(order)).json()['status']).toBe('open');
  });

  test.each([
    ['nothing, and says so', undefined, { 'content-length': '0' }],
    ['a body that ends before it begins', undefined, { 'transfer-encoding': 'chunked' }],
    ['an empty text that is called JSON', '', {}],
    ['an empty object', '{}', {}],
  ])('takes %s', async (_, body, headers) => {
    const { operator } = await fixture();
    expect((await operator.send('POST', RESET, { body, headers })).status).toBe(200);
  });

  test('refuses a body that is not JSON by its type', async () => {
    const { operator } = await fixture();
    const reply = await operator.send('POST', RESET, { body: '{}', headers: { 'content-type': 'text/plain' } });
    expect([reply.status, typeOf(reply)]).toEqual([415, '/problems/unsupported-media-type']);
  });

  test('is there for development users too', async () => {
    const { client } = await startApp({ context: anOrderContext() });
    await client.post(ORDERS, ORDER);
    expect((await client.post(resetOf('dev'))).json()).toMatchObject({ account: 'dev', cancelled_orders: 0 });
    expect((await client.get(PORTFOLIO)).json()).toMatchObject({ cash_usdc: '1000', positions: [] });
  });
});
