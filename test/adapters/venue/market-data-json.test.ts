import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HttpLimits } from '../../../src/adapters/transport/http-limits.js';
import type { Allowance } from '../../../src/adapters/transport/request-budget.js';
import { MarketDataClient } from '../../../src/adapters/venue/market-data-client.js';
import { marketDataJson } from '../../../src/adapters/venue/market-data-json.js';
import { MarketDataUnavailable } from '../../../src/core/errors.js';
import { FakePolymarketRest, type Fault } from '../../support/fake-polymarket/rest.js';

const PATH = '/clob/book';
const ENOUGH: readonly Allowance[] = [{ prefix: '', points: 1000 }];
const BOOK = { asset_id: '7', bids: [], asks: [] };

let venue: FakePolymarketRest;
let open: MarketDataClient[] = [];

beforeEach(async () => {
  venue = await FakePolymarketRest.start();
  venue.books.set('7', BOOK);
});

afterEach(async () => {
  await Promise.all(open.map((client) => client.close()));
  open = [];
  await venue.close();
});

function client(limits: Partial<HttpLimits> = {}, allowances = ENOUGH): MarketDataClient {
  const made = new MarketDataClient(
    venue.clob,
    { read: allowances, look: allowances, follow: allowances, result: allowances },
    { pausesMs: [1, 1], ...limits },
  );
  open.push(made);
  return made;
}

const ask = (one: MarketDataClient, token = '7'): Promise<unknown> =>
  marketDataJson(one, '/book', new URLSearchParams({ token_id: token }));
const times = (count: number, fault: Fault): Fault[] => Array.from({ length: count }, () => fault);

test('reads JSON, and keeps its connections', async () => {
  const one = client();
  for (let i = 0; i < 20; i++) expect(await ask(one)).toEqual(BOOK);
  expect(venue.connections).toBeLessThan(4);
});

test('what the venue does not have is undefined', async () => {
  expect(await ask(client(), '8')).toBeUndefined();
});

describe('is unavailable, with a short text and nothing of the answer in it', () => {
  const cases: readonly [name: string, fault: Fault, asked: number, text: RegExp][] = [
    ['a page instead of JSON', { kind: 'page', status: 200 }, 1, /not JSON/],
    ['a page that forbids', { kind: 'page', status: 403 }, 1, /status 403 and a page/],
    ['a page in place of a 404', { kind: 'page', status: 404 }, 1, /status 404 and a page/],
    ['a page of a gateway', { kind: 'page', status: 502 }, 3, /status 502 and a page/],
    ['a redirect', { kind: 'status', status: 302, headers: { location: '/clob/book?token_id=7' } }, 1, /status 302/],
    [
      'a redirect that keeps the method',
      { kind: 'status', status: 307, headers: { location: '/clob/book' } },
      1,
      /307/,
    ],
    ['a request that it refuses', { kind: 'status', status: 422 }, 1, /status 422/],
    ['an engine that restarts', { kind: 'status', status: 425 }, 3, /status 425/],
    ['a body that is too large', { kind: 'huge', bytes: 200_000 }, 1, /too large/],
    ['an error that is too large', { kind: 'status', status: 400, body: 'x'.repeat(200_000) }, 1, /too large/],
    ['a body that was cut', { kind: 'cut' }, 3, /cannot be reached/],
    ['a connection that was cut', { kind: 'reset' }, 3, /cannot be reached/],
    ['a body that is not UTF-8', { kind: 'body', body: Buffer.from([0x22, 0xff, 0x22]) }, 1, /not JSON/],
    ['an empty body', { kind: 'body', body: '' }, 1, /not JSON/],
  ];

  test.each(cases)('%s', async (_name, fault, asked, text) => {
    venue.script(PATH, ...times(asked, fault));
    const refusal = await ask(client({ maxBytes: 100_000 })).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MarketDataUnavailable);
    expect((refusal as Error).message).toMatch(text);
    expect((refusal as Error).message.length).toBeLessThan(100);
    expect((refusal as Error).message).not.toMatch(/scripted|moment/);
    expect(venue.asked(PATH)).toBe(asked);
  });

  test.each(['hang', 'stall'] as const)('a server that does not go on: %s', async (kind) => {
    venue.script(PATH, ...times(3, { kind }));
    const started = performance.now();
    const late = ask(client({ headersMs: 60_000, bodyMs: 60_000, overallMs: 300 }));
    await expect(late).rejects.toThrow(/did not answer in time/);
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(venue.asked(PATH)).toBe(1);
  });

  test('a server that is not running', async () => {
    const gone = client();
    const { origin } = venue.clob;
    await venue.close();
    await expect(ask(gone)).rejects.toThrow(/cannot be reached/);
    venue = await FakePolymarketRest.start();
    expect(venue.clob.origin).not.toBe(origin);
  });
});

