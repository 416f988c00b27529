import { beforeAll, describe, expect, test } from 'vitest';
import { shown } from '../../../src/adapters/http/shown.js';
import { MARKETS, ORDER, ORDERS, type RunningApp, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';
import type { Client } from '../../support/http.js';

let app: RunningApp;
let admin: Client;

beforeAll(async () => {
  app = await startApp();
  admin = await (await startApp({ authenticator: 'keys' })).keyed('root', 'admin');
});

interface Refusal {
  readonly detail: string;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
}

/** The one error of a refusal, and the sentence for people, which says the same. */
async function refused(client: Client, path: string, body?: object | string): Promise<[string, string]> {
  const reply = body === undefined ? await client.get(path) : await client.post(path, body);
  expect(reply.status).toBe(422);
  const { detail, errors } = reply.json<Refusal & Record<string, unknown>>();
  const [error] = errors;
  expect(errors).toHaveLength(1);
  expect(detail).toContain(`${error?.pointer} ${error?.detail}.`);
  return [error?.pointer ?? '', error?.detail ?? ''];
}

const KEY = { account: 'alice', scopes: ['orders:read'] };
const rules = (change: object) => ({ ...STRATEGY, rules: { ...STRATEGY.rules, ...change } });
const filter = (change: object) => rules({ filter: change });
const KNOWN_RULES = 'version, match, filter, sizing, outcome, window, phase, limits, order, exit, signal';
const DECIMAL = 'must be a plain decimal from 0 to below 1000000000, with at most 6 decimals, such as 0.57';
const LONG = 'a'.repeat(81);

describe('a value that cannot be taken is reported with what is expected and what was received', () => {
  test.each<[object | string, string, string]>([
    [{ ...STRATEGY, name: LONG }, '/name', 'must have 1 to 80 characters; got a text of 81 characters'],
    [{ ...STRATEGY, name: ' ' }, '/name', 'must not be blank; got " "'],
    [{ ...STRATEGY, name: 'a\nb' }, '/name', 'must not contain control characters; got a text of 3 characters'],
    [{ ...STRATEGY, name: null }, '/name', 'must be a string; got null'],
    [{ ...STRATEGY, sport: 7 }, '/sport', 'must be a string; got 7'],
    [{ ...STRATEGY, sport: undefined }, '/sport', 'is required'],
    [{ ...STRATEGY, stake_cap: 0 }, '/stake_cap', 'must be greater than 0; got 0'],
    [{ ...STRATEGY, stake_cap: -5 }, '/stake_cap', `${DECIMAL}; got -5`],
    [{ ...STRATEGY, stake_cap: '1e3' }, '/stake_cap', `${DECIMAL}; got "1e3"`],
    [{ ...STRATEGY, stake_cap: {} }, '/stake_cap', 'must be a number, or a decimal in a string; got an object'],
    [{ ...STRATEGY, is_paused: 'yes' }, '/is_paused', 'must be true or false; got "yes"'],
    [{ ...STRATEGY, rules: [] }, '/rules', 'must be an object; got an array of 0'],
    [rules({ sizeing: {} }), '/rules/sizeing', `is not known here; known are ${KNOWN_RULES}`],
    [rules({ version: 2 }), '/rules/version', 'must be 1; got 2'],
    [
      rules({ match: { market: 'props' } }),
      '/rules/match/market',
      'must be one of moneyline, spread, total; got "props"',
    ],
    [filter({ min_odds: 1 }), '/rules/filter/min_odds', 'must be decimal odds greater than 1, such as 1.5; got 1'],
    [filter({ min_odds: 3, max_odds: 2 }), '/rules/filter/min_odds', 'must not be above max_odds, which is 2; got 3'],
    [filter({ side: 'BUY' }), '/rules/filter/side', 'must be one of BACK, LAY; got "BUY"'],
    [
      rules({ sizing: { method: 'kelly', value: 1.5 } }),
      '/rules/sizing/value',
      'must be from 0 to 1 for kelly: it is a fraction; got 1.5',
    ],
  ])('a strategy %j', async (body, pointer, detail) => {
    expect(await refused(app.client, STRATEGIES, body)).toEqual([pointer, detail]);
  });

  test.each<[object | string, string, string]>([
    ['[]', '', 'must be a JSON object; got an array of 0'],
    ['"sell all"', '', 'must be a JSON object; got "sell all"'],
    [
      { ...ORDER, market_id: 'two words' },
      '/market_id',
      'must be 1 to 128 ASCII letters, digits and . _ : -; got "two words"',
    ],
    [{ ...ORDER, token: 'MAYBE' }, '/token', 'must be YES or NO; got "MAYBE"'],
    [
      { ...ORDER, price: 1.5 },
      '/price',
      'must be greater than 0 and less than 1: it is the price of a share that pays 1; got 1.5',
    ],
    [{ ...ORDER, size_usdc: '0.0000001' }, '/size_usdc', `${DECIMAL}; got "0.0000001"`],
    [{ ...ORDER, strategy_id: 'mine' }, '/strategy_id', 'must be a UUID; got "mine"'],
    [{ ...ORDER, time_in_force: 'GTD' }, '/expires_at', 'is required for a GTD order'],
    [{ ...ORDER, expires_at: '2030-01-01T00:00:00Z' }, '/expires_at', 'is for GTD alone; this order is GTC'],
    [{ ...ORDER, time_in_force: 'FOK', post_only: true }, '/post_only', 'needs GTC or GTD; this order is FOK'],
    [
      { ...ORDER, time_in_force: 'GTD', expires_at: '1969-12-31T23:59:59Z' },
      '/expires_at',
      'must be a time that exists, from 1970 to 9999; got 1969-12-31T23:59:59.000Z',
    ],
    [{ ...ORDER, paper: 0 }, '/paper', 'must be true or false; got 0'],
  ])('an order %j', async (body, pointer, detail) => {
    expect(await refused(app.client, ORDERS, body)).toEqual([pointer, detail]);
  });

  test.each([
    [`${ORDERS}?limit=0`, '?limit', 'must be a whole number from 1 to 100; got "0"'],
    [`${ORDERS}?limit=1&limit=2`, '?limit', 'must be given once; it is given 2 times'],
    [`${ORDERS}?paper=true&paper=true`, '?paper', 'must be given once; it is given 2 times'],
    [`${ORDERS}?paper=1`, '?paper', 'must be true or false; got "1"'],
    [`${ORDERS}?cursor=MQ`, '?cursor', 'must be a next_cursor of an earlier answer; got "1"'],
    [`${STRATEGIES}?sports=x`, '?sports', 'is not known here; known are sport, is_paused, limit, cursor'],
    [`${MARKETS}?kind=x`, '?kind', 'must be one of moneyline, spread, total, other; got "x"'],
  ])('a query %s', async (path, pointer, detail) => {
    expect(await refused(app.client, path)).toEqual([pointer, detail]);
  });

  test.each<[object, string, RegExp]>([
    [{ ...KEY, account: '' }, '/account', /^must be 1 to 128 .*; got ""$/],
    [{ ...KEY, scopes: [] }, '/scopes', /^must name at least one of .*; got an array of 0$/],
    [{ ...KEY, scopes: 'admin' }, '/scopes', /^must be an array; got "admin"$/],
    [{ ...KEY, scopes: ['all'] }, '/scopes/0', /^must be one of strategies:read, .*; got "all"$/],
    [{ ...KEY, expires: '1 day' }, '/expires', /^must be a whole number of .* such as 30s.*; got "1 day"$/],
  ])('a key %j', async (body, pointer, detail) => {
    const [at, reported] = await refused(admin, '/v1/admin/keys', body);
    expect([at, reported]).toEqual([pointer, expect.stringMatching(detail)]);
  });
});

describe('what was received is shown', () => {
  test.each([
    ['x'.repeat(40), `"${'x'.repeat(40)}"`],
    ['x'.repeat(41), 'a text of 41 characters'],
    ['a\u0000\u001b[2J', 'a text of 6 characters'],
    ['a\u202eb', 'a text of 3 characters'],
    ['<b>', 'a text of 3 characters'],
    [`' or 1=1`, 'a text of 8 characters'],
    ['sp_0123_short', 'a text of 13 characters'],
    ['Bearer me', 'a text of 9 characters'],
    ['eyJhbGciOiJ9.e30.x', 'a text of 18 characters'],
    [`0x${'ab'.repeat(16)}`, 'a text of 34 characters'],
    [undefined, 'undefined'],
  ])('in one short line, unless it may be a secret: %j', (value, line) => expect(shown(value)).toBe(line));
});
