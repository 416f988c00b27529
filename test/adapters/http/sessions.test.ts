import { beforeAll, describe, expect, test } from 'vitest';
import { AUTH_SCOPES } from '../../../src/core/access/principal.js';
import { ORDER, ORDERS, type RunningApp, STREAM, startApp } from '../../support/app.js';
import { EventReader } from '../../support/event-reader.js';
import type { Client, Reply } from '../../support/http.js';
import { LoginFixture, problem, SESSION, setCookie } from '../../support/login.js';

let fixture: LoginFixture;
let app: RunningApp;
let alice: Client;

beforeAll(async () => {
  fixture = await LoginFixture.open();
  ({ app, alice } = fixture);
});

describe('a session', () => {
  test('starts from a key, shows owner and expiry, and has its scopes', async () => {
    const began = Date.now();
    const { browser, keyId } = await fixture.loggedIn();
    const told = (await browser.get(SESSION)).json<Record<string, string>>();
    expect(told).toMatchObject({ account: 'alice', kind: 'session', credential: keyId });
    expect(told['scopes']).toEqual(['orders:read', 'orders:paper']);
    const minutesTo = (name: string) => Math.round((Date.parse(told[name] ?? '') - began) / 60_000);
    expect([minutesTo('started_at'), minutesTo('idle_at'), minutesTo('ends_at')]).toEqual([0, 30, 720]);
    expect((await browser.post(ORDERS, ORDER)).status).toBe(201);
    expect(problem(await browser.get('/v1/strategies'))).toEqual([403, '/problems/insufficient-scope']);
  });

  test('ends on request, and nobody can use it afterwards', async () => {
    const { browser } = await fixture.loggedIn();
    const other = (await fixture.loggedIn()).browser;
    const ended = await browser.delete(SESSION);
    expect([ended.status, setCookie(ended)]).toEqual([
      200,
      '__Host-stakeport=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0',
    ]);
    expect([(await browser.get(ORDERS)).status, (await other.get(ORDERS)).status]).toEqual([401, 200]);
  });

  test('ends with its key', async () => {
    const { browser, keyId } = await fixture.loggedIn();
    const operator = await app.keyed('operator', 'admin');
    expect((await operator.delete(`/v1/admin/keys/${keyId}`)).status).toBe(200);
    for (const reply of [await browser.get(ORDERS), await browser.post(ORDERS, ORDER), await browser.get(SESSION)])
      expect(problem(reply)).toEqual([401, '/problems/unauthenticated']);
  });

  test('does not count beside an Authorization header, be that right or wrong', async () => {
    const { browser } = await fixture.loggedIn('bob');
    const both = browser.as(alice.headers);
    expect((await both.get(SESSION)).json()).toMatchObject({ account: 'alice', kind: 'key', ends_at: null });
    expect(problem(await both.delete(SESSION))).toEqual([404, '/problems/not-found']);
    expect((await browser.as({ authorization: 'Bearer nonsense' }).get(SESSION)).status).toBe(401);
    expect((await browser.get(SESSION)).status).toBe(200);
  });

  test('begins no other: it would never end', async () => {
    const { browser } = await fixture.loggedIn();
    expect(problem(await browser.post(SESSION))).toEqual([403, '/problems/session-needs-key']);
  });

  test('is not written by reads, except its use once a minute', async () => {
    const { browser } = await fixture.loggedIn();
    const uses: string[] = [];
    const { use } = fixture.ledger.sessions;
    fixture.ledger.sessions.use = (digest, at) => {
      uses.push(digest);
      return use.call(fixture.ledger.sessions, digest, at);
    };
    for (let n = 0; n < 20; n++) expect((await browser.get(ORDERS)).status).toBe(200);
    fixture.ledger.sessions.use = use;
    expect(uses).toEqual([]);
  });

  test('opens the event stream, which ends with it within two seconds', async () => {
    const { browser } = await fixture.loggedIn();
    const reader = await new EventReader(browser, STREAM).until(({ received }) => received.length > 0);
    await browser.delete(SESSION);
    await reader.until(({ hasEnded }) => hasEnded);
    expect(reader.of('bye')).toMatchObject([{ data: { reason: 'unauthenticated' } }]);
  });

  test('is not stored: only what its secret hashes to', async () => {
    const { text } = await fixture.loggedIn();
    const digests: string[] = [];
    const { find } = fixture.ledger.sessions;
    fixture.ledger.sessions.find = (digest) => {
      digests.push(digest);
      return find.call(fixture.ledger.sessions, digest);
    };
    await app.client.get(SESSION, { cookie: `__Host-stakeport=${text}` });
    fixture.ledger.sessions.find = find;
    expect(digests).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.any(String)]);
    expect(digests.join()).not.toContain(text);
  });

  test('can be started ten times a minute per key', async () => {
    const keyed = await app.keyed('carol', 'orders:read');
    const begun = [];
    for (let n = 0; n < 11; n++) begun.push(await keyed.post(SESSION));
    expect(begun.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
    const refused = begun[10] as Reply;
    expect(problem(refused)).toEqual([429, '/problems/too-many-sessions']);
    expect(Number(refused.headers['retry-after'])).toBeOneOf(Array.from({ length: 60 }, (_, n) => n + 1));
    expect((await (await app.keyed('carol', 'orders:read')).post(SESSION)).status).toBe(201);
  });

  test.each(['', 'x', 'A'.repeat(42), 'A'.repeat(43), 'A'.repeat(5000), `${'A'.repeat(42)}%`])(
    'is not %j',
    async (text) => {
      const reply = await app.client.get(ORDERS, { cookie: `__Host-stakeport=${text}` });
      expect(reply.status).toBe(401);
    },
  );

  test('is not one of two', async () => {
    const { text } = await fixture.loggedIn();
    const cookie = `__Host-stakeport=${text}; __Host-stakeport=${text}`;
    expect((await app.client.get(ORDERS, { cookie })).status).toBe(401);
  });
});

describe('where callers have no keys', () => {
  test('everybody can see their identity, and there is no login', async () => {
    const dev = await startApp();
    expect((await dev.client.get(SESSION)).json()).toEqual({
      account: 'dev',
      kind: 'dev',
      credential: 'dev',
      scopes: AUTH_SCOPES,
      started_at: null,
      idle_at: null,
      ends_at: null,
    });
    for (const method of ['POST', 'DELETE'] as const) {
      const reply = await dev.client.send(method, SESSION);
      expect([reply.status, reply.headers['allow']]).toEqual([405, 'HEAD, GET']);
    }
    const { cookie } = await fixture.loggedIn();
    expect((await dev.client.get(SESSION, { cookie })).json()).toMatchObject({ kind: 'dev' });
  });
});
