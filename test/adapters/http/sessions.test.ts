import { beforeAll, describe, expect, test } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { AUTH_SCOPES } from '../../../src/core/access/principal.js';
import { ORDER, ORDERS, type RunningApp, STREAM, startApp } from '../../support/app.js';
import { EventReader } from '../../support/event-reader.js';
import type { Client, Headers, Reply } from '../../support/http.js';
import { message, Wire } from '../../support/wire.js';

const SESSION = '/v1/session';
const APP = 'https://app.example.org';
const NAME = 'trade.example.org';
const COOKIE = /^__Host-stakeport=([\w-]{43}); Path=\/; Secure; HttpOnly; SameSite=Strict$/;
const PAGE = { 'sec-fetch-site': 'same-origin' };

let app: RunningApp;
let alice: Client;
/** The same server, but called by any name. */
let nameless: RunningApp;
let ledger: MemoryLedger;

beforeAll(async () => {
  ledger = new MemoryLedger();
  app = await startApp({ authenticator: 'keys', ledger, corsOrigins: [APP], allowedHosts: [NAME], streams: {} });
  nameless = await startApp({ authenticator: 'keys', ledger });
  alice = await app.keyed('alice', 'orders:read', 'orders:paper');
});

const setCookie = ({ headers }: Reply): string => headers['set-cookie']?.[0] ?? '';

/** A browser that has logged in with a new key. */
async function loggedIn(account = 'alice'): Promise<{ browser: Client; text: string; cookie: string; keyId: string }> {
  const started = await (await app.keyed(account, 'orders:read', 'orders:paper')).post(SESSION);
  expect(started.status).toBe(201);
  const text = COOKIE.exec(setCookie(started))?.[1] ?? '';
  const cookie = `theme=dark; __Host-stakeport=${text}`;
  const keyId = String(started.json()['credential']);
  return { browser: app.client.as({ cookie, ...PAGE }), text, cookie, keyId };
}

const problem = (reply: Reply) => [reply.status, reply.json()['type']];
const orders = async () => (await alice.get(ORDERS)).json<{ data: unknown[] }>().data.length;

