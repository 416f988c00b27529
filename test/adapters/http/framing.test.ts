import { beforeAll, describe, expect, test } from 'vitest';
import { ORDER, ORDERS, type RunningApp, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';
import { message, statusesIn, Wire } from '../../support/wire.js';

const BODY = JSON.stringify(ORDER);
const LIMIT = 16 * 1024;
const CHUNKED = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };

let app: RunningApp;

beforeAll(async () => {
  app = await startApp({ tolerance: { headersMs: 400, requestMs: 800 } });
});

const orders = async () => (await app.client.get(`${ORDERS}?limit=100`)).json<{ data: unknown[] }>().data.length;

/** The last answer that was heard is a whole problem, with the headers that every answer has. */
function expectProblem(heard: string, status: number, name: string): void {
  const answer = heard.slice(heard.lastIndexOf(`HTTP/1.1 ${status} `));
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(statusesIn(heard).at(-1)).toBe(status);
  expect(head).toMatch(/^content-type: application\/problem\+json$/im);
  expect(head).toMatch(/^cache-control: no-store$/im);
  expect(head).toMatch(/^x-content-type-options: nosniff$/im);
  expect(JSON.parse(body)).toMatchObject({
    type: `/problems/${name}`,
    status,
    instance: /^x-request-id: (.*)$/im.exec(head)?.[1],
  });
}

async function answersTo(...sent: (string | Buffer)[]): Promise<string> {
  const wire = await Wire.to(app.url);
  for (const part of sent) wire.send(part);
  return wire.closed();
}

describe('a message that is not HTTP', () => {
  test.each([
    ['noise', 'hello\r\n\r\n'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['no host, but a body', 'POST /v1/strategies HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}'],
    ['chunks in HTTP/1.0', 'POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a coding besides chunks', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['another HTTP', 'GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n'],
    ['a chunk of no known size', `${message(`POST ${ORDERS}`, CHUNKED)}zz\r\n`],
  ])('gets a problem and the end of the connection: %s', async (_, text) => {
    expectProblem(await answersTo(Buffer.from(text, 'latin1')), 400, 'bad-request');
  });
});

describe('what follows a request on the same connection', () => {
  test('never replaces its answer: the placed order is answered first', async () => {
    const before = await orders();
    const heard = await answersTo(`${message(`POST ${ORDERS}`, {}, BODY)}\x00more than the length said`);
    expect(statusesIn(heard)).toEqual([201, 400]);
    expectProblem(heard, 400, 'bad-request');
    expect(await orders()).toBe(before + 1);
  });

  test('may be more requests, which are answered in their order', async () => {
    const heard = await answersTo(
      message(`POST ${ORDERS}`, {}, BODY) + message('GET /healthz') + message('GET /nothing', { connection: 'close' }),
    );
    expect(statusesIn(heard)).toEqual([201, 200, 404]);
  });

  test('is served after a refusal, with the refused body read or not', async () => {
    const refused = message('POST /v1/nothing', {}, BODY) + message(`POST ${STRATEGIES}`, {}, '{}');
    const large = message(`POST ${ORDERS}`, {}, 'x'.repeat(LIMIT + 1));
    const last = message(`POST ${ORDERS}`, { connection: 'close' }, BODY);
    expect(statusesIn(await answersTo(refused + large + last))).toEqual([404, 422, 413, 201]);
  });
});

describe('an oversized message', () => {
  test('is refused by its length before the body is sent', async () => {
    const wire = await Wire.to(app.url);
    wire.send(message(`POST ${ORDERS}`, { 'content-type': 'application/json', 'content-length': '20000000' }));
    expectProblem(await wire.hears(/\}$/), 413, 'payload-too-large');
    wire.hangUp();
  });

  test('is refused once its chunks exceed the limit, and never buffered', async () => {
    const wire = await Wire.to(app.url);
    wire.send(message(`POST ${ORDERS}`, CHUNKED));
    for (let sent = 0; sent <= LIMIT; sent += 4096) wire.send(`1000\r\n${'x'.repeat(4096)}\r\n`);
    expectProblem(await wire.hears(/\}$/), 413, 'payload-too-large');
    wire.hangUp();
  });

  test('of 20 MB gets its answer although it is never read completely', async () => {
    const reply = await app.client.post(ORDERS, `{"pad":"${'a'.repeat(20_000_000)}"}`);
    expect(reply.status).toBe(413);
  });

  test('is one byte over 16 KiB, not at it', async () => {
    const padded = (length: number) => BODY.padEnd(length);
    expect((await app.client.post(ORDERS, padded(LIMIT))).status).toBe(201);
    expect((await app.client.post(ORDERS, padded(LIMIT + 1))).status).toBe(413);
  });

  test('is 431 for headers and 414 for a path, in any packets', async () => {
    const long = 'a'.repeat(20_000);
    expectProblem(await answersTo(message('GET /healthz', { 'x-long': long })), 431, 'headers-too-large');
    expectProblem(await answersTo(message(`GET /healthz?${long}`)), 414, 'uri-too-long');
    const wire = await Wire.to(app.url);
    const [first, second] = [message('GET /healthz').replace(/\r\n$/, ''), `x-long: ${long}\r\n`];
    wire.send(message('GET /healthz'));
    await wire.hears(/alive/);
    expectProblem(await wire.send(first + second).closed(), 431, 'headers-too-large');
  });
});

