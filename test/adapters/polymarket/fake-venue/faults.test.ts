import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.js';
import * as faults from '../../../support/fake-venue/faults.js';
import { REFUSALS } from '../../../support/fake-venue/refusals.js';
import { aTradingDay, GAME } from '../../../support/fake-venue/trading-day.js';

const [YES] = GAME.tokens;
const OTHER = `0x${'0'.repeat(64)}`;

let day: Awaited<ReturnType<typeof aTradingDay>>;
beforeEach(async () => {
  day = await aTradingDay();
});
afterEach(() => day.venue.close());

/** Sends an order into this fault; returns the answer or how it broke, and how often the venue accepted it. */
async function sentInto(fault: faults.Fault) {
  day.venue.script('POST /order', fault);
  const order = await day.client.sign();
  const response = await day.client.post(order).catch((error: { cause: { code: string } }) => error.cause.code);
  const text = typeof response === 'string' ? response : await response.text().catch(() => 'broke off');
  const status = typeof response === 'string' ? null : response.status;
  const headers = typeof response === 'string' ? new Headers() : response.headers;
  return { hash: order.hash, status, text, headers, taken: day.venue.log.posts(order.hash).accepted };
}

describe('a fault of the answer', () => {
  test.each<[string, faults.Fault, number, string, 0 | 1]>([
    ['JSON that breaks off', faults.breaksJson(), 200, '{"success":tr', 1],
    ['a page', faults.showsPage(), 200, '<!DOCTYPE html>', 1],
    ['a page that refuses', faults.showsPage(403, { acts: false }), 403, '<!DOCTYPE html>', 0],
    ['a refusal', faults.refuses(REFUSALS.balance(1n, 2n)), 400, 'not enough balance / allowance', 0],
    [
      'an error after the act',
      faults.answers(500, { error: 'could not run' }, {}, { acts: true }),
      500,
      'could not',
      1,
    ],
    ['a bad gateway', faults.answers(502, ''), 502, '', 0],
    ['no reason', faults.refusesSilently(), 200, '"success":false', 0],
    ['success without an id', faults.succeedsWithoutId('no'), 200, '"orderID":""', 0],
    ['the id of another', faults.misnames(OTHER), 200, `"orderID":"${OTHER}"`, 1],
    ['an unknown status', faults.restates(() => 'FROBBED'), 200, '"FROBBED"', 1],
    ['an answer cut short', faults.resetsInAnswer(), 200, 'broke off', 1],
    ['nothing wrong', faults.passes(), 200, '"success":true', 1],
  ])('%s', async (_what, fault, status, text, taken) => {
    const seen = await sentInto(fault);
    expect(seen).toMatchObject({ status, text: expect.stringContaining(text), taken });
    expect(await day.sends({ size: '11' })).toMatchObject({ success: true });
  });

  test.each(['7', 'Sat, 10 Jan 2027 12:00:09 GMT', '1000000000', '-5', undefined])('429 with %s', async (after) => {
    const { status, headers, taken } = await sentInto(faults.throttles(after));
    expect([status, headers.get('retry-after'), taken]).toEqual([429, after ?? null, 0]);
  });

  test.each([301, 307] as const)('a redirect with %i', async (status) => {
    const seen = await sentInto(faults.redirects(status, 'http://127.0.0.1:1/elsewhere'));
    expect(seen.headers.get('location')).toBe('http://127.0.0.1:1/elsewhere');
    expect(seen).toMatchObject({ status, taken: 0 });
  });

  test('one byte at a time', async () => {
    day.venue.script('POST /order', faults.drips(1));
    const response = await day.client.post(await day.client.sign());
    const sizes: number[] = [];
    for await (const chunk of response.body ?? []) sizes.push((chunk as Uint8Array).length);
    expect(sizes.length).toBeGreaterThan(20);
    expect(sizes.reduce((total, size) => total + size)).toBe(Number(response.headers.get('content-length')));
  });

  test('a flood, until the caller hangs up', async () => {
    day.venue.script('GET /data/trades', faults.floods(1e12));
    const response = await day.client.send('GET', '/data/trades');
    let seen = 0;
    for await (const chunk of response.body ?? []) {
      seen += (chunk as Uint8Array).length;
      if (seen > 1e6) break;
    }
    expect(await day.trades()).toEqual([]);
  });

  test('a gzip bomb', async () => {
    day.venue.script('GET /data/trades', faults.bombs(20_000_000));
    const response = await day.client.send('GET', '/data/trades');
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect((await response.text()).length).toBe(20_000_000);
  });
});

