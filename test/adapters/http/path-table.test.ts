import Router from '@koa/router';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PathTable } from '../../../src/adapters/http/path-table.js';
import { runs } from '../../support/runs.js';

const PATHS: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/v1/orders'],
  ['GET', '/v1/orders'],
  ['GET', '/v1/orders/{id}'],
  ['GET', '/v1/orders/{id}/events'],
  ['POST', '/v1/orders/{id}/cancel'],
  ['DELETE', '/v1/orders/{id}'],
  ['PATCH', '/v1/strategies/{sid}'],
  ['GET', '/'],
  ['GET', '/problems'],
  ['GET', '/problems/{name}'],
];

const handlers = PATHS.map(() => () => {});
const table = new PathTable();
const router = new Router({ strict: true, sensitive: true });
for (const [at, [method, path]] of PATHS.entries()) {
  const handler = handlers[at] ?? (() => {});
  table.add(method, path, handler);
  router.register(path.replace(/\{(\w+)\}/, ':$1'), [method], handler);
}

/** What the router of Koa would do. */
function expected(method: string, path: string) {
  const { path: layers, pathAndMethod } = router.match(path, method);
  const [layer] = pathAndMethod;
  const [first] = layers;
  const parameter = Object.values(first?.params(path, first.captures(path)) ?? {})[0] ?? '';
  return {
    methods: [...new Set(layers.flatMap(({ methods }) => methods))],
    handler: layer?.stack.at(-1),
    parameter,
  };
}

function found(method: string, path: string) {
  const { methods = new Map(), parameter = '' } = table.find(path) ?? {};
  return { methods: [...methods.keys()], handler: methods.get(method), parameter };
}

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'];
const segment = fc.oneof(
  fc.constantFrom(
    'v1',
    'V1',
    'orders',
    'strategies',
    'events',
    'cancel',
    'problems',
    '',
    'a%2Fb',
    '%zz',
    '%C3%A9',
    'é',
    '.',
  ),
  fc.string(),
);
const anyPath = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`);
const nearPath = fc
  .tuple(fc.constantFrom(...PATHS), segment)
  .map(([[, path], value]) => path.replace(/\{\w+\}/, value));

test('every path has the methods, the handler and the decoded parameter that the router of Koa finds', () => {
  fc.assert(
    fc.property(fc.constantFrom(...METHODS), fc.oneof(anyPath, nearPath), (method, path) => {
      expect(found(method, path)).toEqual(expected(method, path));
    }),
    { numRuns: runs(2000) },
  );
});

test('a path has at most one parameter', () => {
  expect(() => new PathTable().get('/a/{b}/{c}', () => {})).toThrow('more than one parameter');
});
