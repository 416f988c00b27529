import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { KNOWN_KEY, PlainClient } from '../../../support/fake-venue/plain-client.js';
import { aTradingDay, GAME, NOON } from '../../../support/fake-venue/trading-day.js';
import type { Json } from '../../../support/fake-venue/wire.js';

const SECOND = NOON / 1000;
const CURVE = BigInt('0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141');

let day: Awaited<ReturnType<typeof aTradingDay>>;
beforeEach(async () => {
  day = await aTradingDay();
});
afterEach(() => day.venue.close());

async function loginHeaders(changes: { timestamp?: string; nonce?: string; chainId?: number } = {}) {
  const account = privateKeyToAccount(KNOWN_KEY);
  const { timestamp = `${SECOND}`, nonce = '7', chainId = 137 } = changes;
  const signature = await account.signTypedData({
    domain: { name: 'ClobAuthDomain', version: '1', chainId },
    types: {
      ClobAuth: [
        { name: 'address', type: 'address' },
        { name: 'timestamp', type: 'string' },
        { name: 'nonce', type: 'uint256' },
        { name: 'message', type: 'string' },
      ],
    },
    primaryType: 'ClobAuth',
    message: {
      address: account.address,
      timestamp,
      nonce: BigInt(nonce),
      message: 'This message attests that I control the given wallet',
    },
  });
  return { POLY_ADDRESS: account.address, POLY_SIGNATURE: signature, POLY_TIMESTAMP: timestamp, POLY_NONCE: nonce };
}

describe('a login', () => {
  const asks = (method: string, path: string, headers: Record<string, string>) =>
    fetch(new URL(path, day.venue.clob), { method, headers });

  test('makes a key once and derives the same one afterwards', async () => {
    const headers = await loginHeaders();
    expect((await asks('GET', '/auth/derive-api-key', headers)).status).toBe(400);
    const made = await (await asks('POST', '/auth/api-key', headers)).json();
    expect((await asks('POST', '/auth/api-key', headers)).status).toBe(400);
    expect(await (await asks('GET', '/auth/derive-api-key', headers)).json()).toEqual(made);
  });

  test.each<[string, () => Promise<Record<string, string>>]>([
    ['for another chain', () => loginHeaders({ chainId: 80_002 })],
    ['of a minute ago', () => loginHeaders({ timestamp: `${SECOND - 61}` })],
    ['with another nonce than signed', async () => ({ ...(await loginHeaders()), POLY_NONCE: '8' })],
    ['of another address', async () => ({ ...(await loginHeaders()), POLY_ADDRESS: `0x${'1'.repeat(40)}` })],
    ['without a signature', async () => ({ ...(await loginHeaders()), POLY_SIGNATURE: '0x' })],
  ])('%s is refused', async (_what, headers) => {
    const answer = await asks('POST', '/auth/api-key', await headers());
    expect([answer.status, await answer.json()]).toEqual([401, { error: 'Invalid L1 Request headers' }]);
  });
});

describe('a request with an API key', () => {
  test.each<
    [string, (body: string, headers: Record<string, string>) => { body?: string; headers?: Record<string, string> }]
  >([
    ['with other white space than signed', (body) => ({ body: body.replace('{', '{ ') })],
    ['with another passphrase', (_body, headers) => ({ headers: { ...headers, POLY_PASSPHRASE: 'no' } })],
    ['from another address', (_body, headers) => ({ headers: { ...headers, POLY_ADDRESS: `0x${'1'.repeat(40)}` } })],
    ['with another key', (_body, headers) => ({ headers: { ...headers, POLY_API_KEY: 'no' } })],
    [
      'with another time than signed',
      (_body, headers) => ({ headers: { ...headers, POLY_TIMESTAMP: `${SECOND + 1}` } }),
    ],
    [
      'in the standard alphabet of base64',
      (_body, headers) => ({ headers: { ...headers, POLY_SIGNATURE: `+${headers['POLY_SIGNATURE']?.slice(1)}` } }),
    ],
  ])('%s is refused', async (_what, change) => {
    const { body, hash } = await day.client.sign();
    const headers = day.client.headers('POST', '/order', body);
    const changed = change(body, headers);
    const answer = await day.client.post({ body: changed.body ?? body }, { headers: changed.headers ?? headers });
    expect([answer.status, await answer.json()]).toEqual([401, { error: 'Unauthorized/Invalid api key' }]);
    expect(day.venue.log.posts(hash)).toEqual({ accepted: 0, duplicate: 0, refused: 0 });
  });

  test('an hour off the clock is refused, unless the venue is lenient', async () => {
    const headers = day.client.headers('GET', '/data/trades');
    day.time.now += 3_600_000;
    const asks = () => day.client.send('GET', '/data/trades?after=1', undefined, { headers });
    expect((await asks()).status).toBe(401);
    day.venue.state.keys.skewSeconds = 7200;
    expect((await asks()).status).toBe(200);
  });
});

