import { beforeAll, describe, expect, test } from 'vitest';
import { type AppOptions, ORDERS, type RunningApp, STRATEGIES, startApp } from '../../support/app.js';
import type { Headers } from '../../support/http.js';
import { Wire } from '../../support/wire.js';

const APP = 'https://app.example.org';
const EVIL = 'http://evil.example';

let dev: RunningApp;
let keyed: RunningApp;

beforeAll(async () => {
  dev = await startApp({ corsOrigins: [APP] });
  keyed = await startApp({ authenticator: 'keys', corsOrigins: [APP] });
});

/** What a server says when it is called by this name: its status, and the problem if there is one. */
async function calledBy(server: RunningApp, host: string | undefined, path = '/healthz'): Promise<string> {
  const reply = await server.client.get(path, { host });
  return reply.status < 300 ? String(reply.status) : `${reply.status} ${reply.json()['type']}`;
}

const MISDIRECTED = '421 /problems/misdirected-request';

describe('a server in dev mode', () => {
  test.each([
    'localhost',
    'LocalHost:8080',
    'localhost.',
    'localhost.:80',
    '127.0.0.1',
    '127.0.0.1:1',
    '127.1.2.3',
    '[::1]',
    '[::1]:8080',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
  ])('is called by a name of this machine: %s', async (host) => {
    expect(await calledBy(dev, host)).toBe('200');
  });

  test.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    'evil.localhost',
    'localhost..',
    '127.0.0.1.evil.example',
    '0.0.0.0',
    '10.0.0.1',
    '169.254.169.254',
    '[::]',
    '[::ffff:10.0.0.1]',
    '2130706433',
    '127.1',
    'x',
    '',
  ])('is not called %s, for any request', async (host) => {
    for (const path of ['/healthz', '/metrics', STRATEGIES, '/docs', '/nothing']) {
      expect(await calledBy(dev, host, path)).toBe(MISDIRECTED);
    }
  });

  test('is recognised by an absolute URL’s host in preference to Host', async () => {
    const heard = async (text: string) => (await Wire.to(dev.url)).send(text).closed();
    const close = 'Connection: close\r\n\r\n';
    expect(await heard(`GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n${close}`)).toMatch(
      /^HTTP\/1.1 421 /,
    );
    expect(await heard(`GET http://localhost/healthz HTTP/1.1\r\nHost: evil.example\r\n${close}`)).toMatch(
      /^HTTP\/1.1 200 /,
    );
    expect(await heard(`GET /healthz HTTP/1.0\r\n${close}`)).toMatch(/^HTTP\/1.1 421 /);
    expect(await heard(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n${close}`)).toMatch(
      /^HTTP\/1.1 400 /,
    );
  });

  test.each([
    'forwarded',
    'x-forwarded-for',
    'X-Forwarded-Host',
    'x-forwarded-proto',
    'x-forwarded-anything',
    'x-forwarded',
    'via',
    'x-client-ip',
    'cf-connecting-ip',
    'x-real-ip',
  ])('is not reached through a proxy, recognised by %s', async (name) => {
    const reply = await dev.client.post(ORDERS, {}, { [name]: '127.0.0.1' });
    expect([reply.status, reply.json()['type']]).toEqual([421, '/problems/misdirected-request']);
    expect((await keyed.client.get('/healthz', { [name]: '127.0.0.1' })).status).toBe(200);
  });
});

describe('a server with credentials', () => {
  const serverWith = (options: AppOptions) => startApp({ authenticator: 'keys', ...options });

  test('is called anything until ALLOWED_HOSTS is set', async () => {
    for (const host of ['evil.example', '10.0.0.1', 'x:1']) expect(await calledBy(keyed, host)).toBe('200');
  });

  test('answers to ALLOWED_HOSTS, to localhost and to its listening address', async () => {
    const server = await serverWith({ host: '10.1.2.3', allowedHosts: ['Api.Example.org', 'fd00:0::1', '192.0.2.7'] });
    const own = ['api.example.ORG:443', 'api.example.org.', '[fd00::1]', '192.0.2.7:8080', 'localhost', '10.1.2.3'];
    for (const host of own) expect([host, await calledBy(server, host)]).toEqual([host, '200']);
    for (const host of ['example.org', 'x.api.example.org', '10.1.2.4', '[fd00::2]']) {
      expect([host, await calledBy(server, host)]).toEqual([host, MISDIRECTED]);
    }
  });

  test.each(['0.0.0.0', '::'])('is called by any address where it listens on all: %s', async (host) => {
    const server = await serverWith({ host, allowedHosts: ['api.example.org'] });
    for (const address of ['10.9.8.7:80', '[fd00::5]:80', '203.0.113.1'])
      expect(await calledBy(server, address)).toBe('200');
    expect(await calledBy(server, 'evil.example')).toBe(MISDIRECTED);
  });
});

describe.each([
  ['in dev mode', () => dev],
  ['with credentials', () => keyed],
])('a page of strangers, on a server %s,', (_, server) => {
  const asked = async (method: string, headers: Headers, path = `${STRATEGIES}/x/pause`) => {
    const reply = await server().client.send(method, path, { headers });
    return reply.headers['content-type']?.includes('problem') ? reply.json()['type'] : reply.status;
  };
  const own = () => server().url;

  test.each([
    { origin: EVIL },
    { origin: 'null' },
    { origin: '' },
    { origin: 'not an origin' },
    { origin: 'chrome-extension://abcdefghijklmnop' },
    { origin: 'http://localhost:1' },
    { origin: `${APP}.evil.example` },
    { origin: `${APP}, ${EVIL}` },
    { origin: EVIL, 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'something-new' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  ])('can neither do nor read anything: %o', async (headers) => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']) {
      const { status } = await server().client.send(method, `${STRATEGIES}/x/pause`, { headers });
      expect([method, status]).toEqual([method, 403]);
    }
    expect(await asked('POST', headers)).toBe('/problems/foreign-origin');
    expect(await asked('GET', headers, '/metrics')).toBe('/problems/foreign-origin');
  });

  test('cannot navigate by anything but GET and HEAD', async () => {
    const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' };
    expect([await asked('GET', navigation, '/docs'), await asked('HEAD', navigation, '/docs')]).toEqual([200, 200]);
    expect(await asked('POST', { ...navigation, origin: EVIL })).toBe('/problems/foreign-origin');
  });

  test('may call where CORS_ORIGINS names it, preflights included', async () => {
    const headers = { origin: APP, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
    expect(await asked('GET', headers, '/healthz')).toBe(200);
    expect(await asked('POST', headers)).not.toBe('/problems/foreign-origin');
    expect(await asked('OPTIONS', { ...headers, 'access-control-request-method': 'POST' })).toBe(204);
  });

  test('does not include its own pages or clients without an origin', async () => {
    const site = { 'sec-fetch-site': 'same-origin' };
    const port = new URL(own()).port;
    const ours = [
      { origin: own() },
      { origin: own(), ...site },
      { ...site, origin: `${APP}.tls` },
      { 'sec-fetch-site': 'none' },
      {},
    ];
    for (const headers of ours) expect([headers, await asked('GET', headers, '/healthz')]).toEqual([headers, 200]);
    const named = { host: `localhost:${port}`, origin: `http://localhost:${port}` };
    expect(await asked('GET', named, '/healthz')).toBe(200);
    expect(await asked('GET', { host: 'localhost', origin: 'https://localhost' }, '/healthz')).toBe(200);
    expect(await asked('GET', { ...named, host: `127.0.0.1:${port}` }, '/healthz')).toBe('/problems/foreign-origin');
  });
});
