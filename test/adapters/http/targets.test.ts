import { beforeAll, describe, expect, test } from 'vitest';
import { MARKETS, ORDER, ORDERS, PORTFOLIO, type RunningApp, STRATEGIES, startApp } from '../../support/app.js';
import { message, statusesIn, Wire } from '../../support/wire.js';

let app: RunningApp;

beforeAll(async () => {
  app = await startApp();
});

/** The one answer to a request that closes its connection. */
async function answerTo(start: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const wire = await Wire.to(app.url);
  return wire.send(message(start, { connection: 'close', ...headers })).closed();
}

const problemIn = (heard: string): string => {
  const [head = '', body = ''] = heard.split('\r\n\r\n');
  expect(head).toMatch(/^content-type: application\/problem\+json$/im);
  const { type, status } = JSON.parse(body);
  return `${status} ${type}`;
};

describe('a target that cannot be read', () => {
  test.each([
    'http://[',
    'http://[::1',
    'http://[]/',
    'http://',
    'http:///healthz',
    'http://xn--\x7f/',
    'http://a:x/healthz',
    'http://a:b@localhost/healthz',
    'http://@/',
    'ftp://localhost/healthz',
    '*',
    'healthz',
    'localhost:80',
  ])('is a bad request, never a failure of ours: %s', async (target) => {
    expect(problemIn(await answerTo(`GET ${target}`))).toBe('400 /problems/bad-request');
    expect(app.failures).toEqual([]);
  });

  test.each([
    '//',
    '//x',
    '///healthz',
    '/%',
    '/%00',
    '/%zz',
    '/%ff',
    '/\\x',
    '/problems/%E0%A4%A',
    '/problems/%zz',
    `${STRATEGIES}/%zz`,
    `${MARKETS}/%00`,
    `${MARKETS}/%zz`,
    `${ORDERS}/..%2f..`,
  ])('as a path is found nowhere: %s', async (target) => {
    expect(problemIn(await answerTo(`GET ${target}`))).toMatch(/^404 \/problems\/(market-)?not-found$/);
    expect(app.failures).toEqual([]);
  });

  test.each(['a b', '[::1', '[x]', 'a/b', 'user@localhost', 'a:b', 'localhost:80:80'])(
    'is also refused for an invalid Host: %s',
    async (host) => {
      expect(problemIn(await answerTo('GET /healthz', { host }))).toBe('400 /problems/bad-request');
    },
  );
});

test.each([
  'http://localhost/healthz',
  'HTTP://LOCALHOST:8080/healthz?a=b',
  'https://127.0.0.1/healthz',
  'http://[::1]:1/healthz',
])('a whole URL is read as its path: %s', async (target) => {
  expect(await answerTo(`GET ${target}`)).toContain('{"status":"alive"}');
});

describe('CONNECT', () => {
  test.each(['localhost:443', '/x', '['])('is answered: this is not a proxy: %s', async (target) => {
    const heard = await answerTo(`CONNECT ${target}`);
    expect(problemIn(heard)).toBe('405 /problems/method-not-allowed');
    expect(heard).toMatch(/^allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS$/im);
  });

  test('is answered after what came before it, however much comes behind it', async () => {
    const wire = await Wire.to(app.url);
    wire.send(message(`POST ${ORDERS}`, {}, JSON.stringify(ORDER)));
    wire.send(message('CONNECT localhost:443') + 'x'.repeat(200_000));
    expect(statusesIn(await wire.closed())).toEqual([201, 405]);
  });

  test('from a client that disconnects at once leaves the server unchanged', async () => {
    const wire = await Wire.to(app.url);
    wire.send(message('CONNECT localhost:443')).hangUp();
    expect((await app.client.get('/healthz')).status).toBe(200);
  });
});

test.each(['websocket', 'h2c'])('an unsupported upgrade to %s is ignored and the request answered', async (upgrade) => {
  expect(await answerTo('GET /healthz', { connection: 'upgrade, close', upgrade })).toContain('{"status":"alive"}');
});

describe('a query', () => {
  const named = (count: number) => Array.from({ length: count }, (_, i) => `n${i}=`).join('&');

  test.each([STRATEGIES, ORDERS, MARKETS, PORTFOLIO])(
    'of more than 100 parameters is refused for that: %s',
    async (path) => {
      for (const query of [named(101), '&'.repeat(100), 'limit=1&'.repeat(1500)]) {
        const reply = await app.client.get(`${path}?${query}`);
        expect([reply.status, reply.json()['errors']]).toEqual([
          422,
          [{ pointer: '?', detail: 'must have at most 100 parameters' }],
        ]);
      }
    },
  );

  test('of 100 parameters is checked parameter by parameter', async () => {
    const reply = await app.client.get(`${STRATEGIES}?${named(100)}`);
    expect([reply.status, reply.json<{ detail: string }>().detail]).toEqual([422, expect.stringContaining('?n0 ')]);
  });

  test('that repeats a parameter is refused', async () => {
    for (const query of ['limit=1&limit=2', 'limit=1&limit=1&limit=1', 'limit=&limit=']) {
      const reply = await app.client.get(`${STRATEGIES}?${query}`);
      expect([reply.status, reply.json()['errors']]).toEqual([
        422,
        [{ pointer: '?limit', detail: expect.stringMatching(/^must be given once; it is given [23] times$/) }],
      ]);
    }
  });
});