describe('the signature of an order', () => {
  test('with the higher s, or of another order, is refused', async () => {
    const { body, hash } = await day.client.sign();
    const { order, ...rest } = JSON.parse(body) as { order: Json & { signature: string } };
    const s = CURVE - BigInt(`0x${order.signature.slice(66, 130)}`);
    const v = order.signature.endsWith('1b') ? '1c' : '1b';
    const mirrored = order.signature.slice(0, 66) + s.toString(16).padStart(64, '0') + v;
    for (const changes of [{ signature: mirrored }, { timestamp: '1' }, { metadata: `0x${'1'.repeat(64)}` }]) {
      const answer = await day.client.post({ body: JSON.stringify({ ...rest, order: { ...order, ...changes } }) });
      expect(await answer.json()).toEqual({ error: 'invalid signature' });
    }
    expect((await day.client.post({ body })).status).toBe(200);
    expect(day.venue.accepted(hash)).toBe(true);
  });

  test('of another owner, or that is not an order, is refused', async () => {
    const { body } = await day.client.sign();
    const sends = async (changed: string) => (await (await day.client.post({ body: changed })).json()) as Json;
    expect(await sends(body.replace(day.client.key.apiKey, 'someone'))).toMatchObject({
      error: expect.stringContaining('owner of the API KEY'),
    });
    for (const broken of [
      body.replace('"GTC"', '"IOC"'),
      body.replace('"salt":', '"salt":1e17,"x":'),
      '{}',
      '{',
      '[]',
    ]) {
      expect(await sends(broken)).toEqual({ error: 'Invalid order payload' });
    }
    expect(await sends(body.replaceAll(GAME.tokens[0], '1'))).toMatchObject({
      error: expect.stringContaining('No orderbook exists'),
    });
  });
});

describe('one order', () => {
  test('sent twenty times at once is taken once', async () => {
    const order = await day.client.sign();
    const answers = await Promise.all(Array.from({ length: 20 }, () => day.client.post(order)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(day.venue.log.posts(order.hash)).toEqual({ accepted: 1, duplicate: 19, refused: 0 });
  });

  test('of a batch is refused alone, and fifteen is the maximum', async () => {
    const bodies = await Promise.all(['5', '1', '6'].map(async (size) => (await day.client.sign({ size })).body));
    const answer = await day.client.send('POST', '/orders', `[${bodies.join(',')}]`);
    expect(await answer.json()).toMatchObject([
      { success: true, status: 'live' },
      { success: true, orderID: '', status: '', errorMsg: expect.stringContaining('lower than the minimum') },
      { success: true, status: 'live' },
    ]);
    const many = await day.client.send('POST', '/orders', `[${Array(16).fill(bodies[0]).join(',')}]`);
    expect(await many.json()).toEqual({ error: 'Too many orders in payload: 16, max allowed: 15' });
  });

  test('cannot be seen or cancelled by another account', async () => {
    const { hash } = await day.sends();
    const stranger = new PlainClient(day.venue, generatePrivateKey());
    expect(await stranger.get(`/data/order/${hash}`)).toBeNull();
    expect(await stranger.delete('/cancel-all')).toEqual({ canceled: [], not_canceled: {} });
    expect(await stranger.delete('/order', { orderID: hash })).toMatchObject({ canceled: [] });
    expect(day.venue.snapshot(hash)['status']).toBe('LIVE');
  });

  test('is cancelled with all others when the heartbeat stops', async () => {
    const beats = async (heartbeat_id: string) => {
      const answer = await day.client.send('POST', '/v1/heartbeats', JSON.stringify({ heartbeat_id }));
      return [answer.status, ((await answer.json()) as { heartbeat_id: string }).heartbeat_id] as const;
    };
    const [, first] = await beats('');
    expect(await beats('wrong')).toEqual([400, first]);
    expect((await beats(first))[0]).toBe(200);
    const { hash } = await day.sends();
    day.venue.state.lapse(day.client.key);
    expect(day.venue.snapshot(hash)['status']).toBe('CANCELED');
  });
});