describe.concurrent('a slow message', () => {
  test('gets 408 when its headers do not end', async () => {
    expectProblem(await answersTo('GET /healthz HTTP/1.1\r\nHost: x\r\n'), 408, 'request-timeout');
  });

  test('gets 408 when its body does not end, and makes nothing', async () => {
    const before = await orders();
    const heard = await answersTo(message(`POST ${ORDERS}`, {}, BODY).slice(0, -1));
    expect(statusesIn(heard)).toEqual([408]);
    expectProblem(heard, 408, 'request-timeout');
    expect(await orders()).toBe(before);
  });

  test('that was refused already gets no second answer', async () => {
    const heard = await answersTo(
      message(`POST ${ORDERS}`, { 'content-type': 'application/json', 'content-length': '20000000' }),
    );
    expect(statusesIn(heard)).toEqual([413]);
  });
});

describe('an expectation', () => {
  const expecting = { 'content-type': 'application/json', expect: '100-continue' };

  test('of 100-continue is met, then the request', async () => {
    const wire = await Wire.to(app.url);
    wire.send(message(`POST ${ORDERS}`, { ...expecting, 'content-length': String(BODY.length) }));
    expect(statusesIn(await wire.hears(/100 Continue\r\n\r\n/))).toEqual([100]);
    wire.send(BODY);
    expect(statusesIn(await wire.hears(/\}$/))).toEqual([100, 201]);
    wire.hangUp();
  });

  test.each([
    ['too large', ORDERS, { 'content-length': '20000000' }, 413, 'payload-too-large'],
    ['of another type', ORDERS, { 'content-type': 'text/plain', 'content-length': '5' }, 415, 'unsupported-media-type'],
    ['for nobody', '/v1/nothing', { 'content-length': '5' }, 404, 'not-found'],
  ])('is not met for a body that is %s', async (_, path, headers, status, name) => {
    const heard = await answersTo(message(`POST ${path}`, { ...expecting, ...headers }));
    expect(statusesIn(heard)).toEqual([status]);
    expectProblem(heard, status, name);
  });

  test('for an unwanted body closes the connection with the answer', async () => {
    const path = (await app.client.post(STRATEGIES, STRATEGY)).headers.location;
    const heard = await answersTo(message(`POST ${path}/pause`, { ...expecting, 'content-length': '5' }));
    expect(statusesIn(heard)).toEqual([200]);
    expect(heard).toMatch(/^connection: close$/im);
  });

  test('of anything else cannot be met', async () => {
    expectProblem(await answersTo(message('GET /healthz', { expect: 'a miracle' })), 417, 'expectation-failed');
  });
});

test('a client that disconnects in mid-body leaves nothing behind', async () => {
  const before = await orders();
  const wire = await Wire.to(app.url);
  wire.send(message(`POST ${ORDERS}`, {}, BODY).slice(0, -10)).hangUp();
  expect((await app.client.post(ORDERS, ORDER)).status).toBe(201);
  expect(await orders()).toBe(before + 1);
  expect(app.failures).toEqual([]);
});
