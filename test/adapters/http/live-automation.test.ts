import { describe, expect, test } from 'vitest';
import { EVENTS, type RunningApp, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';
import type { Client, Reply } from '../../support/http.js';

const BODY = { ...STRATEGY, rules: { ...STRATEGY.rules, outcome: { role: 'home' } }, paper_only: false };
const LIVE = { ...BODY, automation: 'auto', automation_paper: false };

const opened = () => startApp({ authenticator: 'keys' });
const writer = (app: RunningApp) => app.keyed('alice', 'strategies:write', 'strategies:read', 'orders:read');
const liveWriter = (app: RunningApp) => app.keyed('alice', 'strategies:write', 'strategies:read', 'orders:live');
const patched = (client: Client, made: Reply, body: object) =>
  client.send('PATCH', `${STRATEGIES}/${made.json<{ id: string }>().id}`, { body });
const seen = (reply: Reply) => [reply.status, reply.json()['type'] ?? reply.json()['automation_paper']];

describe('automation with real money', () => {
  test('takes a key with orders:live, at creation and in a change', async () => {
    const app = await opened();
    const [plain, live] = [await writer(app), await liveWriter(app)];
    const refused = await plain.post(STRATEGIES, LIVE);
    expect(seen(refused)).toEqual([403, '/problems/insufficient-scope']);
    expect(refused.headers['www-authenticate']).toContain('scope="orders:live"');
    expect((await plain.get(STRATEGIES)).json()['data']).toEqual([]);
    expect(seen(await live.post(STRATEGIES, LIVE))).toEqual([201, false]);
    const made = await plain.post(STRATEGIES, { ...BODY, automation: 'auto' });
    expect(seen(made)).toEqual([201, true]);
    expect(seen(await patched(plain, made, { automation_paper: false }))).toEqual([
      403,
      '/problems/insufficient-scope',
    ]);
    expect(seen(await patched(live, made, { automation_paper: false }))).toEqual([200, false]);
    expect(seen(await patched(plain, made, { stake_cap: 40 }))).toEqual([403, '/problems/insufficient-scope']);
    expect(seen(await patched(plain, made, { automation_paper: true }))).toEqual([200, true]);
  });

  test('is nothing for a development user', async () => {
    const { client } = await startApp();
    expect(seen(await client.post(STRATEGIES, LIVE))).toEqual([403, '/problems/live-trading-not-enabled']);
    const made = await client.post(STRATEGIES, BODY);
    expect(seen(await patched(client, made, { automation_paper: false }))).toEqual([
      403,
      '/problems/live-trading-not-enabled',
    ]);
  });

  test('ends at the same moment as the key that requested it', async () => {
    const app = await opened();
    const [plain, live, admin] = [await writer(app), await liveWriter(app), await app.keyed('root', 'admin')];
    const made = await live.post(STRATEGIES, LIVE);
    const [key] = (await admin.get('/v1/admin/keys'))
      .json<{ data: { id: string; scopes: string[] }[] }>()
      .data.filter(({ scopes }) => scopes.includes('orders:live'));
    expect((await admin.send('DELETE', `/v1/admin/keys/${key?.id}`, {})).status).toBe(200);
    const now = await plain.get(`${STRATEGIES}/${made.json<{ id: string }>().id}`);
    expect(now.json()).toMatchObject({ version: 2, automation: 'auto', automation_paper: true });
    const log = (await plain.get(`${EVENTS}?limit=100`)).json<{ data: { type: string; data: object }[] }>().data;
    expect(log.slice(-2)).toMatchObject([
      { type: 'strategy.changed', data: { strategy: { version: 2, automation_paper: true } } },
      { type: 'key.revoked', data: { key: { id: key?.id } } },
    ]);
  });
});
