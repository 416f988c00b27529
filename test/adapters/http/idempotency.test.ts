import { describe, expect, test } from 'vitest';
import { ORDER, ORDERS, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';
import type { Reply } from '../../support/http.js';
import { hangs, rests, ScriptedExchange } from '../../support/scripted-exchange.js';

const KEY = { 'idempotency-key': 'once' };
const idOf = (reply: Reply) => reply.json<{ id: string }>().id;
const typeOf = (reply: Reply) => reply.json()['type'];

describe('the same request with the same key', () => {
  test.each([
    [STRATEGIES, STRATEGY, { ...STRATEGY, stake_cap: '50.00', is_paused: false }],
    [ORDERS, ORDER, { ...ORDER, price: '0.50', side: 'BUY', paper: true, strategy_id: null }],
  ])('makes one record at %s, however its values are written', async (path, body, again) => {
    const { client } = await startApp();
    const [first, second] = [await client.post(path, body, KEY), await client.post(path, again, KEY)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.headers.location).toBe(first.headers.location);
    expect(second.text).toBe(first.text);
  });

  test('shows the record as it is now', async () => {
    const { client } = await startApp();
    const id = idOf(await client.post(STRATEGIES, STRATEGY, KEY));
    await client.patch(`${STRATEGIES}/${id}`, { name: 'Renamed' });
    expect((await client.post(STRATEGIES, STRATEGY, KEY)).json()).toMatchObject({ id, name: 'Renamed', version: 2 });
  });

  test('pauses once: a resume in between stays in force', async () => {
    const { client } = await startApp();
    const path = `${STRATEGIES}/${idOf(await client.post(STRATEGIES, STRATEGY))}`;
    await client.post(`${path}/pause`, undefined, KEY);
    await client.post(`${path}/resume`, undefined, KEY);
    const replayed = await client.post(`${path}/pause`, undefined, KEY);
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    expect(replayed.json()).toMatchObject({ is_paused: false, version: 3 });
  });

  test('cancels once', async () => {
    const exchange = new ScriptedExchange();
    const { client } = await startApp({ paper: exchange });
    const path = `${ORDERS}/${idOf(await client.post(ORDERS, ORDER))}/cancel`;
    const [first, second] = [await client.post(path, undefined, KEY), await client.post(path, undefined, KEY)];
    expect(first.json()['status']).toBe('cancelled');
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.text).toBe(first.text);
    expect(exchange.count('cancel')).toBe(1);
  });

  test('shows what it made, or switched, after that was deleted', async () => {
    const { client } = await startApp();
    const path = (await client.post(STRATEGIES, STRATEGY, KEY)).headers.location ?? '';
    await client.post(`${path}/pause`, undefined, KEY);
    const deleted = await client.delete(path);
    const again = [await client.post(STRATEGIES, STRATEGY, KEY), await client.post(`${path}/pause`, undefined, KEY)];
    expect(again.map(({ status }) => status)).toEqual([201, 200]);
    for (const reply of again) {
      expect(reply.headers['idempotency-replayed']).toBe('true');
      expect(reply.text).toBe(deleted.text);
    }
    expect(deleted.json()['archived_at']).not.toBeNull();
    expect((await client.post(`${path}/pause`)).status).toBe(404);
  });

  test('shows a created key that was revoked since, without its secret', async () => {
    const app = await startApp({ authenticator: 'keys' });
    const admin = await app.keyed('root', 'admin');
    const asked = { account: 'alice', scopes: ['orders:read'] };
    const path = (await admin.post('/v1/admin/keys', asked, KEY)).headers.location ?? '';
    const revoked = await admin.delete(path);
    const again = await admin.post('/v1/admin/keys', asked, KEY);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
    const { webhooks: _, ...key } = revoked.json();
    expect(again.json()).toEqual({ key: null, ...key });
  });

  test('sent two hundred times at once makes one order', async () => {
    const { client } = await startApp();
    const replies = await Promise.all(Array.from({ length: 200 }, () => client.post(ORDERS, ORDER, KEY)));
    expect(new Set(replies.map(idOf)).size).toBe(1);
    expect(replies.filter((reply) => reply.headers['idempotency-replayed'] === undefined)).toHaveLength(1);
  });
});

describe('another request with the same key', () => {
  test.each([
    [STRATEGIES, STRATEGY, { ...STRATEGY, stake_cap: 51 }],
    [ORDERS, ORDER, { ...ORDER, price: 0.51 }],
    [ORDERS, ORDER, { ...ORDER, side: 'SELL' }],
  ])('is refused at %s', async (path, body, other) => {
    const { client } = await startApp();
    await client.post(path, body, KEY);
    const reply = await client.post(path, other, KEY);
    expect([reply.status, typeOf(reply)]).toEqual([422, '/problems/idempotency-key-reused']);
    expect((await client.get(path)).json<{ data: unknown[] }>().data).toHaveLength(1);
  });

  test('is refused for another strategy, and for another order', async () => {
    const { client } = await startApp({ paper: new ScriptedExchange() });
    for (const [path, body, verb] of [
      [STRATEGIES, STRATEGY, 'pause'],
      [ORDERS, ORDER, 'cancel'],
    ] as const) {
      const [one, two] = [idOf(await client.post(path, body)), idOf(await client.post(path, body))];
      expect((await client.post(`${path}/${one}/${verb}`, undefined, KEY)).status).toBe(200);
      expect((await client.post(`${path}/${two}/${verb}`, undefined, KEY)).status).toBe(422);
    }
  });

  test('is a new one on another route, or of another account', async () => {
    const { client } = await startApp();
    const id = idOf(await client.post(ORDERS, ORDER, KEY));
    expect((await client.post(STRATEGIES, STRATEGY, KEY)).status).toBe(201);
    const bob = await client.as({ 'x-dev-user': 'bob' }).post(ORDERS, { ...ORDER, price: 0.9 }, KEY);
    expect(bob.status).toBe(201);
    expect(idOf(bob)).not.toBe(id);
  });
});

describe('while the first request is running', () => {
  test('another gets 409 with a retry time, and then the order', async () => {
    const { answer, release } = hangs(rests());
    const exchange = new ScriptedExchange({ place: answer });
    const { client } = await startApp({ paper: exchange });
    const first = client.post(ORDERS, ORDER, KEY);
    await untilAsked(exchange);
    const early = await client.post(ORDERS, ORDER, KEY);
    expect([early.status, typeOf(early), early.headers['retry-after']]).toEqual([
      409,
      '/problems/idempotency-in-progress',
      '1',
    ]);
    release();
    expect((await client.post(ORDERS, ORDER, KEY)).status).toBeOneOf([201, 409]);
    const placed = await first;
    expect(placed.status).toBe(201);
    expect(idOf(await client.post(ORDERS, ORDER, KEY))).toBe(idOf(placed));
    expect(exchange.count('place')).toBe(1);
  });

  test('an order that can no longer be cancelled says so', async () => {
    const { client } = await startApp();
    const order = (await client.post(ORDERS, ORDER)).headers.location ?? '';
    for (const reply of [await client.post(`${order}/cancel`), await client.delete(order)]) {
      expect([reply.status, typeOf(reply)]).toEqual([409, '/problems/order-not-cancellable']);
    }
  });
});

async function untilAsked(exchange: ScriptedExchange): Promise<void> {
  while (exchange.count('place') === 0) await new Promise(setImmediate);
}
