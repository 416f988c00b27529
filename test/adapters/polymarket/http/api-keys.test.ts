import { afterEach, describe, expect, test } from 'vitest';
import { apiCredentials } from '../../../../src/adapters/polymarket/http/api-keys.js';
import { tradingClient } from '../../../../src/adapters/polymarket/http/trading-client.js';
import type { Signer } from '../../../../src/adapters/polymarket/signing/signer.js';
import { VenueClock } from '../../../../src/adapters/venue/venue-clock.js';
import { Loopback, type Reply } from '../../transport/loopback.js';

const CREDENTIALS = { apiKey: 'k-1', secret: 'c2VjcmV0', passphrase: 'p-1' };
const TRIPLE = JSON.stringify(CREDENTIALS);
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const NOW = new Date('2027-01-10T12:00:00Z');
const NO_KEY: Reply = { status: 400, body: '{"error":"Could not derive api key!"}' };

const here = new Loopback();
afterEach(() => here.end());

async function login(...replies: readonly Reply[]) {
  const venue = await here.script(...replies);
  const http = tradingClient(venue.url, { overallMs: 10_000 });
  here.onEnd(() => http.close());
  const clock = new VenueClock({ clock: { now: () => NOW }, readSeconds: async () => null, reportSkew() {} });
  const signer: Signer = {
    address: async () => ADDRESS,
    signOrder: () => Promise.reject(new Error('no order is signed here')),
    signLogin: async ({ chainId, timestamp, nonce }) => `0x${chainId}${timestamp}${nonce}`,
  };
  const result = await apiCredentials({ http, signer, clock, chainId: 137 });
  return { result, venue, steps: venue.requests.map(({ method, path }) => `${method} ${path}`) };
}

const DERIVE = 'GET /auth/derive-api-key';
const CREATE = 'POST /auth/api-key';

describe('API credentials', () => {
  test('are the existing ones of the key', async () => {
    const { result, steps, venue } = await login(TRIPLE);
    expect(result).toEqual({ kind: 'ok', value: CREDENTIALS });
    expect(steps).toEqual([DERIVE]);
    const timestamp = `${NOW.getTime() / 1000}`;
    expect(venue.requests[0]?.headers).toMatchObject({
      poly_address: ADDRESS,
      poly_nonce: '0',
      poly_timestamp: timestamp,
      poly_signature: `0x137${timestamp}0`,
    });
  });

  test('are made where there are none', async () => {
    const { result, steps } = await login(NO_KEY, TRIPLE);
    expect(result).toEqual({ kind: 'ok', value: CREDENTIALS });
    expect(steps).toEqual([DERIVE, CREATE]);
  });

  test('are requested again when it is not known whether they were made', async () => {
    const { result, steps } = await login(NO_KEY, { body: '{"apiKey":' }, TRIPLE);
    expect(result).toEqual({ kind: 'ok', value: CREDENTIALS });
    expect(steps).toEqual([DERIVE, CREATE, DERIVE]);
  });

  test.each([401, 403, 500])('are not made where the venue does not know the key: %i', async (status) => {
    const { result, steps } = await login({ status, body: '{"error":"no"}' });
    expect(result).toMatchObject({ kind: 'no_answer', status });
    expect(steps).not.toContain(CREATE);
  });

  test('are not half there', async () => {
    const { result } = await login('{"apiKey":"k-1","secret":"","passphrase":"p"}');
    expect(result).toMatchObject({ kind: 'no_answer', reason: 'unknown_shape' });
  });
});
