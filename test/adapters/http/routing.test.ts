import * as v from 'valibot';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../../src/adapters/http/index.js';
import { type RunningApp, startApp } from '../../support/app.js';
import type { Reply } from '../../support/http.js';

let app: RunningApp;
/** Every path of the interface, with its methods, as its document lists them. */
let paths: readonly (readonly [path: string, methods: readonly string[]])[];

beforeAll(async () => {
  app = await startApp({ ui: 'paper' });
  const document = (await app.client.get('/openapi.json')).json<{ paths: Record<string, Record<string, unknown>> }>();
  paths = Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item).map((m) => m.toUpperCase())]);
});

/** An address at which a path is found: its parameters are names that no record has. */
const at = (path: string) => path.replaceAll(/\{\w+\}/g, 'none');

/** The status of an answer, with the methods that the path takes, and the problem where it is one. */
function answered({ status, headers: { allow = '' }, text }: Reply): string {
  const problem = text.startsWith('{"type"') ? JSON.parse(text).type.replace('/problems/', '') : '';
  return [status, problem, allow].filter((part) => part !== '').join(' ');
}

const allowOf = (methods: readonly string[]) =>
  methods.flatMap((method) => (method === 'GET' ? ['HEAD', 'GET'] : [method])).join(', ');

describe('each path of the interface', () => {
  test('answers OPTIONS with its methods, in their order', async () => {
    expect(paths.length).toBeGreaterThan(40);
    const heard = await Promise.all(paths.map(([path]) => app.client.send('OPTIONS', at(path))));
    expect(heard.map(answered)).toEqual(paths.map(([, methods]) => `204 ${allowOf(methods)}`));
    expect(heard.map(({ text }) => text).join('')).toBe('');
  });

  test('refuses every other method, and names those that it takes', async () => {
    for (const [path, methods] of paths) {
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'].filter((m) => !methods.includes(m));
      const heard = await Promise.all(others.map((method) => app.client.send(method, at(path))));
      const refused = `405 method-not-allowed ${allowOf(methods)}`;
      expect(heard.map((reply, i) => `${others[i]} ${path} ${answered(reply)}`)).toEqual(
        others.map((method) => `${method} ${path} ${refused}`),
      );
    }
  });

  test('takes HEAD where it takes GET, without a body', async () => {
    for (const [path, methods] of paths) {
      const { status, text } = await app.client.send('HEAD', at(path));
      expect([path, status === 405, text]).toEqual([path, !methods.includes('GET'), '']);
    }
  });

  test('is unknown with a trailing slash, capitals or an encoded letter', async () => {
    const targets = paths.flatMap(([path]) => [`${at(path)}/`, at(path).toUpperCase(), at(path).replace('v1', 'v%31')]);
    const heard = await Promise.all(targets.map((target) => app.client.send('OPTIONS', target)));
    expect(heard.map((reply, i) => `${targets[i]} ${answered(reply)}`)).toEqual(
      targets.map((target) => `${target} 404 not-found`),
    );
  });
});

test.each([
  ['GET', '/', '302'],
  ['GET', '/healthz', '200'],
  ['GET', '/healthz/', '404 not-found'],
  ['GET', '/HEALTHZ', '404 not-found'],
  ['GET', '/healthz?', '200'],
  ['GET', '/healthz;a', '404 not-found'],
  ['GET', '/./healthz', '404 not-found'],
  ['GET', '/docs/../healthz', '404 not-found'],
  ['GET', '/heal%74hz', '404 not-found'],
  ['GET', '/v1', '404 not-found'],
  ['DELETE', '/v1', '404 not-found'],
  ['OPTIONS', '/v1', '404 not-found'],
  ['GET', '/ui', '302'],
  ['GET', '/ui/', '302'],
  ['GET', '/ui/overview/', '404 not-found'],
  ['POST', '/ui/overview', '405 method-not-allowed HEAD, GET'],
  ['PUT', '/ui/halt', '405 method-not-allowed HEAD, GET, POST'],
  ['POST', '/healthz', '405 method-not-allowed HEAD, GET'],
  ['OPTIONS', '/docs/images/x', '204 HEAD, GET'],
  ['OPTIONS', '/docs/images/x/y', '404 not-found'],
])('the server’s own paths are compared exactly: %s %s is %s', async (method, target, expected) => {
  expect(answered(await app.client.send(method, target))).toBe(expected);
});

/** A route that answers with the parameters of its path. */
const echo = (path: string, name: string): Route => ({
  method: 'GET',
  path,
  operationId: name,
  tag: 'markets',
  summary: '',
  description: '',
  scopes: ['orders:read'],
  status: 200,
  answer: v.object({}),
  answerName: name,
  problems: [],
  handle: async ({ id, second }) => ({ status: 200, body: [name, id, second] }),
});

describe('a parameter of a path', () => {
  let own: RunningApp;

  beforeAll(async () => {
    const routes = [echo('/v1/{a}/of/{b}', 'both'), echo('/v1/{a}', 'one'), echo('/v1/exact', 'exact')];
    own = await startApp({ routes });
  });

  test.each([
    ['is given in its place', '/v1/x/of/y', '["both","x","y"]'],
    ['is decoded', '/v1/a%20b%C3%A9', '["one","a bé",""]'],
    ['keeps its capitals', '/v1/Ab', '["one","Ab",""]'],
    ['may hold a slash that is encoded', '/v1/a%2Fb/of/%2F', '["both","a/b","/"]'],
    ['stays as it is where it cannot be decoded', '/v1/%zz', '["one","%zz",""]'],
    ['is decoded apart from another that cannot be', '/v1/%zz/of/%41', '["both","%zz","A"]'],
    ['may be dots', '/v1/..', '["one","..",""]'],
    ['may hold any other sign', "/v1/a;b,c:d@e+f$g!h*i'j(k)=&l", `["one","a;b,c:d@e+f$g!h*i'j(k)=&l",""]`],
    ['does not stand for a name that is a path of its own', '/v1/exact', '["exact","",""]'],
  ])('%s: %s', async (_, target, expected) => {
    expect((await own.client.get(target)).text).toBe(expected);
  });

  test.each(['/v1/', '/v1//of/y', '/v1/x/of/', '/v1/x/', '/v1/x/y', '/v1/x%2Fof%2Fy/'])(
    'is one whole segment, and not empty: %s is unknown',
    async (target) => {
      expect(answered(await own.client.get(target))).toBe('404 not-found');
    },
  );

  test('does not take the methods of a path that stands for itself', async () => {
    expect(answered(await app.client.get('/v1/strategies/validate'))).toBe('405 method-not-allowed POST');
    expect(answered(await app.client.send('OPTIONS', '/v1/strategies/validate'))).toBe('204 POST');
  });
});

test('what is refused says which methods the resource takes', async () => {
  const reply = await app.client.send('DELETE', '/healthz');
  expect(reply.json()).toMatchObject({ status: 405, detail: 'This resource takes HEAD, GET.' });
});