describe('a fault of the connection', () => {
  test.each<[string, faults.Fault, 0 | 1]>([
    ['a reset within the request', faults.resetsAfter(100), 0],
    ['a hang-up after the act', faults.hangsUp(), 1],
    ['a hang-up before it', faults.hangsUp({ acts: false }), 0],
  ])('%s', async (_what, fault, taken) => {
    expect(await sentInto(fault)).toMatchObject({ status: null, taken });
  });

  test.each([
    ['takes the order and never answers', faults.actsAndHangs, true],
    ['forgets the order and never answers', faults.forgets, false],
  ])('%s', async (_what, fault, taken) => {
    day.venue.script('POST /order', fault());
    const [order, patience] = [await day.client.sign(), new AbortController()];
    const sent = expect(day.client.post(order, { signal: patience.signal })).rejects.toThrow('aborted');
    await eventually(() => expect(day.venue.log.requests.at(-1)?.body).toBe(order.body));
    patience.abort();
    await sent;
    await eventually(() => expect(day.venue.accepted(order.hash)).toBe(taken));
    expect(day.venue.log.statuses('POST /order')).toEqual([null]);
  });

  test('nothing listens, and then the venue does again', async () => {
    const { port } = day.venue.clob;
    await day.venue.refuseConnections();
    await expect(day.client.post({ body: '{}' })).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await day.venue.acceptConnections();
    expect(await day.sends()).toMatchObject({ success: true });
    expect(day.venue.clob.port).toBe(port);
  });
});

describe('a request that is held', () => {
  test('is taken after the caller gave up', async () => {
    const [held, order, patience] = [day.venue.hold('POST /order'), await day.client.sign(), new AbortController()];
    const sent = expect(day.client.post(order, { signal: patience.signal })).rejects.toThrow('aborted');
    await held.arrived;
    patience.abort();
    await sent;
    expect(day.venue.accepted(order.hash)).toBe(false);
    held.release();
    await eventually(() => expect(day.venue.log.accepted.get(order.hash)?.raw).toBe(order.body));
  });

  test('goes on to a fault when configured', async () => {
    const held = day.venue.hold('POST /order');
    const sent = day.sends();
    await held.arrived;
    held.release(faults.refuses(REFUSALS.notReady()));
    expect(await sent).toMatchObject({ error: 'the market is not yet ready to process new orders' });
  });

  test('is already done when only its answer is', async () => {
    const held = day.venue.hold('POST /order', 'answer');
    const sent = day.sends();
    await held.arrived;
    expect([day.venue.log.accepted.size, day.venue.log.statuses('POST /order')]).toEqual([1, [null]]);
    held.release();
    expect(await sent).toMatchObject({ success: true });
  });
});

describe('faults', () => {
  test('apply to one call each, in order, and to no later call', async () => {
    day.venue.script('POST /order', faults.passes(), faults.throttles('1'));
    const statuses: number[] = [];
    for (const size of ['5', '6', '7']) statuses.push((await day.client.order({ size })).status);
    expect(statuses).toEqual([200, 429, 200]);
    expect(day.venue.log.statuses('POST /order')).toEqual([200, 429, 200]);
  });

  test('stay until they are taken back', async () => {
    const end = day.venue.always('GET /data/order/', faults.answers(200, null));
    const { hash } = await day.sends();
    expect([await day.lookUp(hash), await day.lookUp(hash)]).toEqual([null, null]);
    end();
    expect(await day.lookUp(hash)).toMatchObject({ id: hash });
  });

  test('show stale orders, endless cursors and differently formatted numbers', async () => {
    const { hash } = await day.sends({ price: '0.5', size: '10' });
    const stale = day.venue.snapshot(hash);
    day.venue.offer(YES, 'SELL', '0.5', '4');
    day.venue.script('GET /data/order/', faults.answers(200, stale));
    expect([await day.lookUp(hash), await day.lookUp(hash)]).toMatchObject([
      { size_matched: '0' },
      { size_matched: '4' },
    ]);
    day.venue.script('GET /data/trades', faults.loops());
    expect(await day.client.get('/data/trades')).toMatchObject({ next_cursor: 'MA==' });
    const dresses = [faults.renumbers('numbers'), faults.renumbers('digits'), faults.renumbers('exponents')];
    day.venue.script('GET /data/trades', ...dresses, faults.stringifies());
    const shown = [];
    for (let call = 0; call < 4; call += 1) shown.push((await day.trades())[0]);
    expect(shown.map((row) => row?.['price'])).toEqual([0.5, '0.5000000000', '5e-1', '0.5']);
    expect(shown.map((row) => row?.['bucket_index'])).toEqual([0, 0, 0, '0']);
  });
});

describe('in its bad hours the engine', () => {
  test.each([
    ['restarting', 425, 425],
    ['disabled', 503, 200],
    ['cancel-only', 503, 200],
    ['post-only', 503, 200],
  ] as const)('%s answers orders with %i and cancels with %i', async (hours, toOrders, toCancels) => {
    day.venue.hours = hours;
    expect((await day.client.order()).status).toBe(toOrders);
    expect((await day.client.send('DELETE', '/cancel-all')).status).toBe(toCancels);
    expect((await day.client.order({ postOnly: true })).status).toBe(hours === 'post-only' ? 200 : toOrders);
    day.venue.hours = 'normal';
    expect(await day.sends({ size: '11' })).toMatchObject({ success: true });
  });
});