describe('a session', () => {
  test('is begun with a key, tells whose it is and when it ends, and does what the key may do', async () => {
    const began = Date.now();
    const { browser, keyId } = await loggedIn();
    const told = (await browser.get(SESSION)).json<Record<string, string>>();
    expect(told).toMatchObject({ account: 'alice', kind: 'session', credential: keyId });
    expect(told['scopes']).toEqual(['orders:read', 'orders:paper']);
    const minutesTo = (name: string) => Math.round((Date.parse(told[name] ?? '') - began) / 60_000);
    expect([minutesTo('started_at'), minutesTo('idle_at'), minutesTo('ends_at')]).toEqual([0, 30, 720]);
    expect((await browser.post(ORDERS, ORDER)).status).toBe(201);
    expect(problem(await browser.get('/v1/strategies'))).toEqual([403, '/problems/insufficient-scope']);
  });

  test('ends when its holder says so: the browser forgets it, and nobody else can go on with it', async () => {
    const { browser } = await loggedIn();
    const other = (await loggedIn()).browser;
    const ended = await browser.delete(SESSION);
    expect([ended.status, setCookie(ended)]).toEqual([
      200,
      '__Host-stakeport=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0',
    ]);
    expect([(await browser.get(ORDERS)).status, (await other.get(ORDERS)).status]).toEqual([401, 200]);
  });

  test('ends with its key', async () => {
    const { browser, keyId } = await loggedIn();
    const operator = await app.keyed('operator', 'admin');
    expect((await operator.delete(`/v1/admin/keys/${keyId}`)).status).toBe(200);
    for (const reply of [await browser.get(ORDERS), await browser.post(ORDERS, ORDER), await browser.get(SESSION)])
      expect(problem(reply)).toEqual([401, '/problems/unauthenticated']);
  });

  test('does not count beside an Authorization header, be that right or wrong', async () => {
    const { browser } = await loggedIn('bob');
    const both = browser.as(alice.headers);
    expect((await both.get(SESSION)).json()).toMatchObject({ account: 'alice', kind: 'key', ends_at: null });
    expect(problem(await both.delete(SESSION))).toEqual([404, '/problems/not-found']);
    expect((await browser.as({ authorization: 'Bearer nonsense' }).get(SESSION)).status).toBe(401);
    expect((await browser.get(SESSION)).status).toBe(200);
  });

  test('begins no other: it would never end', async () => {
    const { browser } = await loggedIn();
    expect(problem(await browser.post(SESSION))).toEqual([403, '/problems/session-needs-key']);
  });

  test('is not written where a request costs nothing else: its use is noted once a minute at most', async () => {
    const { browser } = await loggedIn();
    const uses: string[] = [];
    const { use } = ledger.sessions;
    ledger.sessions.use = (digest, at) => {
      uses.push(digest);
      return use.call(ledger.sessions, digest, at);
    };
    for (let n = 0; n < 20; n++) expect((await browser.get(ORDERS)).status).toBe(200);
    ledger.sessions.use = use;
    expect(uses).toEqual([]);
  });

  test('opens the stream of events, which ends with it within a second or two', async () => {
    const { browser } = await loggedIn();
    const reader = await new EventReader(browser, STREAM).until(({ received }) => received.length > 0);
    await browser.delete(SESSION);
    await reader.until(({ hasEnded }) => hasEnded);
    expect(reader.of('bye')).toMatchObject([{ data: { reason: 'unauthenticated' } }]);
  });

  test('is not stored: only what its secret hashes to', async () => {
    const { text } = await loggedIn();
    const digests: string[] = [];
    const { find } = ledger.sessions;
    ledger.sessions.find = (digest) => {
      digests.push(digest);
      return find.call(ledger.sessions, digest);
    };
    await app.client.get(SESSION, { cookie: `__Host-stakeport=${text}` });
    ledger.sessions.find = find;
    expect(digests).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.any(String)]);
    expect(digests.join()).not.toContain(text);
  });

  test('is begun ten times a minute by a key, and then again later', async () => {
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
    const { text } = await loggedIn();
    const cookie = `__Host-stakeport=${text}; __Host-stakeport=${text}`;
    expect((await app.client.get(ORDERS, { cookie })).status).toBe(401);
  });
});