test('a failure that passes is not noticed', async () => {
  venue.script(PATH, { kind: 'reset' }, { kind: 'page', status: 503 });
  expect(await ask(client())).toEqual(BOOK);
  expect(venue.asked(PATH)).toBe(3);
});

test('a silence within the limits of one attempt is followed by another', async () => {
  venue.script(PATH, { kind: 'hang' });
  expect(await ask(client({ headersMs: 100 }))).toEqual(BOOK);
});

test('waits as long as the venue asks for before it asks again', async () => {
  venue.script(PATH, { kind: 'status', status: 429, headers: { 'retry-after': '1' } });
  const started = performance.now();
  expect(await ask(client())).toEqual(BOOK);
  expect(performance.now() - started).toBeGreaterThan(950);
  expect(venue.asked(PATH)).toBe(2);
});

test('does not wait longer than it is given, and sends nothing meanwhile', async () => {
  venue.script(PATH, { kind: 'status', status: 429, headers: { 'retry-after': '600' } });
  const one = client();
  await expect(ask(one)).rejects.toThrow(/status 429/);
  await expect(ask(one)).rejects.toThrow(/rate-limited/);
  expect(venue.asked(PATH)).toBe(1);
});

test('a client exceeds no endpoint’s limit and leaves other endpoints alone', async () => {
  const one = client({ overallMs: 1000 }, [...ENOUGH, { prefix: '/book', points: 3 }]);
  const answers = await Promise.allSettled(Array.from({ length: 5 }, () => ask(one)));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(venue.asked(PATH)).toBe(3);
  expect(await marketDataJson(one, '/markets/0x00')).toBeUndefined();
});

test('stops when the caller no longer wants the answer', async () => {
  venue.script(PATH, { kind: 'hang' });
  const caller = new AbortController();
  const asked = marketDataJson(client(), '/book', new URLSearchParams(), { signal: caller.signal });
  await expect.poll(() => venue.asked(PATH)).toBe(1);
  caller.abort();
  await expect(asked).rejects.toThrow(/request was aborted/);
});

describe('a host that does not answer', () => {
  test('is reported once per outage, with the cause', async () => {
    const reports: string[] = [];
    const one = new MarketDataClient(
      venue.clob,
      { read: ENOUGH, look: ENOUGH, follow: ENOUGH, result: ENOUGH },
      { pausesMs: [1, 1] },
      (reason) => reports.push(reason),
    );
    open.push(one);
    venue.script(PATH, { kind: 'status', status: 400 });
    await expect(ask(one)).rejects.toBeInstanceOf(MarketDataUnavailable);
    expect(reports).toEqual([]);
    venue.script(PATH, ...times(6, { kind: 'reset' }));
    await expect(ask(one)).rejects.toBeInstanceOf(MarketDataUnavailable);
    await expect(ask(one)).rejects.toBeInstanceOf(MarketDataUnavailable);
    const { host } = venue.clob;
    expect(reports).toEqual([`${host} cannot be reached`]);
    await ask(one);
    venue.script(PATH, ...times(3, { kind: 'status', status: 503, headers: { 'retry-after': '0' } }));
    await expect(ask(one)).rejects.toBeInstanceOf(MarketDataUnavailable);
    expect(reports).toEqual([`${host} cannot be reached`, `${host} answered with status 503`]);
  });

  test('is not asked again once the client is closed', async () => {
    const one = client();
    venue.script(PATH, { kind: 'hang' });
    const refused = expect(ask(one)).rejects.toThrow('did not answer before the request was aborted');
    while (venue.asked(PATH) === 0) await new Promise((resolve) => setImmediate(resolve));
    await one.close();
    await refused;
    expect(venue.asked(PATH)).toBe(1);
  });
});
