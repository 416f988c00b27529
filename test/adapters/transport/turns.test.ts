import { afterEach, describe, expect, test } from 'vitest';
import { HttpClient } from '../../../src/adapters/transport/http-client.js';
import type { HttpLimits } from '../../../src/adapters/transport/http-limits.js';
import { RequestBudget } from '../../../src/adapters/transport/request-budget.js';
import type { Call, Delivery } from '../../../src/adapters/transport/send-once.js';
import { LANES, Loopback } from './loopback.js';

const ORDER: Call = { method: 'POST', path: '/order', body: '{}' };
const CANCEL: Call = { method: 'DELETE', path: '/order', body: '{"orderID":"0x1"}' };
const READ: Call = { method: 'GET', path: '/data/orders' };
const BUSY = { status: 429, body: '{"error":"Too Many Requests"}' };

const here = new Loopback();
afterEach(() => here.end());

function http(url: URL, limits: Partial<HttpLimits> = {}, allowances = LANES): HttpClient<'order' | 'cancel'> {
  const made = new HttpClient(url, allowances, { overallMs: 5000, ...limits });
  here.onEnd(() => made.close());
  return made;
}

describe('cancellations come first', () => {
  test('while orders hold all their connections', async () => {
    const wire = await here.wire((socket) =>
      socket.on('data', (bytes: Buffer) => {
        if (bytes.includes('DELETE ')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      }),
    );
    const one = http(wire.url(), { connections: 2 });
    const orders = Array.from({ length: 20 }, () => one.send('order', ORDER));
    await expect.poll(() => wire.count('POST ')).toBe(2);
    expect(await one.send('cancel', CANCEL)).toMatchObject({ kind: 'answered', status: 200 });
    expect(wire.count('POST ')).toBe(2);
    await one.close();
    const kinds = (await Promise.all(orders)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'silence')).toHaveLength(2);
    expect(kinds.filter((kind) => kind === 'not_sent')).toHaveLength(18);
  });

  test('while orders have used up theirs', async () => {
    const script = await here.script('{}');
    const allowances = { ...LANES, order: [{ prefix: '/order', points: 30, seconds: 60 }] };
    const one = http(script.url, {}, allowances);
    const orders = await Promise.all(Array.from({ length: 40 }, () => one.send('order', ORDER)));
    const throttled = orders.filter((order) => order.kind === 'not_sent' && order.reason === 'throttled');
    expect(throttled).toHaveLength(10);
    expect(throttled[0]).toMatchObject({ waitMs: expect.any(Number) });
    expect(await one.send('cancel', CANCEL)).toMatchObject({ kind: 'answered' });
    expect(script.requests.filter(({ method }) => method === 'POST')).toHaveLength(30);
  });

  test('while the venue wants fewer orders (row 34)', async () => {
    const script = await here.script({ ...BUSY, headers: { 'retry-after': '600' } }, '{}');
    const one = http(script.url);
    expect(await one.send('order', ORDER)).toMatchObject({ status: 429 });
    expect(await one.send('order', ORDER)).toMatchObject({ kind: 'not_sent', reason: 'throttled' });
    expect(await one.send('cancel', CANCEL)).toMatchObject({ status: 200 });
    expect(await one.read(READ)).toMatchObject({ status: 200 });
    expect(script.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'GET']);
  });
});

test('an order is held off whose wait for the venue would nearly use up its time (row 34)', async () => {
  const script = await here.script({ ...BUSY, headers: { 'retry-after': '2' } });
  const one = http(script.url);
  expect(one.heldMs('order')).toBeNull();
  await one.send('order', ORDER);
  expect(one.heldMs('order')).toBeGreaterThan(1_250);
});

describe('an allowance', () => {
  test('lets an order wait for its turn, within its time', async () => {
    const script = await here.script('{}');
    const allowances = { ...LANES, order: [{ prefix: '/order', points: 2, seconds: 0.2 }] };
    const one = http(script.url, {}, allowances);
    const sent = await Promise.all(Array.from({ length: 6 }, () => one.send('order', ORDER)));
    expect(sent.every(({ kind }) => kind === 'answered')).toBe(true);
    expect(script.requests).toHaveLength(6);
  });

  test('is waited for no longer than leaves time for an answer', async () => {
    const script = await here.script('{}');
    const allowances = { ...LANES, order: [{ prefix: '/order', points: 1, seconds: 15 }] };
    const one = http(script.url, { overallMs: 20_000 }, allowances);
    expect(await one.send('order', ORDER)).toMatchObject({ kind: 'answered' });
    expect(await one.send('order', ORDER)).toMatchObject({ kind: 'not_sent', reason: 'throttled' });
  });

  test('is taken several times over by a request that costs more', async () => {
    const script = await here.script('{}');
    const allowances = { ...LANES, cancel: [{ prefix: '', points: 60, seconds: 60 }] };
    const one = http(script.url, {}, allowances);
    const batch: Call = { method: 'DELETE', path: '/orders', body: '[]' };
    expect(await one.send('cancel', batch, { cost: 50 })).toMatchObject({ kind: 'answered' });
    expect(await one.send('cancel', batch, { cost: 50 })).toMatchObject({ kind: 'not_sent', reason: 'throttled' });
  });

  test('ends for who gives up waiting, and nothing is sent', async () => {
    const script = await here.script('{}');
    const allowances = { ...LANES, order: [{ prefix: '/order', points: 1 }] };
    const one = http(script.url, { overallMs: 60_000 }, allowances);
    await one.send('order', ORDER);
    const caller = new AbortController();
    const waiting = one.send('order', ORDER, { signal: caller.signal });
    setImmediate(() => caller.abort());
    expect(await waiting).toMatchObject({ kind: 'not_sent', reason: 'aborted' });
    expect(script.requests).toHaveLength(1);
  });
});

