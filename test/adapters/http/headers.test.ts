import { beforeAll, describe, expect, test } from 'vitest';
import { ORDER, ORDERS, type RunningApp, STRATEGIES, STRATEGY, startApp } from '../../support/app.js';
import type { Reply } from '../../support/http.js';

let app: RunningApp;

beforeAll(async () => {
  app = await startApp();
});

const typeOf = (reply: Reply) => reply.json<{ type: string }>().type;

describe('an idempotency key', () => {
  const place = (key: string) => app.client.post(ORDERS, ORDER, { 'idempotency-key': key });

  test.each([
    'k',
    ' padded ',
    'a b',
    'UPPER~!#$%&()*+-./:;<=>?@[\\]^_`{|}',
    'k'.repeat(255),
    '"quoted"',
    '"a, b"',
    '"say \\"hi\\""',
    '"back\\\\slash"',
    `"${'k'.repeat(255)}"`,
  ])('may be %s', async (key) => expect((await place(key)).status).toBe(201));

  test.each([
    '',
    ' ',
    '""',
    '" "',
    'a,b',
    'a"b',
    '"open',
    'open"',
    '"a"b',
    '"a\\b"',
    'k'.repeat(256),
    `"${'k'.repeat(256)}"`,
    'k\u00e9y',
    'a\tb',
  ])('may not be %j', async (key) => {
    const reply = await place(key);
    expect([reply.status, typeOf(reply)]).toEqual([400, '/problems/idempotency-key-invalid']);
  });

  test('is the same key bare and in quotes', async () => {
    const [bare, quoted] = [await place('one-key'), await place('"one-key"')];
    expect(quoted.json<{ id: string }>().id).toBe(bare.json<{ id: string }>().id);
  });
});

describe('a header that may come once', () => {
  const twice = (name: string, value: string) =>
    app.client.send('POST', ORDERS, {
      body: ORDER,
      rawHeaders: [
        [name, value],
        [name, value],
      ],
    });

  test.each(['idempotency-key', 'x-dev-user', 'authorization', 'if-match', 'content-encoding'])(
    'is refused twice: %s',
    async (name) => {
      const reply = await twice(name, 'same');
      expect([reply.status, typeOf(reply)]).toEqual([400, '/problems/bad-request']);
    },
  );

  test('leaves the others alone', async () => expect((await twice('x-anything', 'same')).status).toBe(201));
});

describe('a media type', () => {
  const send = (type: string | undefined, method = 'POST', path = ORDERS, body: object = ORDER) =>
    app.client.send(method, path, { headers: { 'content-type': type }, body });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json;',
  ])('may be %s', async (type) => expect((await send(type)).status).toBe(201));

  test.each([
    undefined,
    '',
    ';',
    'text/json',
    'application/jsonx',
    'application/json; charset=latin1',
    'application/json; a=b',
    'application/merge-patch+json',
  ])('may not be %s for POST', async (type) => {
    const reply = await send(type);
    expect([reply.status, typeOf(reply)]).toEqual([415, '/problems/unsupported-media-type']);
  });

  test('may be merge-patch for PATCH, and a refusal lists the accepted types', async () => {
    const { id } = (await app.client.post(STRATEGIES, STRATEGY)).json<{ id: string }>();
    const patch = (type: string) => send(type, 'PATCH', `${STRATEGIES}/${id}`, {});
    expect((await patch('application/merge-patch+json')).status).toBe(200);
    const refused = await patch('application/json-patch+json');
    expect(refused.status).toBe(415);
    expect(refused.headers['accept-patch']).toBe('application/json, application/merge-patch+json');
  });

  test.each(['gzip', 'br', 'x-bogus'])('may not be coded with %s', async (coding) => {
    expect((await app.client.post(ORDERS, ORDER, { 'content-encoding': coding })).status).toBe(415);
  });
});

describe('the request id', () => {
  test.each(['mine', 'A-Z_0.9', 'i'.repeat(128)])('%s comes back', async (id) => {
    const [good, bad] = [
      await app.client.get(STRATEGIES, { 'x-request-id': id }),
      await app.client.get('/no', { 'x-request-id': id }),
    ];
    expect(good.headers['x-request-id']).toBe(id);
    expect(bad.headers['x-request-id']).toBe(id);
    expect(bad.json()['instance']).toBe(id);
  });

  test.each([undefined, '', 'a b', '<b>', 'i'.repeat(129), 'a"'])('%s is replaced', async (id) => {
    const { headers } = await app.client.get(STRATEGIES, { 'x-request-id': id });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the number of headers', () => {
  const many = (count: number) =>
    app.client.send('GET', STRATEGIES, {
      rawHeaders: Array.from({ length: count }, (_, i) => [`x-${i}`, '1'] as const),
    });

  test('may be a hundred', async () => expect((await many(90)).status).toBe(200));

  test.each([101, 1000, 1500])('may not be %i more', async (count) => {
    const reply = await many(count);
    expect([reply.status, typeOf(reply)]).toEqual([431, '/problems/headers-too-large']);
  });
});
