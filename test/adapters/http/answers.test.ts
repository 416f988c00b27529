import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../../src/adapters/http/problem.js';
import { REQUEST_REFUSALS } from '../../../src/core/refusals/request-refusals.js';
import { ORDER, ORDERS, type RunningApp, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';
import { nodesOf, sourcesIn } from '../../support/sources.js';

let app: RunningApp;
let strategy: string;

beforeAll(async () => {
  app = await startApp({ corsOrigins: ['https://app.example.org', 'http://localhost:5173'] });
  strategy = `${STRATEGIES}/${(await app.client.post(STRATEGIES, STRATEGY)).json<{ id: string }>().id}`;
});

describe('what was created', () => {
  test.each([
    [STRATEGIES, STRATEGY],
    [ORDERS, ORDER],
  ])('at %s is found where Location says, the same', async (path, body) => {
    const created = await app.client.post(path, body);
    const location = created.headers.location ?? '';
    expect(location).toBe(`${path}/${created.json()['id']}`);
    expect((await app.client.get(location)).text).toBe(created.text);
  });
});

describe('every answer', () => {
  const asked = [
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['GET', '/metrics'],
    ['GET', '/docs'],
    ['GET', '/docs/swagger-ui.css'],
    ['GET', '/openapi.json'],
    ['GET', '/problems/not-found'],
    ['GET', '/problems/no-such'],
    ['GET', STRATEGIES],
    ['GET', '/nothing/here'],
    ['PUT', STRATEGIES],
    ['POST', ORDERS],
    ['OPTIONS', ORDERS],
    ['HEAD', STRATEGIES],
  ] as const;

  test.each(asked)('is neither stored nor guessed at, and has an id: %s %s', async (method, path) => {
    const { headers } = await app.client.send(method, path);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect(headers['x-request-id']).toMatch(/./);
    expect(headers).not.toHaveProperty('x-powered-by');
  });
});

describe('a method', () => {
  test('HEAD answers as GET does, without the body', async () => {
    const [got, headed] = [await app.client.get(strategy), await app.client.send('HEAD', strategy)];
    expect(headed.text).toBe('');
    expect([headed.status, headed.headers.etag, headed.headers['content-length']]).toEqual([
      got.status,
      got.headers.etag,
      got.headers['content-length'],
    ]);
  });

  test.each([
    ['PUT', STRATEGIES, ['GET', 'HEAD', 'POST']],
    ['DELETE', ORDERS, ['GET', 'HEAD', 'POST']],
    ['POST', `${STRATEGIES}/x`, ['DELETE', 'GET', 'HEAD', 'PATCH']],
    ['GET', `${STRATEGIES}/x/pause`, ['POST']],
    ['POST', '/healthz', ['GET', 'HEAD']],
    ['PROPFIND', ORDERS, ['GET', 'HEAD', 'POST']],
  ])('that the path lacks is 405 with an Allow header: %s %s', async (method, path, allowed) => {
    const reply = await app.client.send(method, path);
    expect([reply.status, reply.json()['type']]).toEqual([405, '/problems/method-not-allowed']);
    expect(reply.headers.allow?.split(', ').sort()).toEqual(allowed);
    const options = await app.client.send('OPTIONS', path);
    expect([options.status, options.headers.allow?.split(', ').sort()]).toEqual([204, allowed]);
  });
});

describe('a page of another origin', () => {
  const from = (origin: string) => app.client.get(STRATEGIES, { origin });
  const preflight = (origin: string) =>
    app.client.send('OPTIONS', ORDERS, { headers: { origin, 'access-control-request-method': 'POST' } });

  test.each(['https://app.example.org', 'http://localhost:5173'])('may read when it is listed: %s', async (origin) => {
    const { headers } = await from(origin);
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers.vary?.toLowerCase()).toContain('origin');
    expect(headers['access-control-expose-headers']).toContain('etag');
    const asked = await preflight(origin);
    expect(asked.status).toBe(204);
    expect(asked.headers['access-control-allow-methods']).toBe('GET,POST,PUT,PATCH,DELETE');
    expect(asked.headers['access-control-allow-headers']).toContain('idempotency-key');
    expect(asked.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('may read a problem, too', async () => {
    const reply = await app.client.get('/nothing', { origin: 'https://app.example.org' });
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([404, 'https://app.example.org']);
  });

  test.each(['https://evil.example.org', 'null', 'https://app.example.org.evil.example', 'http://app.example.org'])(
    'may not when it is not: %s',
    async (origin) => {
      for (const { headers } of [await from(origin), await preflight(origin)]) {
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    },
  );

  test('may not where none is listed', async () => {
    const closed = await startApp();
    const { headers } = await closed.client.get(STRATEGIES, { origin: 'https://app.example.org' });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('a problem', () => {
  test.each(Object.entries(PROBLEMS))('has a page: %s', async (name, [status, title]) => {
    const page = await app.client.get(`/problems/${name}`);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain(`<h1>${title}</h1>`);
    expect(page.text).toContain(String(status));
    expect((await app.client.get('/problems')).text).toContain(`href="/problems/${name}"`);
  });

  test.each(['nothing', 'constructor', '__proto__', 'toString', '%00'])(
    'that does not exist has none: %s',
    async (name) => {
      const reply = await app.client.get(`/problems/${name}`);
      expect([reply.status, reply.headers['content-type']]).toEqual([404, 'application/problem+json']);
      expect(reply.json()['type']).toBe('/problems/not-found');
    },
  );

  test('in the list belongs to a refusal or is thrown somewhere', () => {
    const ofRefusals = Object.keys(REQUEST_REFUSALS).map((code) => code.replaceAll('_', '-'));
    const words = sourcesIn('src/adapters/http')
      .filter(({ path }) => !path.endsWith('/problem.ts') && !path.endsWith('/openapi.ts'))
      .flatMap((source) => nodesOf(source, ts.isStringLiteralLike).map(({ text }) => text));
    const known = [...words, ...ofRefusals];
    expect(Object.keys(PROBLEMS).filter((name) => !known.includes(name))).toEqual([]);
  });
});
