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
  ['PUT', '/v1/signals/{name}'],
  ['PUT', '/v1/signals/{name}/{market}'],
  ['DELETE', '/v1/signals/{name}/{market}'],
];

const handlers = PATHS.map(() => () => {});
const table = new PathTable();
const router = new Router({ strict: true, sensitive: true });
for (const [at, [method, path]] of PATHS.entries()) {
  const handler = handlers[at] ?? (() => {});
  table.add(method, path, handler);
  router.register(path.replaceAll(/\{(\w+)\}/g, ':$1'), [method], handler);
}

/** What the router of Koa would do. */
function expected(method: string, path: string) {
  const { path: layers, pathAndMethod } = router.match(path, method);
  const [layer] = pathAndMethod;
  const [first] = layers;
  const parameters = Object.values(first?.params(path, first.captures(path)) ?? {});
  return {
    methods: [...new Set(layers.flatMap(({ methods }) => methods))],
    handler: layer?.stack.at(-1),
    parameters,
  };
}

function found(method: string, path: string) {
  const { methods = new Map(), parameters = [] } = table.find(path) ?? {};
  return { methods: [...methods.keys()], handler: methods.get(method), parameters };
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
    'signals',
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
  .tuple(fc.constantFrom(...PATHS), segment, segment)
  .map(([[, path], value, other]) => path.replace(/\{\w+\}/, value).replace(/\{\w+\}/, other));

test('every path has the methods, the handler and the decoded parameters that the router of Koa finds', () => {
  fc.assert(
    fc.property(fc.constantFrom(...METHODS), fc.oneof(anyPath, nearPath), (method, path) => {
      expect(found(method, path)).toEqual(expected(method, path));
    }),
    { numRuns: runs(2000) },
  );
});

test('a parameter is a whole segment of a path', () => {
  expect(() => new PathTable().get('/a/{b}c', () => {})).toThrow('not a whole segment');
});