/** What a browser adds to a request that a page of ours did not send. */
const OF_OTHERS: readonly (readonly [string, Headers])[] = [
  ['a page of another site', { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a page of another port of this machine', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
  ['a page that another server on this machine sent', { 'sec-fetch-site': 'same-site' }],
  ['a page that CORS_ORIGINS names', { origin: APP, 'sec-fetch-site': 'cross-site' }],
  ['a page that CORS_ORIGINS names, in an old browser', { origin: APP }],
  ['a page of another origin, in an old browser', { origin: 'http://evil.example' }],
  ['a page without an origin', { origin: 'null' }],
  ['nobody knows whom', {}],
  ['a link that was typed in', { 'sec-fetch-site': 'none' }],
  ['a page that points its name here', { host: 'evil.example', origin: 'http://evil.example', ...PAGE }],
];

describe('with the session of somebody else', () => {
  test.each(OF_OTHERS)('%s places no order and ends nothing', async (_, headers) => {
    const { browser, cookie } = await loggedIn();
    const before = await orders();
    const stolen = app.client.as({ cookie, ...headers });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const reply of [
      await stolen.post(ORDERS, ORDER),
      await stolen.post(ORDERS, 'market_id=will-it-rain&token=YES&price=0.5&size_usdc=10', form),
      await stolen.post(ORDERS, JSON.stringify(ORDER), { 'content-type': 'text/plain' }),
      await stolen.delete(SESSION),
    ])
      expect(reply.status).toBeOneOf([403, 421]);
    expect([await orders(), (await browser.get(SESSION)).status]).toEqual([before, 200]);
  });

  test.each(OF_OTHERS.slice(0, 7).concat(OF_OTHERS.slice(9)))('%s reads nothing', async (_, headers) => {
    const { cookie } = await loggedIn();
    for (const path of [ORDERS, SESSION, STREAM]) {
      for (const more of [{}, { 'sec-fetch-mode': 'navigate' }]) {
        const reply = await app.client.get(path, { cookie, ...headers, ...more });
        expect(reply.status, path).toBeOneOf([401, 403, 421]);
        expect(reply.text).not.toContain('alice');
      }
    }
  });

  test.each(OF_OTHERS.filter(([who]) => !/nobody|typed/.test(who)))(
    '%s begins none, with a key',
    async (_, headers) => {
      const reply = await alice.post(SESSION, undefined, headers);
      expect([reply.status, setCookie(reply)]).toEqual([expect.toBeOneOf([403, 421]), '']);
    },
  );

  test('a page that points its name here does nothing either where the server goes by any name', async () => {
    const { cookie } = await loggedIn();
    const rebound = { host: 'evil.example', origin: 'http://evil.example', ...PAGE };
    const before = await orders();
    expect((await nameless.client.get(ORDERS, { ...rebound, ...alice.headers })).status).toBe(200);
    for (const reply of [
      await nameless.client.post(ORDERS, ORDER, { cookie, ...rebound }),
      await nameless.client.post(SESSION, undefined, { ...alice.headers, ...rebound }),
    ])
      expect(problem(reply)).toEqual([421, '/problems/misdirected-request']);
    expect((await nameless.client.get(ORDERS, { cookie, ...rebound })).status).toBe(401);
    expect(await orders()).toBe(before);
  });

  test('a form of a page of ours places no order either: only JSON does', async () => {
    const { browser } = await loggedIn();
    const before = await orders();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(problem(await browser.post(ORDERS, 'market_id=will-it-rain', form))).toEqual([
      415,
      '/problems/unsupported-media-type',
    ]);
    expect(await orders()).toBe(before);
  });

  test('bytes of a socket that say two things about their page are of no page of ours', async () => {
    const { cookie } = await loggedIn();
    const before = await orders();
    for (const headers of [
      { cookie, 'sec-fetch-site': 'same-origin, cross-site' },
      { cookie, 'sec-fetch-site': '' },
      { cookie, origin: `${app.url}/` },
      { cookie, origin: `http://user@${new URL(app.url).host}` },
    ]) {
      const host = new URL(app.url).host;
      const wire = await Wire.to(app.url);
      const text = message(`POST ${ORDERS}`, { host, connection: 'close', ...headers }, JSON.stringify(ORDER));
      expect(await wire.send(text).closed()).toMatch(/^HTTP\/1.1 403 /);
    }
    expect(await orders()).toBe(before);
  });
});

describe('the pages of this server', () => {
  const own = (): readonly Headers[] => {
    const { origin, host, port } = new URL(app.url);
    return [
      PAGE,
      { ...PAGE, origin },
      { origin },
      { host: `localhost:${port}`, origin: `http://localhost:${port}` },
      { host, origin, ...PAGE },
      { host: NAME, origin: `https://${NAME}` },
      // A proxy that calls the server by its address.
      { host, origin: `https://${NAME}`, ...PAGE },
    ];
  };

  test('trade with a session, by every name of the server, in browsers old and new', async () => {
    const { cookie } = await loggedIn();
    for (const headers of own()) {
      const browser = app.client.as({ cookie, ...headers });
      expect((await browser.post(ORDERS, ORDER)).status, JSON.stringify(headers)).toBe(201);
      expect((await browser.get(SESSION)).status).toBe(200);
    }
  });

  test('read with a link that was typed in', async () => {
    const { cookie } = await loggedIn();
    const typed = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };
    expect((await app.client.get(SESSION, { cookie, ...typed })).status).toBe(200);
  });
});

describe('where callers have no keys', () => {
  test('everybody is told who they are, and there is no login', async () => {
    const dev = await startApp();
    expect((await dev.client.get(SESSION)).json()).toEqual({
      ...{ account: 'dev', kind: 'dev', credential: 'dev', scopes: AUTH_SCOPES },
      ...{ started_at: null, idle_at: null, ends_at: null },
    });
    for (const method of ['POST', 'DELETE'] as const) {
      const reply = await dev.client.send(method, SESSION);
      expect([reply.status, reply.headers['allow']]).toEqual([405, 'HEAD, GET']);
    }
    const { cookie } = await loggedIn();
    expect((await dev.client.get(SESSION, { cookie })).json()).toMatchObject({ kind: 'dev' });
  });
});
