import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../support/app.js';
import { NOBODY, webhookOf } from '../../support/app-webhooks.js';
import type { Client } from '../../support/http.js';

const KEYS = '/v1/admin/keys';
const WEBHOOKS = '/v1/webhooks';

let root: Client;
let alice: Client;
let other: Client;
/** A webhook of alice's account that is active, and that her first key led to where it leads now. */
let active: string;

const idOf = (client: Client) => /sp_([^_]+)_/.exec(String(client.headers['authorization']))?.[1] ?? '';
const stateOf = async (id: string) => (await other.get(`${WEBHOOKS}/${id}`)).json<{ state: string }>().state;
const revoke = (query = '') => root.delete(`${KEYS}/${idOf(alice)}${query}`);

beforeEach(async () => {
  const app = await startApp({ authenticator: 'keys' });
  root = await app.keyed('root', 'admin');
  alice = await app.keyed('alice', 'orders:read', 'webhooks:write');
  other = await app.keyed('alice', 'orders:read', 'webhooks:write');
  active = await webhookOf('alice', app.ledger, idOf(alice));
});

describe('A webhook', () => {
  test('names the credential that created it, in its record and events', async () => {
    const { id, by } = (await alice.post(WEBHOOKS, { url: NOBODY })).json<{ id: string; by: string }>();
    expect(by).toBe(idOf(alice));
    expect((await other.get(`${WEBHOOKS}/${id}`)).json()).toMatchObject({ by: idOf(alice) });
    const { data } = (await other.get('/v1/events?types=webhook.created')).json<{ data: object[] }>();
    expect(data.at(-1)).toMatchObject({ data: { webhook: { id, by: idOf(alice) } } });
  });

  test('belongs to the credential that last changed its URL', async () => {
    const path = `${WEBHOOKS}/${active}`;
    expect((await other.patch(path, { description: 'mine' })).json()).toMatchObject({ by: idOf(alice) });
    expect((await other.patch(path, { url: `${NOBODY}/2` })).json()).toMatchObject({ by: idOf(other) });
  });
});

describe('Revoking a key', () => {
  test('lists and disables the webhooks that it made', async () => {
    const unverified = (await alice.post(WEBHOOKS, { url: NOBODY })).json<{ id: string }>().id;
    const theirs = (await other.post(WEBHOOKS, { url: NOBODY })).json<{ id: string }>().id;
    const revoked = await revoke();
    expect(revoked.json()).toMatchObject({ id: idOf(alice), revoked_at: expect.any(String) });
    expect(revoked.json<{ webhooks: object[] }>().webhooks).toEqual([
      { id: active, to: '127.0.0.1:9', state: 'disabled' },
      { id: unverified, to: '127.0.0.1:9', state: 'disabled' },
    ]);
    expect((await other.get(`${WEBHOOKS}/${active}`)).json()).toMatchObject({
      disabled_because: `The key ${idOf(alice)}, which made it, was revoked.`,
    });
    expect(await stateOf(theirs)).toBe('unverified');
  });

  test('keeps its webhooks inactive until their receivers accept a ping', async () => {
    await revoke();
    const enabled = (await other.post(`${WEBHOOKS}/${active}/enable`)).json();
    expect(enabled).toMatchObject({ state: 'unverified', disabled_because: null });
    expect((await other.post(`${WEBHOOKS}/${active}/enable`)).json()).toMatchObject({
      type: '/problems/webhook-not-verified',
    });
  });

  test('keeps its webhooks on request, and disables them when revoked again', async () => {
    expect((await revoke('?webhooks=keep')).json()).toMatchObject({ webhooks: [{ id: active, state: 'active' }] });
    expect(await stateOf(active)).toBe('active');
    expect((await revoke()).json()).toMatchObject({ webhooks: [{ id: active, state: 'disabled' }] });
    expect((await revoke('?webhooks=remove')).status).toBe(422);
  });
});
