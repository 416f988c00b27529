import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ClobTrading } from '../../../../src/adapters/polymarket/http/clob-trading.js';
import { price } from '../../../../src/core/money.js';
import { Loopback, type Reply, type Script } from '../../transport/loopback.js';
import { ADDRESS, aClob, anOrder, CREDENTIALS, HASH, lastAsked, NOW, refused } from './clob-fixture.js';

const here = new Loopback();
let venue: Script;
let clob: ClobTrading;

beforeEach(async () => {
  ({ venue, clob } = await aClob(here));
});
afterEach(() => here.end());

const asked = () => lastAsked(venue);

describe('every request is signed', () => {
  test('with the venue’s time, over method, path without its query, and body', async () => {
    venue.answers('{"canceled":[],"not_canceled":{}}');
    await clob.cancelOrder(HASH);
    const { headers, body } = asked();
    const timestamp = headers['poly_timestamp'];
    expect(Math.abs(Number(timestamp) - NOW.getTime() / 1000 - 30)).toBeLessThanOrEqual(1);
    const message = `${timestamp}DELETE/order${body}`;
    const signature = createHmac('sha256', Buffer.from(CREDENTIALS.secret, 'base64'))
      .update(message)
      .digest('base64url');
    expect(String(headers['poly_signature']).replace(/=+$/, '')).toBe(signature);
    expect(headers).toMatchObject({ poly_address: ADDRESS, poly_api_key: 'k-1', poly_passphrase: 'p-1' });
  });

  test('without its query', async () => {
    venue.answers('{"balance":"1"}');
    await clob.balance({ asset: 'collateral' });
    const { headers } = asked();
    const message = `${headers['poly_timestamp']}GET/balance-allowance`;
    const signature = createHmac('sha256', Buffer.from(CREDENTIALS.secret, 'base64'))
      .update(message)
      .digest('base64url');
    expect(String(headers['poly_signature']).replace(/=+$/, '')).toBe(signature);
  });
});

test('an order is sent once, byte for byte, and yields an outcome', async () => {
  const body = `{"deferExec": false,  "order":{"salt":479249096354}}`;
  venue.answers(JSON.stringify({ success: true, errorMsg: '', orderID: HASH, status: 'live' }));
  expect(await clob.placeOrder(body, HASH)).toMatchObject({ kind: 'accepted', status: 'live' });
  expect(asked()).toMatchObject({ method: 'POST', path: '/order', body });
  venue.answers({ status: 500, body: '{"error":"could not run the execution"}' });
  expect(await clob.placeOrder(body, HASH)).toMatchObject({ kind: 'unknown' });
  expect(venue.requests).toHaveLength(2);
});

describe('cancels', () => {
  const answer = JSON.stringify({
    canceled: [HASH.toUpperCase()],
    not_canceled: { '0xD': 'already canceled or matched' },
  });

  test.each([
    ['one order', () => clob.cancelOrder(HASH), '/order', { orderID: HASH }],
    ['all orders', () => clob.cancelAll(), '/cancel-all', undefined],
  ])('%s', async (_name, cancel, path, body) => {
    venue.answers(answer);
    expect(await cancel()).toEqual({
      kind: 'ok',
      cancelled: new Set([HASH.toLowerCase()]),
      refused: new Map([['0xd', 'already canceled or matched']]),
    });
    expect(asked()).toMatchObject({ method: 'DELETE', path, body: body === undefined ? '' : JSON.stringify(body) });
  });

  test('an answer that says both of one order is none', async () => {
    venue.answers(JSON.stringify({ canceled: ['0xD'], not_canceled: { '0xd': 'no' } }));
    expect(await clob.cancelOrder('0xD')).toMatchObject({ kind: 'no_answer', reason: 'contradiction' });
  });

  test.each([
    ['a page', { headers: { 'content-type': 'text/html' }, body: '<p>' }, 'page'],
    ['another shape', '{"canceled":"all"}', 'unknown_shape'],
    ['a refusal', { status: 500, body: '{"error":"oops"}' }, 'refused'],
  ])('row 59: %s leaves the order undecided and is not retried', async (_name, reply, reason) => {
    venue.answers(reply);
    expect(await clob.cancelOrder(HASH)).toMatchObject({ kind: 'no_answer', reason });
    expect(venue.requests).toHaveLength(1);
  });

  test('a venue that wants to wait says how long', async () => {
    venue.answers({ status: 429, headers: { 'retry-after': '2' }, body: '{"error":"Too Many Requests"}' });
    expect(await clob.cancelOrder(HASH)).toMatchObject({ kind: 'no_answer', status: 429, waitMs: 2000 });
  });
});

describe('an order', () => {
  test('is shown in words of both versions', async () => {
    for (const status of ['LIVE', 'ORDER_STATUS_LIVE', 'live']) {
      venue.answers(JSON.stringify(anOrder({ status })));
      expect(await clob.order(HASH)).toMatchObject({
        kind: 'ok',
        value: {
          venueOrderId: HASH,
          status: 'LIVE',
          isKnownStatus: true,
          price: price('0.5'),
          sizeMatched: '25.0000',
          tradeIds: [],
        },
      });
    }
    expect(asked()).toMatchObject({ method: 'GET', path: `/data/order/${HASH}` });
  });

  test('row 46: keeps an undocumented status', async () => {
    venue.answers(JSON.stringify(anOrder({ status: 'FROBBED' })));
    expect(await clob.order(HASH)).toMatchObject({ value: { status: 'FROBBED', isKnownStatus: false } });
  });

  test.each<[string, Reply]>([
    ['null', 'null'],
    ['an empty body', ''],
    ['a 404 with words', { status: 404, body: '{"error":"Order not found"}' }],
  ])('row 44: is absent by %s', async (_name, reply) => {
    venue.answers(reply);
    expect(await clob.order(HASH)).toEqual({ kind: 'absent' });
  });

  test.each<[string, Reply]>([
    ['a 404 as a page', { status: 404, headers: { 'content-type': 'text/html' }, body: '<p>' }],
    ['another order', JSON.stringify(anOrder({ id: '0xother' }))],
    ['401', refused(401)],
    ['half of JSON', '{"id":"0x'],
    ['an amount that is not exact', JSON.stringify(anOrder({ price: '0.12345678' }))],
  ])('is not known by %s', async (_name, reply) => {
    venue.answers(reply);
    expect(await clob.order(HASH)).toMatchObject({ kind: 'no_answer' });
  });
});
