import { describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../src/core/ledger/event-log.js';
import { ORDER, ORDERS, startApp } from '../../support/app.js';
import { anOrderContext, NOON } from '../../support/builders.js';
import type { Reply } from '../../support/http.js';
import { ScriptedExchange } from '../../support/scripted-exchange.js';

const STATE = '/v1/trading/state';
const HISTORY = '/v1/trading/history';
const HALT = { scope: 'account', state: 'halted', reason: 'Odd prices' };
const TRADER = ['orders:read', 'orders:paper', 'orders:cancel', 'strategies:write'] as const;
const said = (reply: Reply) => [reply.status, reply.json()['type']];

/** Alice has an order that rests; a trader may halt her account, her owner resume it, and an operator stop everyone. */
async function fixture() {
  const app = await startApp({ authenticator: 'keys', paper: new ScriptedExchange(), context: anOrderContext() });
  const [alice, owner] = [await app.keyed('alice', ...TRADER), await app.keyed('alice', 'risk:write')];
  const operator = await app.keyed('operator', 'admin', 'orders:read');
  const order = (await alice.post(ORDERS, ORDER)).headers.location ?? '';
  return { app, alice, owner, operator, order };
}

describe('setting a state of trading', () => {
  test('answers with it, stops orders, and is shown', async () => {
    const { alice } = await fixture();
    const reply = await alice.post(STATE, HALT);
    const state = { ...HALT, stops: 'all', by: expect.any(String), since: NOON, until: null, code: null };
    expect([reply.status, reply.json()]).toEqual([200, { ...state, cancellation: null }]);
    expect(Object.keys(reply.json())).toEqual([
      'scope',
      'state',
      'stops',
      'reason',
      'by',
      'since',
      'until',
      'code',
      'cancellation',
    ]);
    expect((await alice.get(STATE)).json()).toEqual({ live_enabled: false, effective: 'halted', data: [state] });
    const order = await alice.post(ORDERS, ORDER);
    expect([order.status, order.json()['status']]).toEqual([201, 'denied']);
    expect(order.json()['error']).toMatch(/^trading_halted: Trading is halted for the account, by .*: Odd prices\.$/);
  });

  test('cancels what works, when asked to, and says so', async () => {
    const { alice, order } = await fixture();
    const reply = await alice.post(STATE, { ...HALT, cancel: true });
    expect(reply.json()['cancellation']).toEqual({ cancelled: 1, working: 0, not_cancelled: [] });
    expect((await alice.get(order)).json()['status']).toBe('cancelled');
  });

  test('with the same key again answers the same', async () => {
    const { alice } = await fixture();
    const key = { 'idempotency-key': 'once' };
    const [first, second] = [await alice.post(STATE, HALT, key), await alice.post(STATE, HALT, key)];
    expect([second.headers['idempotency-replayed'], second.text]).toEqual(['true', first.text]);
    const third = await alice.post(STATE, { ...HALT, state: 'reducing' }, key);
    expect(said(third)).toEqual([422, '/problems/idempotency-key-reused']);
  });

  test('is case-insensitive, and every account sees the state of the service', async () => {
    const { alice, operator } = await fixture();
    const rules = { match: {}, filter: {}, sizing: { method: 'flat', value: 1 } };
    const draft = { name: 'One', sport: 'soccer', rules, bankroll_cap: 10, stake_cap: 5 };
    const { id } = (await alice.post('/v1/strategies', draft)).json();
    expect((await alice.post(STATE, { ...HALT, scope: `strategy:${String(id).toUpperCase()}` })).json()['scope']).toBe(
      `strategy:${id}`,
    );
    const sport = await operator.post(STATE, { ...HALT, scope: 'sport:Ice Hockey', state: 'reducing', stops: 'live' });
    expect(sport.json()).toMatchObject({ scope: 'sport:ice hockey', state: 'reducing', stops: 'live' });
    const seen = (await alice.get(STATE)).json();
    expect(seen).toMatchObject({
      effective: 'active',
      data: [{ scope: 'sport:ice hockey' }, { scope: `strategy:${id}` }],
    });
  });

  test('needs different scopes to loosen, to tighten, and for the whole service', async () => {
    const { alice, owner } = await fixture();
    await alice.post(STATE, HALT);
    const loosened = await alice.post(STATE, { ...HALT, state: 'active' });
    expect(said(loosened)).toEqual([403, '/problems/insufficient-scope']);
    expect(loosened.headers['www-authenticate']).toContain('scope="risk:write"');
    expect(said(await alice.post(STATE, { ...HALT, scope: 'service' }))).toEqual([403, '/problems/insufficient-scope']);
    expect((await owner.post(STATE, { ...HALT, state: 'active' })).status).toBe(200);
    expect((await alice.post(ORDERS, ORDER)).json()['status']).toBe('open');
    expect(said(await owner.post(STATE, HALT))).toEqual([403, '/problems/insufficient-scope']);
  });

  test.each<[string, object, string]>([
    ['no reason', { reason: undefined }, '/reason'],
    ['a blank reason', { reason: ' ' }, '/reason'],
    ['a long reason', { reason: 'x'.repeat(201) }, '/reason'],
    ['an unknown scope', { scope: 'league:epl' }, '/scope'],
    ['a strategy without an id', { scope: 'strategy:one' }, '/scope'],
    ['a nameless sport', { scope: 'sport: ' }, '/scope'],
    ['an unknown state', { state: 'stopped' }, '/state'],
    ['an end that has passed', { until: '2026-03-01T12:00:00Z' }, '/until'],
    ['an end of what is not stopped', { state: 'active', until: '2027-03-01T12:00:00Z' }, '/until'],
    ['an unknown kind of orders', { stops: 'paper' }, '/stops'],
    ['a stranger', { stop: 'live' }, '/stop'],
  ])('refuses %s', async (_, change, pointer) => {
    const { alice } = await fixture();
    const reply = await alice.post(STATE, { ...HALT, ...change });
    expect(said(reply)).toEqual([422, '/problems/validation-failed']);
    expect(reply.json()['errors']).toMatchObject([{ pointer }]);
    expect((await alice.get(STATE)).json()['data']).toEqual([]);
  });

  test("finds no strategy of another account's", async () => {
    const { alice } = await fixture();
    const reply = await alice.post(STATE, { ...HALT, scope: 'strategy:019573a0-0000-7000-8000-000000000001' });
    expect(said(reply)).toEqual([404, '/problems/not-found']);
  });

  test('is listed, newest first, for the account and for the service', async () => {
    const { alice, owner, operator } = await fixture();
    await alice.post(STATE, HALT);
    await owner.post(STATE, { ...HALT, state: 'active', reason: 'Fine' });
    await operator.post(STATE, { ...HALT, scope: 'service', reason: 'Maintenance' });
    const page = (await alice.get(`${HISTORY}?limit=1`)).json();
    expect(page['data']).toMatchObject([{ state: 'active', reason: 'Fine' }]);
    const rest = (await alice.get(`${HISTORY}?cursor=${page['next_cursor']}`)).json();
    expect(rest).toMatchObject({ data: [{ state: 'halted', reason: 'Odd prices' }], next_cursor: null });
    expect((await alice.get(`${HISTORY}?of=service`)).json()['data']).toMatchObject([{ reason: 'Maintenance' }]);
    expect((await alice.get(`${HISTORY}?of=bob`)).status).toBe(422);
  });

  test('is an event of the account', async () => {
    const { alice } = await fixture();
    await alice.post(STATE, HALT);
    const { data } = (await alice.get('/v1/events?types=trading.state')).json();
    expect(data).toMatchObject([{ type: 'trading.state', data: { trading: { ...HALT, since: NOON } } }]);
    expect(EVENT_TYPES).toContain('trading.state');
  });
});