test('each lane keeps to other allowances from the moment that it gets them', async () => {
  const script = await here.script('{}');
  const of = (order: number, cancel: number, read: number) => ({
    order: [{ prefix: '', points: order, seconds: 60 }],
    cancel: [{ prefix: '', points: cancel, seconds: 60 }],
    read: [{ prefix: '', points: read, seconds: 60 }],
  });
  const one = http(script.url, {}, of(1, 5, 2));
  const sent = async (ask: () => Promise<Delivery>) =>
    (await Promise.all(Array.from({ length: 10 }, ask))).filter(({ kind }) => kind === 'answered').length;
  const counts = async () => [
    await sent(() => one.send('order', ORDER)),
    await sent(() => one.send('cancel', CANCEL)),
    await sent(() => one.read(READ, { cost: 2 })),
  ];
  expect(await counts()).toEqual([1, 5, 1]);
  one.allow(of(4, 2, 6));
  expect(await counts()).toEqual([4, 2, 3]);
  expect(script.requests).toHaveLength(16);
});

test('an allowance one account cannot use is left to others', async () => {
  const script = await here.script('{}');
  const allowances = { ...LANES, read: [{ prefix: '', points: 8, each: 6, seconds: 60 }] };
  const one = http(script.url, { overallMs: 50_000 }, allowances);
  const read = (account: string) => one.read({ method: 'GET', path: `/${account}` }, { account });
  const reads = Array.from({ length: 150 }, () => read('first'));
  await expect.poll(() => script.requests.length).toBe(6);
  expect(await read('second')).toMatchObject({ status: 200 });
  expect(await one.read(READ)).toMatchObject({ status: 200 });
  expect(script.requests.map(({ path }) => path).slice(6)).toEqual(['/second', READ.path]);
  await one.close();
  expect(await Promise.all(reads)).toHaveLength(150);
});

test('a request that must wait takes nothing from any account', async () => {
  const budget = new RequestBudget([
    { prefix: '', points: 5 },
    { prefix: '/a', points: 100, each: 2 },
  ]);
  expect(await budget.take('/b', 4)).toBe(0);
  expect(await budget.take('/a', 2, 'first')).toBeGreaterThan(0);
  expect(await budget.take('/a', 3, 'second')).toBeGreaterThan(0);
  expect(await budget.take('/a', 1, 'first')).toBe(0);
});

describe('a connection is kept', () => {
  test.each([
    ['orders', 'order', ORDER],
    ['cancellations', 'cancel', CANCEL],
  ] as const)('for %s', async (_name, lane, call) => {
    const script = await here.script('{}');
    const one = http(script.url, { connections: 1 });
    for (let i = 0; i < 10; i++) expect(await one.send(lane, call)).toMatchObject({ kind: 'answered' });
    expect(script.connections).toBe(1);
  });
});

describe('only reads are repeated', () => {
  const passing = [408, 425, 429, 500, 502, 503, 504];

  test.each(passing)('after status %i', async (status) => {
    const script = await here.script({ status, headers: { 'retry-after': '0' } }, '{}');
    expect(await http(script.url).read(READ)).toMatchObject({ status: 200 });
    expect(script.requests).toHaveLength(2);
  });

  test.each(passing)('not an order or a cancellation after status %i', async (status) => {
    const script = await here.script({ status });
    const one = http(script.url);
    expect(await one.send('order', ORDER)).toMatchObject({ status });
    expect(await one.send('cancel', CANCEL)).toMatchObject({ status });
    expect(script.requests).toHaveLength(2);
  });

  test('twice at most, and not when the answer would be the same', async () => {
    const script = await here.script({ status: 500 });
    expect(await http(script.url).read(READ)).toMatchObject({ status: 500 });
    expect(script.requests).toHaveLength(3);
    script.answers({ status: 401 });
    expect(await http(script.url).read(READ)).toMatchObject({ status: 401 });
    expect(script.requests).toHaveLength(4);
  });

  test('after a connection that was lost', async () => {
    const wire = await here.wire((socket, number) => {
      socket.once('data', () => {
        if (number === 1) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      });
    });
    expect(await http(wire.url()).read(READ)).toMatchObject({ kind: 'answered' });
  });

  test('within the whole time, and not longer', async () => {
    const script = await here.script({ status: 503, headers: { 'retry-after': '30' } });
    const started = performance.now();
    expect(await http(script.url, { overallMs: 20_000 }).read(READ)).toMatchObject({ status: 503 });
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(script.requests).toHaveLength(1);
  });
});
