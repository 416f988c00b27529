import { beforeAll, describe, expect, test } from 'vitest';
import { ORDER, ORDERS, type RunningApp, STRATEGIES, startApp } from '../../support/app.js';
import { message, statusesIn, Wire } from '../../support/wire.js';

let app: RunningApp;

beforeAll(async () => {
  app = await startApp({ tolerance: { headersMs: 400, requestMs: 800 } });
});

const JSON_BODY = { 'content-type': 'application/json' };
const UPGRADE = { connection: 'keep-alive, Upgrade', upgrade: 'websocket' };
const placed = async () => (await app.client.get(ORDERS)).json<{ data: unknown[] }>().data.length;

describe('A request to upgrade the connection', () => {
  test('is answered as any other, and closes its connection', async () => {
    const wire = await Wire.to(app.url);
    const heard = await wire.send(message('GET /healthz', UPGRADE)).closed();
    expect(statusesIn(heard)).toEqual([200]);
    expect(heard).toMatch(/^connection: close$/im);
  });

  test('lets no body that follows it be taken for a request', async () => {
    const inner = message(`POST ${ORDERS}`, JSON_BODY, JSON.stringify(ORDER));
    const wire = await Wire.to(app.url);
    // Its head comes with the request to upgrade and is lost with it; then its body would stand alone.
    const head = message(`PATCH ${STRATEGIES}/x`, { ...JSON_BODY, 'content-length': `${inner.length}` });
    wire.send(message('GET /healthz', UPGRADE) + head);
    await wire.hears(/HTTP\/1\.1 200/);
    wire.send(inner);
    expect(statusesIn(await wire.closed())).toEqual([200]);
    expect(await placed()).toBe(0);
  });
});

describe('A request that is answered before its body has come', () => {
  test('has one answer: what never comes is not reported again', async () => {
    const created = await app.client.post(STRATEGIES, {
      name: 'a',
      sport: 'soccer',
      rules: { match: {}, filter: {}, sizing: { method: 'flat', value: 1 } },
      bankroll_cap: 10,
      stake_cap: 1,
    });
    const { id } = created.json<{ id: string }>();
    const wire = await Wire.to(app.url);
    const heard = await wire.send(message(`POST ${STRATEGIES}/${id}/pause`, { 'content-length': '50' })).closed();
    expect(statusesIn(heard)).toEqual([200]);
  });
});
