import { beforeAll, describe, expect, test } from 'vitest';
import { ORDER, ORDERS, type RunningApp, STREAM } from '../../support/app.js';
import type { Client, Headers } from '../../support/http.js';
import { FRIEND, LoginFixture, NAME, PAGE, problem, SESSION, setCookie } from '../../support/login.js';
import { message, Wire } from '../../support/wire.js';

let fixture: LoginFixture;
let app: RunningApp;
let alice: Client;

beforeAll(async () => {
  fixture = await LoginFixture.open();
  ({ app, alice } = fixture);
});

/** What a browser adds to a request that a page of ours did not send. */
const OF_OTHERS: readonly (readonly [string, Headers])[] = [
  ['a page of another site', { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a page of another port of this machine', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
  ['a page that another server on this machine sent', { 'sec-fetch-site': 'same-site' }],
  ['a page that CORS_ORIGINS names', { origin: FRIEND, 'sec-fetch-site': 'cross-site' }],
  ['a page that CORS_ORIGINS names, in an old browser', { origin: FRIEND }],
  ['a page of another origin, in an old browser', { origin: 'http://evil.example' }],
  ['a page without an origin', { origin: 'null' }],
  ['nobody knows whom', {}],
  ['a link that was typed in', { 'sec-fetch-site': 'none' }],
  ['a page that points its name here', { host: 'evil.example', origin: 'http://evil.example', ...PAGE }],
];

describe('with the session of somebody else', () => {
  test.each(OF_OTHERS)('%s places no order and ends nothing', async (_, headers) => {
    const { browser, cookie } = await fixture.loggedIn();
    const before = await fixture.orders();
    const stolen = app.client.as({ cookie, ...headers });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const reply of [
      await stolen.post(ORDERS, ORDER),
      await stolen.post(ORDERS, 'market_id=will-it-rain&token=YES&price=0.5&size_usdc=10', form),
      await stolen.post(ORDERS, JSON.stringify(ORDER), { 'content-type': 'text/plain' }),
      await stolen.delete(SESSION),
    ])
      expect(reply.status).toBeOneOf([403, 421]);
    expect([await fixture.orders(), (await browser.get(SESSION)).status]).toEqual([before, 200]);
  });

  test.each(OF_OTHERS.slice(0, 7).concat(OF_OTHERS.slice(9)))('%s reads nothing', async (_, headers) => {
    const { cookie } = await fixture.loggedIn();
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

  test('a DNS-rebinding page does nothing where any host name is accepted', async () => {
    const { cookie } = await fixture.loggedIn();
    const rebound = { host: 'evil.example', origin: 'http://evil.example', ...PAGE };
    const before = await fixture.orders();
    expect((await fixture.nameless.client.get(ORDERS, { ...rebound, ...alice.headers })).status).toBe(200);
    for (const reply of [
      await fixture.nameless.client.post(ORDERS, ORDER, { cookie, ...rebound }),
      await fixture.nameless.client.post(SESSION, undefined, { ...alice.headers, ...rebound }),
    ])
      expect(problem(reply)).toEqual([421, '/problems/misdirected-request']);
    expect((await fixture.nameless.client.get(ORDERS, { cookie, ...rebound })).status).toBe(401);
    expect(await fixture.orders()).toBe(before);
  });

  test('an HTML form on our own page places no order', async () => {
    const { browser } = await fixture.loggedIn();
    const before = await fixture.orders();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(problem(await browser.post(ORDERS, 'market_id=will-it-rain', form))).toEqual([
      415,
      '/problems/unsupported-media-type',
    ]);
    expect(await fixture.orders()).toBe(before);
  });

  test('malformed or contradictory page headers never count as our own', async () => {
    const { cookie } = await fixture.loggedIn();
    const before = await fixture.orders();
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
    expect(await fixture.orders()).toBe(before);
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

  test('trade with a session, under every server name and browser generation', async () => {
    const { cookie } = await fixture.loggedIn();
    for (const headers of own()) {
      const browser = app.client.as({ cookie, ...headers });
      expect((await browser.post(ORDERS, ORDER)).status, JSON.stringify(headers)).toBe(201);
      expect((await browser.get(SESSION)).status).toBe(200);
    }
  });

  test('read with a link that was typed in', async () => {
    const { cookie } = await fixture.loggedIn();
    const typed = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };
    expect((await app.client.get(SESSION, { cookie, ...typed })).status).toBe(200);
  });
});
